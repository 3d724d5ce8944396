// How many rooms of four a core can host: ours, a plain Colyseus room, and socket.io with JSON. Each server is a process of its own, and
// so are the players. See bench/README.md.
import { Child, engine, isPinned } from "./server-ipc.mjs";
import { rounded } from "./rounds.mjs";
import { fitLine, median } from "./server-fit.mjs";
import { compile } from "./server-source.mjs";

const isQuick = process.argv.includes("--quick");
const isJson = process.argv.includes("--json");
const NAMES = ["ours", "colyseus", "socketio"];

/** Rooms while the processor time is split, rounds, and milliseconds. */
const ROOMS = isQuick ? 20 : 100;
const ROUNDS = isQuick ? 1 : 3;
const SETTLE_MS = isQuick ? 1000 : 2000;
const MEASURE_MS = isQuick ? 2000 : 4000;
/** The first rooms of the search, the lateness that counts as too late, and how precise the result is. */
const FIRST_ROOMS = 10;
const MAX_LATE = 5;
/** The milliseconds for which packets may wait, as the event loop is late (99th percentile). Beyond that, our server takes no new rooms. */
const MAX_WAIT = 20;
const PRECISION = 0.05;
const LOOKS = 3;
const MAX_ROOMS = isQuick ? 40 : 2000;
/** Inputs per second that players must have sent, and that must have arrived, of 60. */
const MIN_INPUTS = 58;
/** The search ends after this time, whatever it has found. */
const SEARCH_SECONDS = isQuick ? 60 : 360;
/** The bench gives up after this time. */
const MAX_SECONDS = 590;

const wait = (ms) => new Promise((done) => void setTimeout(done, ms));
const log = (...parts) => isJson || console.log(...parts);
setTimeout(() => {
  console.error(`bench: server has not ended after ${MAX_SECONDS} s.`);
  process.exit(1);
}, 1000 * MAX_SECONDS).unref();

if (Number(/^v(\d+)/.exec(engine() ?? "")?.[1]) < 22) {
  console.error(
    `bench: Colyseus needs Node 22, got ${engine()}. Run npm ci --prefix bench, with install scripts.`,
  );
  process.exit(1);
}
const folder = await compile();
const contenders = {};
for (const name of NAMES) {
  const server = new Child(name, `server-${name}.mjs`, [folder], 0);
  const load = new Child(`players of ${name}`, "server-load.mjs", [folder], 1);
  contenders[name] = {
    name,
    server,
    load,
    port: await server.call("port"),
    levels: [],
    lower: 0,
    upper: Infinity,
  };
}

/** Opens or closes rooms with all of their players until there are `count`. */
async function setRooms({ server, load, port, name }, count, { kind = name, isCurious = false } = {}) {
  await load.call("leave", { count });
  const joins = await server.call("rooms", { count });
  await load.call("join", { kind, port, joins, isCurious }, 90);
}

/** Measures a server and its players for some time. */
async function measure({ server, load }, rooms, isProfiled = false) {
  await load.call("reset");
  const figures = await server.call("measure", { ms: MEASURE_MS, isProfiled });
  const players = await load.call("figures");
  if (players.closed > 0) throw new Error(`${players.closed} players lost their connection`);
  return { ...figures, players, rooms, cpuMsPerRoom: figures.cpuMs / figures.seconds / rooms };
}

/** Lets players decode what they get, and compares it with what was there. */
async function verify(contender) {
  const { server, load, name } = contender;
  await setRooms(contender, 1, { kind: name === "ours" ? "real" : name, isCurious: true });
  const watched = server.call("watch", { ms: 3000 });
  await wait(2000);
  const state = await load.call("state");
  await watched;
  if (!(await server.call("wasThere", { state })))
    throw new Error(`${name}: a player saw a state that the server never had: ${JSON.stringify(state)}`);
  await setRooms(contender, 0);
}

/** Whether a level was played as it should be. */
function problemOf({ p99, p99Loop, seconds, ticks, inputs, rooms, players }) {
  if (players.inputs < MIN_INPUTS) return `players sent only ${rounded(players.inputs, 1)} inputs per second`;
  const arrived = inputs / seconds / (4 * rooms);
  if (arrived < MIN_INPUTS) return `only ${rounded(arrived, 1)} inputs per second arrived`;
  if (ticks < 0.985 * 60 * seconds * rooms)
    return `only ${rounded(ticks / seconds / rooms, 1)} ticks per second`;
  if (players.states < 19.4) return `only ${rounded(players.states, 1)} states per second`;
  if (p99 > MAX_LATE) return `a p99 lateness of ${rounded(p99, 1)} ms`;
  if (p99Loop > MAX_WAIT) return `packets wait for ${rounded(p99Loop, 1)} ms`;
  return undefined;
}

for (const contender of Object.values(contenders)) await verify(contender);
log(
  `Node ${engine()} for all; ${isPinned ? "a core for the server, another for the players" : "no fixed cores"}.`,
);

