// What a server costs per tick, and what hostile clients add to it. Clients run in the same process; only the server's work is timed.
import { rounded } from "./rounds.mjs";
import { source } from "./hostile-source.mjs";

const { brawlFor, clientSession, random, serverSession } = source;

const isQuick = process.argv.includes("--quick");
const PLAYERS = 8;
const HOSTILE = 4;
/** Messages per second of a hostile client: just below the limit, as a faster one is dropped at once. */
const FLOOD = 990;
const WARM_UP = 600;
const TICKS = isQuick ? 600 : 3600;
const TICK_MS = 1000 / 60;

/** One end of a link. Messages wait until `deliver` is called. */
class QueueLink {
  state = "open";
  #listeners = { message: [], open: [], close: [] };
  #queue = [];
  other;

  static pair() {
    const [a, b] = [new QueueLink(), new QueueLink()];
    a.other = b;
    b.other = a;
    return [a, b];
  }
  send(bytes) {
    if (this.state !== "closed") this.other.#queue.push(bytes.slice());
  }
  on(event, listener) {
    this.#listeners[event].push(listener);
    return () => {};
  }
  close(reason = "closed") {
    if (this.state === "closed") return;
    this.state = "closed";
    for (const listener of this.#listeners.close) listener(reason);
    this.other.close(reason);
  }
  deliver() {
    const messages = this.#queue;
    this.#queue = [];
    for (const message of messages) for (const listener of this.#listeners.message) listener(message);
  }
}

/** Sends what it can to make the server work: mutated packets, forged ticks and acknowledgements, requests for whole states, fragments. */
class Hostile {
  #dice;
  #link;
  #sample;
  #owed = 0;

  constructor(link, seed, sample) {
    this.#dice = random(new Uint32Array(4)).seed(seed);
    this.#link = link;
    this.#sample = sample;
  }
  tick() {
    this.#owed += FLOOD / 60;
    for (; this.#owed >= 1; this.#owed--) this.#link.send(this.#message());
  }
  #message() {
    const dice = this.#dice;
    const kind = dice.int(0, 9);
    if (kind === 0) return Uint8Array.of(0x92);
    if (kind === 1) return Uint8Array.from({ length: 1200 }, (_, i) => (i === 0 ? 0x86 : dice.int(0, 255)));
    const bytes = this.#sample()?.slice() ?? new Uint8Array(8);
    for (let i = dice.int(0, 3); i > 0; i--) bytes[dice.int(0, bytes.length - 1)] ^= 1 << dice.int(0, 7);
    return bytes;
  }
}

/** Plays a game, and returns the milliseconds of the server's work in each tick. */
function play(down, hostile) {
  const game = brawlFor(PLAYERS);
  let now = 0;
  const server = serverSession(game, { down, now: () => now, wall: () => now, maxClients: 64 });
  const links = [];
  const clients = [];
  let sample;
  const join = (name, options) => {
    const [near, far] = QueueLink.pair();
    server.connect(far);
    links.push([near, far]);
    const send = near.send.bind(near);
    near.send = (bytes) => {
      if (bytes[0] < 0x80) sample = bytes;
      send(bytes);
    };
    clients.push(clientSession(game, near, { now: () => now, name, token: name, ...options }));
    return near;
  };
  for (let i = 0; i < PLAYERS; i++) {
    const dice = random(new Uint32Array(4)).seed(`bot ${i}`);
    join(`client ${i}`, {
      inputs([me]) {
        if (dice.chance(0.1)) me.go = !me.go;
        me.way = dice.int(0, 7);
      },
    });
  }
  const attackers = Array.from(
    { length: hostile },
    (_, i) => new Hostile(join(`hostile ${i}`, { seats: [] }), `hostile ${i}`, () => sample),
  );
  const times = [];
  for (let tick = 0; tick < WARM_UP + TICKS; tick++, now += TICK_MS) {
    for (const client of clients) client.advance();
    for (const attacker of attackers) attacker.tick();
    const start = performance.now();
    for (const [, far] of links) far.deliver();
    server.advance();
    const spent = performance.now() - start;
    if (tick >= WARM_UP) times.push(spent);
    for (const [near] of links) near.deliver();
  }
  const { tick } = server;
  const behind = clients.slice(0, PLAYERS).map((client) => tick - client.confirmed);
  if (behind.some((ticks) => ticks > 10)) throw new Error(`clients are behind: ${behind}`);
  return { times, late: server.net.clients.reduce((sum, { lateInputs }) => sum + lateInputs, 0) };
}

const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.floor(times.length * share)];

const result = { bench: "hostile", tickUs: {}, p99Ms: {}, hostileP99GrowthMs: {}, lateInputs: {} };
for (const down of ["inputs", "states"]) {
  // Interleaved, so that both see the same machine.
  const [quiet, hostile] = [[], []];
  let late = 0;
  for (let round = 0; round < 3; round++) {
    const game = play(down, 0);
    quiet.push(...game.times);
    late += game.late;
    hostile.push(...play(down, HOSTILE).times);
  }
  const [before, after] = [quantile(quiet, 0.99), quantile(hostile, 0.99)];
  result.tickUs[down] = rounded(1000 * quantile(quiet, 0.5), 1);
  result.p99Ms[down] = rounded(before, 3);
  result.hostileP99GrowthMs[down] = rounded(after - before, 3);
  result.lateInputs[down] = late;
}
if (!process.argv.includes("--json")) {
  console.log(
    `A server with ${PLAYERS} clients, ${3 * TICKS} ticks; then ${HOSTILE} hostile ones more, ${FLOOD} messages/s each.`,
  );
  console.table(result.tickUs);
  console.table(result.hostileP99GrowthMs);
}
console.log(JSON.stringify(result));
