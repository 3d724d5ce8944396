// Other libraries on the same simulated network, with the same inputs, in virtual time.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createSession, SessionState } from "rollback-netcode";
import { differentTicks, inputsOf, PeerMeter, RATE, START, stepDuel, TICK_MS } from "./net-duel.mjs";
import { source } from "./net-source.mjs";

const { conditioned, loopbackPair, random, virtualScheduler } = source;

/** Connects two machines on virtual time, whose loops are not in phase. */
function connect(network, seed) {
  const time = virtualScheduler();
  const links = loopbackPair().map((end, i) =>
    conditioned(end, { ...network, scheduler: time, seed: `${seed}/${i}` }),
  );
  const phase = random(new Uint32Array(4)).seed(`phase ${seed}`).float() * TICK_MS;
  const meters = links.map((link) => new PeerMeter(link, () => time.now()));
  return { time, links, meters, phase };
}

/** Calls a function again and again, as a loop does. */
function repeat(time, turn, delay, period = TICK_MS) {
  const again = () => {
    turn();
    time.after(period, again);
  };
  time.after(delay, again);
}

function results(meters, desyncs, ticks) {
  const peers = meters.map(({ turns, stalled, frozen, frozenAt, sent, sentBytes }) => ({
    turns,
    stalled,
    frozen,
    frozenAt,
    sent,
    sentBytes,
  }));
  const [{ hashes }] = meters;
  // Some games freeze within a second.
  if (hashes.length > 300 && hashes.at(-1) === hashes[0]) throw new Error("nothing happened");
  return { peers, ticks, desyncs: desyncs + differentTicks(meters[0], meters[1], 0) };
}

// rollback-netcode: its session, with a transport over our links. Everything is as it is by default.

const FIELDS = Object.keys(START);

class DuelOfBytes {
  world = { ...START };
  serialize() {
    return new Uint8Array(Float64Array.from(FIELDS, (name) => this.world[name]).buffer);
  }
  deserialize(bytes) {
    new Float64Array(bytes.slice().buffer).forEach((value, i) => (this.world[FIELDS[i]] = value));
  }
  step(inputs) {
    stepDuel(this.world, inputs.get("A")?.[0] ?? 0, inputs.get("B")?.[0] ?? 0);
  }
  hash() {
    let hash = 0x811c9dc5;
    for (const byte of this.serialize()) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash >>> 0;
  }
}

class LinkTransport {
  onMessage = null;
  onConnect = null;
  onDisconnect = null;
  connectedPeers = new Set();
  other;
  #link;
  constructor(localPeerId, link) {
    this.localPeerId = localPeerId;
    this.#link = link;
    // The bytes of a link are valid only during the call.
    link.on("message", (bytes) => this.onMessage?.(this.other.localPeerId, bytes.slice()));
  }
  async connect() {
    for (const [one, other] of [
      [this, this.other],
      [this.other, this],
    ]) {
      one.connectedPeers.add(other.localPeerId);
      one.onConnect?.(other.localPeerId);
    }
  }
  send(_, bytes, reliable) {
    this.#link.send(bytes, reliable);
  }
  broadcast(bytes, reliable) {
    this.#link.send(bytes, reliable);
  }
  disconnect() {}
  disconnectAll() {}
}

export async function playRollbackNetcode({ network }, seed, seconds) {
  const scripts = inputsOf(seed, Math.ceil(seconds + 60) * RATE);
  const { time, links, meters, phase } = connect(network, seed);
  const transports = links.map((link, i) => new LinkTransport("AB"[i], link));
  [transports[0].other, transports[1].other] = [transports[1], transports[0]];
  const sessions = transports.map((transport) => createSession({ game: new DuelOfBytes(), transport }));
  let desyncs = 0;
  sessions.forEach((session, i) => {
    session.on("desync", () => desyncs++);
    session.on("gameStart", () => {
      meters[i].start(0);
      const input = new Uint8Array(1);
      repeat(
        time,
        () => {
          input[0] = scripts[i][session.currentTick];
          session.tick(input);
          meters[i].turn(session.currentTick);
          // Its hashes of ticks that are certain.
          for (let tick = meters[i].hashes.length; tick <= session.confirmedTick; tick++)
            meters[i].hashes.push(session.engine.getHash(tick));
        },
        i * phase,
      );
    });
  });
  const room = await sessions[0].createRoom();
  await sessions[1].joinRoom(room, "A");
  while (sessions[1].state !== SessionState.Lobby) time.advance(10);
  sessions[0].start();
  time.advance(seconds * 1000);
  const ticks = Math.min(...sessions.map(({ currentTick }) => currentTick));
  sessions.forEach((session) => session.destroy());
  return results(meters, desyncs, ticks);
}