// Processor time, in turns.
const costs = Object.fromEntries(NAMES.map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (let turn = 0; turn < NAMES.length; turn++) {
    const contender = contenders[NAMES[(turn + round) % NAMES.length]];
    await setRooms(contender, ROOMS);
    await wait(SETTLE_MS);
    if (round === 0) await measure(contender, ROOMS, true);
    const plain = await measure(contender, ROOMS);
    if (plain.players.inputs < MIN_INPUTS)
      console.error(
        `bench: ${contender.name}: the players sent only ${rounded(plain.players.inputs, 1)} of 60 inputs per second. Run nothing else.`,
      );
    const { shares } = await measure(contender, ROOMS, true);
    const { step, codec, socket, garbage } = shares;
    costs[contender.name].push({
      total: plain.cpuMsPerRoom,
      step: plain.cpuMsPerRoom * step,
      codec: plain.cpuMsPerRoom * (codec + garbage),
      socket: plain.cpuMsPerRoom * socket,
      garbage: plain.cpuMsPerRoom * garbage,
      bytesDown: plain.players.bytesDown,
      bytesUp: plain.players.bytesUp,
      states: plain.players.states,
    });
    if (process.env.BENCH_PROFILE !== undefined) console.log(contender.name, shares.top.join("\n"));
    await setRooms(contender, 0);
  }
}
const cost = (name, what) => median(costs[name].map((round) => round[what]));

// How many rooms are too many, in turns: doubled until it is too many, then in between.
const searchUntil = performance.now() + 1000 * SEARCH_SECONDS;
const nextOf = ({ lower, upper }) =>
  upper === Infinity ? Math.max(FIRST_ROOMS, 2 * lower) : Math.round((lower + upper) / 2);
const isOpen = ({ lower, upper }) =>
  lower < MAX_ROOMS && (upper === Infinity || (upper - lower > PRECISION * upper && upper > FIRST_ROOMS));
while (performance.now() < searchUntil && Object.values(contenders).some(isOpen)) {
  for (const contender of Object.values(contenders)) {
    if (!isOpen(contender) || performance.now() > searchUntil) continue;
    const rooms = nextOf(contender);
    await setRooms(contender, rooms);
    await wait(SETTLE_MS);
    let level = await measure(contender, rooms);
    // Other load only adds to lateness, so another look may be better.
    for (let looks = 1; looks < LOOKS && problemOf(level) !== undefined; looks++)
      level = await measure(contender, rooms);
    const problem = problemOf(level);
    const { heap, rss } = await contender.server.call("memory");
    contender.levels.push({ ...level, heap, rss, problem });
    if (problem === undefined) contender.lower = rooms;
    else contender.upper = rooms;
    log(
      `${contender.name}: ${rooms} rooms, ${rounded(level.cpuMsPerRoom, 1)} ms per room and second, p99 ${rounded(level.p99, 2)} ms` +
        `${contender.name === "ours" ? ` (${rounded(level.p99Behind, 2)} behind the schedule)` : ""}, ` +
        `event loop p99 ${rounded(level.p99Loop, 1)} ms, ` +
        `${Math.round(heap)} KB, players' core ${rounded(level.players.cpu, 2)}${problem ? `: too many, ${problem}` : ""}`,
    );
    await setRooms(contender, 0);
  }
}

const split = (name) => ({
  step: rounded(cost(name, "step"), 3),
  codec: rounded(cost(name, "codec"), 3),
  socket: rounded(cost(name, "socket"), 3),
});
const perContender = (value) => Object.fromEntries(NAMES.map((name) => [name, value(name)]));
/** How figures grow with the rooms: a base for the process, and so much more with each room. */
const growthOf = (name) => {
  const passed = contenders[name].levels.filter(({ problem }) => problem === undefined);
  const levels = passed.length > 1 ? passed : contenders[name].levels;
  const line = (value, digits) => {
    const { base, slope } = fitLine(levels.map((level) => [level.rooms, value(level)]));
    return { base: rounded(base, digits), perRoom: rounded(slope, digits) };
  };
  return {
    cpuMsPerSecond: line(({ cpuMsPerRoom, rooms }) => cpuMsPerRoom * rooms, 3),
    kb: line(({ heap }) => heap, 1),
    rssKb: line(({ rss }) => rss, 1),
    bytesDownPerSecond: line(({ players, rooms }) => players.bytesDown * 4 * rooms, 0),
  };
};
const growth = perContender(growthOf);
const best =
  contenders.ours.levels.filter(({ problem }) => problem === undefined).at(-1) ?? contenders.ours.levels[0];
const atLimit = contenders.ours.levels.find(({ rooms }) => rooms === contenders.ours.lower) ?? best;
const result = {
  bench: "server",
  cpuMsPerRoomSecond: perContender(split),
  codecVsColyseus: rounded(cost("ours", "codec") / cost("colyseus", "codec"), 3),
  roomsPerCore: perContender((name) => contenders[name].lower),
  bytesDown: perContender((name) => Math.round(cost(name, "bytesDown"))),
  bytesUp: perContender((name) => Math.round(cost(name, "bytesUp"))),
  p99LateMs: rounded(atLimit.p99, 2),
  p99BehindMs: rounded(atLimit.p99Behind, 2),
  p99WaitMs: rounded(atLimit.p99Loop, 1),
  kbPerRoom: growth.ours.kb.perRoom,
  growth,
};
if (!isJson) {
  console.log(`\nProcessor time in ms per room and second, ${ROOMS} rooms of 4:`);
  console.table(
    perContender((name) => ({
      ...split(name),
      garbage: rounded(cost(name, "garbage"), 3),
      total: rounded(cost(name, "total"), 3),
    })),
  );
  console.log("Growth with the number of rooms: a base, and so much more per room:");
  console.table(
    perContender((name) =>
      Object.fromEntries(
        Object.entries(growth[name]).map(([what, { base, perRoom }]) => [what, `${base} + ${perRoom}`]),
      ),
    ),
  );
}
console.log(JSON.stringify(result));
process.exit();
