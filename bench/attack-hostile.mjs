// Attackers: everything that a program on the internet can do to a server, from many addresses, again and again.
import { attacksOn } from "./attacks-on-colyseus.mjs";
import { ATTACKS } from "./attacks-on-rooms.mjs";
import { aimAt, endAll, open, raw } from "./attack-sockets.mjs";
import { answer } from "./server-ipc.mjs";

let isOn = false;
/** Attackers that a room of Colyseus let in, and attacks by their names. */
let entered = 0;
const sent = {};
const count = (name) => (sent[name] = (sent[name] ?? 0) + 1);
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function attack(attacks, { perSecond, maxOpen, isCounted }) {
  const names = Object.keys(attacks);
  for (let i = 0; isOn; i++) {
    const name = names[i % names.length];
    if (open.size < maxOpen) {
      if (isCounted) count(name);
      // Most attacks fail, as they should.
      void (async () => attacks[name]())().catch(() => {});
    }
    if (i % Math.max(1, Math.round(perSecond / 50)) === 0) await sleep(20);
  }
}

answer({
  /** Attacks a port until `stop`, with up to `maxOpen` connections at a time. `roomId`: of a room of Colyseus. */
  start({ target, roomId, ...options }) {
    aimAt(target);
    isOn = true;
    void attack(roomId === undefined ? ATTACKS : attacksOn(roomId, () => entered++), options);
  },
  async stop() {
    isOn = false;
    endAll();
    await sleep(500);
    return { sent, entered };
  },
  /** Opens many connections at once, and keeps them. Returns how many are open. */
  async crowd({ target, connections }) {
    aimAt(target);
    for (let i = 0; i < connections; i++) {
      raw();
      if (i % 200 === 0) await sleep(10);
    }
    await sleep(2000);
    return open.size;
  },
});
process.on("uncaughtException", () => count("uncaught"));