// netplayjs: its rollback wrapper, which wants a page. It gets one that does nothing, and virtual timers. Only the connection is
// ours: it encodes messages as theirs does. It sends everything through one reliable, ordered channel.

// Its encoder uses what Node warns of.
process.noDeprecation = true;
const require = createRequire(import.meta.url);
const NETPLAY = readFileSync(require.resolve("netplayjs/dist/netplay.min.js"), "utf8");
const msgpack = createRequire(require.resolve("netplayjs"))("msgpack-lite");

/** A page on which nothing happens but key events. */
function emptyPage() {
  const listeners = {};
  const element = new Proxy(function () {}, {
    get(_, name) {
      if (name === Symbol.toPrimitive) return () => "";
      if (name === "addEventListener") return (event, listener) => (listeners[event] = listener);
      return element;
    },
    set: () => true,
    apply: () => element,
    construct: () => element,
  });
  return { element, listeners };
}

function netplay(timers) {
  const { element, listeners } = emptyPage();
  const self = {};
  const window = { addEventListener() {}, innerWidth: 1, innerHeight: 1, navigator: { userAgent: "" } };
  const quiet = { log() {}, info() {}, debug() {}, warn: console.warn, error: console.error };
  const names = {
    self,
    window,
    document: element,
    setInterval: timers,
    requestAnimationFrame() {},
    console: quiet,
  };
  new Function(...Object.keys(names), NETPLAY)(...Object.values(names));
  return { ...self.netplayjs, listeners };
}

export function playNetplayjs({ network }, seed, seconds) {
  const scripts = inputsOf(seed, Math.ceil(seconds + 60) * RATE);
  const { time, links, meters, phase } = connect(network, seed);
  const wrappers = links.map((link, i) => {
    const { Game, NetplayPlayer, RollbackWrapper, listeners } = netplay((turn, period) => {
      const isLoop = period === TICK_MS;
      repeat(
        time,
        () => {
          turn();
          if (isLoop) meters[i].turn(wrapper.rollbackNetcode.currentFrame());
        },
        period + i * phase,
        period,
      );
    });
    class Duel extends Game {
      static timestep = TICK_MS;
      static canvasSize = { width: 600, height: 600 };
      constructor() {
        super();
        Object.assign(this, START);
      }
      tick(inputs) {
        const [first, second] = [...inputs.values()].map(({ keysHeld }) => byteOf(keysHeld));
        stepDuel(this, first, second);
      }
      draw() {}
    }
    const wrapper = new RollbackWrapper(Duel);
    const { inputReader } = wrapper;
    const getInput = inputReader.getInput.bind(inputReader);
    let held = 0;
    inputReader.getInput = () => {
      const byte = scripts[i][wrapper.rollbackNetcode.currentFrame()];
      for (let bit = 0; bit < 8; bit++)
        if ((byte ^ held) & (1 << bit))
          listeners[byte & (1 << bit) ? "keydown" : "keyup"]({ key: String(bit) });
      held = byte;
      return getInput();
    };
    const connection = {
      dataChannel: { readyState: "open" },
      send: (data) => link.send(msgpack.encode(data), true),
      on: (_, receive) => link.on("message", (bytes) => receive(msgpack.decode(bytes.slice()))),
    };
    const players = [0, 1].map((id) => new NetplayPlayer(id, id === i, id === 0));
    meters[i].start(0);
    if (i === 0) {
      wrapper.startHost(players, connection);
      const { rollbackNetcode: netcode } = wrapper;
      const { broadcastState } = netcode;
      netcode.broadcastState = (frame, state) => {
        meters[0].hashes[frame] = JSON.stringify(state);
        broadcastState(frame, state);
      };
    } else {
      wrapper.startClient(players, connection);
      const { rollbackNetcode: netcode } = wrapper;
      const { onStateSync } = netcode;
      // What it computed, before the host's state replaces it.
      netcode.onStateSync = (frame, state) => {
        const entry = netcode.history.find((one) => one.frame === frame);
        if (entry?.allInputsSynced()) meters[1].hashes[frame] = JSON.stringify(entry.state);
        onStateSync.call(netcode, frame, state);
      };
    }
    return wrapper;
  });
  time.advance(seconds * 1000);
  return results(
    meters,
    0,
    Math.min(...wrappers.map(({ rollbackNetcode }) => rollbackNetcode.currentFrame())),
  );
}

function byteOf(keys) {
  let byte = 0;
  for (let bit = 0; bit < 8; bit++) if (keys[bit]) byte |= 1 << bit;
  return byte;
}
