// What all contenders have in common: a process that hosts rooms of the arena, measures itself, and answers the bench.
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { answer } from "./server-ipc.mjs";
import { profile } from "./server-profile.mjs";
import { plainState } from "./server-state.mjs";

const [folder] = process.argv.slice(2);
/** Imports a file of the library. */
export const library = (file) => import(pathToFileURL(join(folder, file)).href);

/** Ticks, states and milliseconds between two states, the same for all. */
export const TICK_RATE = 60;
export const STATE_RATE = 20;

const { Lateness } = await library("src/server/rooms/lateness.js");
const { roundedArena } = await library("scenes/arena.js");
const { Run } = await library("src/sim/run.js");

/** How much later than a tick after the last one the ticks of rooms were. */
export const lateness = new Lateness();
/** How much later than their schedule they were, for a contender that has one. */
export const behind = new Lateness();
/** How long the event loop lets packets wait, looked at every few milliseconds. */
const LOOP_EVERY = 10;
const loop = monitorEventLoopDelay({ resolution: LOOP_EVERY });
loop.enable();
/** Ticks of all rooms, and inputs that arrived. */
export const counts = { ticks: 0, inputs: 0 };

/** The game for the peers: the same step as ours, and the state in the same precision. */
export class PeerGame {
  run = new Run(roundedArena, 0);
  onStep = undefined;
  #slots = Object.fromEntries(roundedArena.packing.slots.map((slot) => [slot.name, slot]));

  constructor() {
    this.run.absent.fill(1);
  }
  join(seat) {
    this.run.absent[seat] = 0;
  }
  /** Takes the inputs of a player as they come. */
  input(seat, { x, y, dash }) {
    const { words } = this.run;
    const slots = this.#slots;
    counts.inputs++;
    words[seat] =
      ((x & 3) << slots.x.shift) | ((y & 3) << slots.y.shift) | ((dash ? 1 : 0) << slots.dash.shift);
  }
  step() {
    counts.ticks++;
    this.run.step();
    this.onStep?.(this.run.world);
  }
  observe(onStep) {
    this.onStep = onStep;
    return () => (this.onStep = undefined);
  }
}

/** Returns a function to call when a room begins to step: it notes the lateness. */
export function lateAfterLast() {
  let last = Infinity;
  return () => {
    const now = performance.now();
    lateness.add(now - last - 1000 / TICK_RATE);
    last = now;
  };
}

/** Notes how late timers of Node call rooms, which the peers use. */
export function watchTimers() {
  const plain = globalThis.setInterval;
  globalThis.setInterval = (call, delay, ...rest) => {
    if (Math.round(1000 / delay) !== TICK_RATE) return plain(call, delay, ...rest);
    const note = lateAfterLast();
    return plain(() => {
      note();
      call(...rest);
    }, delay);
  };
}

/**
 * Hosts a contender: `port` is where it listens. `open` opens a room and returns how to join it, `close` closes it again. `observe`
 * calls a function with the world of a room after each step, until the function that it returns is called.
 */
export function host({ port, open, close, observe }) {
  const rooms = [];
  const history = [];
  answer({
    port: () => port,
    /** Opens or closes rooms until there are `count`. Returns those that are new. */
    async rooms({ count }) {
      const added = [];
      const closed = rooms.splice(count);
      for (const room of closed) await close(room);
      while (rooms.length < count) {
        const room = await open(rooms.length);
        rooms.push(room);
        added.push(room.join);
      }
      return added;
    },
    /** Measures for some time. */
    async measure({ ms, isProfiled }) {
      lateness.reset();
      behind.reset();
      loop.reset();
      counts.ticks = counts.inputs = 0;
      const start = performance.now();
      const before = process.cpuUsage();
      const shares = await (isProfiled
        ? profile(ms, folder)
        : new Promise((done) => void setTimeout(done, ms)));
      const { user, system } = process.cpuUsage(before);
      const seconds = (performance.now() - start) / 1000;
      return {
        seconds,
        cpuMs: (user + system) / 1000,
        systemMs: system / 1000,
        ticks: counts.ticks,
        inputs: counts.inputs,
        p50: lateness.quantile(0.5),
        p99: lateness.quantile(0.99),
        max: lateness.max,
        p99Behind: behind.quantile(0.99),
        p99Loop: Math.max(0, loop.percentile(99) / 1e6 - LOOP_EVERY),
        shares,
      };
    },
    /** Kilobytes in use after a garbage collection. */
    memory() {
      gc();
      const { rss, heapUsed, external } = process.memoryUsage();
      return { rss: rss / 1024, heap: (heapUsed + external) / 1024 };
    },
    /** Keeps the last states of the first room for some time, as clients should see them. */
    async watch({ ms }) {
      const stop = observe(rooms[0], (world) => {
        history.push(JSON.stringify(plainState(world)));
        if (history.length > 500) history.shift();
      });
      await new Promise((done) => void setTimeout(done, ms));
      stop();
    },
    /** Whether a client saw what was there. */
    wasThere: ({ state }) => history.includes(JSON.stringify(state)),
  });
}
