// The load generator: a process that plays all seats of all rooms.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answer } from "./server-ipc.mjs";
import { players } from "./server-players.mjs";
import { SEATS } from "./server-state.mjs";

const [folder] = process.argv.slice(2);
const kinds = await players((file) => import(pathToFileURL(join(folder, file)).href));

const TICK_MS = 1000 / 60;
/** Parts of a tick. Each player sends in one of them, as players in the world are not in step. */
const PARTS = 8;
/** Rooms whose players connect at a time. */
const AT_A_TIME = 16;

const rooms = [];
let sent = 0;
let late = 0;
/** When the first part was due, how many have passed since, and which one of a tick is next. */
let startedAt = 0;
let parts = 0;
let part = 0;
let isSending = false;

function start() {
  if (isSending) return;
  isSending = true;
  startedAt = performance.now();
  parts = 0;
  send();
}

function send() {
  isSending = rooms.length > 0;
  if (!isSending) return;
  const due = startedAt + (parts * TICK_MS) / PARTS;
  const now = performance.now();
  late = Math.max(late, now - due);
  if (now - due > 100) parts = Math.floor((now - startedAt) / (TICK_MS / PARTS));
  for (let i = 0; i < rooms.length; i++) {
    for (let seat = 0; seat < SEATS; seat++) {
      if ((SEATS * i + seat) % PARTS !== part) continue;
      const player = rooms[i][seat];
      if (!player.hasJoined || player.closed !== undefined) continue;
      player.hands.tick();
      player.tick();
      sent++;
    }
  }
  part = (part + 1) % PARTS;
  parts++;
  const wait = startedAt + (parts * TICK_MS) / PARTS - performance.now();
  if (wait > 0.5) setTimeout(send, wait);
  else setImmediate(send);
}

const all = () => rooms.flat();
let base = { down: 0, up: 0, states: 0, at: 0, cpu: process.cpuUsage() };
const totals = () => {
  let [down, up, states] = [0, 0, 0];
  for (const player of all()) {
    down += player.socket.bytesRead;
    up += player.socket.bytesWritten;
    states += player.states;
  }
  return { down, up, states };
};

/** Waits until the players of some rooms satisfy a condition. */
async function until(condition, some, what) {
  for (let tries = 0; !condition(); tries++) {
    const gone = some.flat().find(({ closed }) => closed !== undefined);
    if (gone) throw new Error(`a player lost its connection: ${gone.closed}`);
    if (tries > 3000) throw new Error(`not all players ${what}`);
    await new Promise((done) => void setTimeout(done, 10));
  }
}

let nextSeed = 1;
answer({
  /** Joins rooms with four players each. */
  async join({ kind, port, joins, isCurious = false }) {
    const enter = (join, seat) => new kinds[kind](port, join, seat, nextSeed++, isCurious);
    for (let from = 0; from < joins.length; from += AT_A_TIME) {
      const some = joins.slice(from, from + AT_A_TIME);
      const added = some.map((join) => [enter(join, 0)]);
      await until(() => added.every(([first]) => first.isInRoom), added, "have a room");
      for (const [i, room] of added.entries())
        for (let seat = 1; seat < SEATS; seat++) room.push(enter(some[i], seat));
      await until(() => added.flat().every(({ hasJoined }) => hasJoined), added, "have joined");
      rooms.push(...added);
      start();
    }
  },
  /** Leaves all rooms but `count`. */
  leave({ count }) {
    for (const room of rooms.splice(count)) for (const player of room) player.socket.close();
  },
  reset() {
    base = { ...totals(), at: performance.now(), cpu: process.cpuUsage() };
    sent = late = 0;
  },
  figures() {
    const { down, up, states } = totals();
    const seconds = (performance.now() - base.at) / 1000;
    const { user, system } = process.cpuUsage(base.cpu);
    const each = 1 / (seconds * Math.max(1, SEATS * rooms.length));
    return {
      seconds,
      bytesDown: (down - base.down) * each,
      bytesUp: (up - base.up) * each,
      states: (states - base.states) * each,
      inputs: sent * each,
      cpu: (user + system) / 1e6 / seconds,
      late,
      closed: all().filter(({ closed }) => closed !== undefined).length,
    };
  },
  state: () => rooms[0][0].state(),
});
