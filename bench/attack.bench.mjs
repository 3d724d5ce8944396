// What attackers do to the rooms of others. Honest players play in some rooms; attackers load the server, or a dummy in the control.
// Both take turns. The lateness of steps tells whether the honest players notice.
import { Child } from "./server-ipc.mjs";
import { compile } from "./server-source.mjs";
import { rounded } from "./rounds.mjs";

const isQuick = process.argv.includes("--quick");
const ROOMS = 10;
const TURNS = isQuick ? 1 : 6;
const SECONDS = isQuick ? 5 : 20;
const PER_SECOND = 100;
const MOST = 500;
const CROWD = 10_000;

const folder = await compile();
const server = new Child("server", "attack-server.mjs", [folder]);
const dummy = new Child("dummy", "attack-dummy.mjs", []);
const players = new Child("players", "attack-players.mjs", [folder]);
const hostile = new Child("attackers", "attack-hostile.mjs", []);
const [port, dummyPort] = [await server.call("port"), await dummy.call("port")];
await players.call("join", { port, rooms: ROOMS });
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
await sleep(isQuick ? 2 : 5);

const sums = { control: [], attacked: [] };
const memory = [];
let lowest = Infinity;
for (let turn = 0; turn < TURNS; turn++)
  for (const kind of turn % 2 === 0 ? ["control", "attacked"] : ["attacked", "control"]) {
    await hostile.call("start", {
      target: kind === "attacked" ? port : dummyPort,
      perSecond: PER_SECOND,
      most: MOST,
    });
    await sleep(2);
    for (let second = 0; second < SECONDS; second++) {
      await sleep(1);
      const { lateP50, lateP99, rss } = await server.call("figures");
      sums[kind].push({ p50: lateP50, p99: lateP99, rss });
    }
    await hostile.call("stop");
    const { heapUsed, rss } = await server.call("figures", { collects: true });
    memory.push({ heapUsed, rss });
    const { playing, tick } = await players.call("progress");
    lowest = Math.min(lowest, playing);
    console.log(`turn ${turn + 1}, ${kind}: ${playing} of ${2 * ROOMS} play, tick ${tick}`);
  }

const crowd = await hostile.call("crowd", { target: port, connections: CROWD }, 120);
const crowded = await server.call("figures", { collects: true });
const sent = await hostile.call("stop", {}, 120);
await sleep(2);
const last = await server.call("figures", { collects: true });
const { playing } = await players.call("progress");
lowest = Math.min(lowest, playing);

const mean = (list, of) => list.reduce((sum, one) => sum + of(one), 0) / list.length;
const late = Object.fromEntries(
  Object.entries(sums).map(([kind, list]) => [
    kind,
    { p50: mean(list, ({ p50 }) => p50), p99: mean(list, ({ p99 }) => p99) },
  ]),
);
console.table({
  control: { "p50 ms": rounded(late.control.p50), "p99 ms": rounded(late.control.p99) },
  attacked: { "p50 ms": rounded(late.attacked.p50), "p99 ms": rounded(late.attacked.p99) },
});
console.log(`Attacks: ${JSON.stringify(sent)}`);
console.log(`Refused: ${JSON.stringify(last.refused)}; errors: ${JSON.stringify(last.errors)}`);
console.log(
  `Heap after each turn, MB: ${memory.map(({ heapUsed }) => rounded(heapUsed / 2 ** 20, 1)).join(", ")}`,
);
console.log(`A crowd of ${CROWD} connections: ${crowd} were open, ${crowded.connections} of them admitted`);

if (process.argv.includes("--json"))
  console.log(
    JSON.stringify({
      bench: "attack",
      lateP50: rounded(late.attacked.p50 / late.control.p50, 3),
      lateP99: rounded(late.attacked.p99 / late.control.p99, 3),
      p99Ms: { control: rounded(late.control.p99), attacked: rounded(late.attacked.p99) },
      playing: lowest,
      of: 2 * ROOMS,
      rssMb: {
        first: rounded(memory[0].rss / 2 ** 20, 1),
        most: rounded(Math.max(...sums.attacked.map(({ rss }) => rss)) / 2 ** 20, 1),
        last: rounded(last.rss / 2 ** 20, 1),
      },
      attacks: Object.values(sent).reduce((sum, value) => sum + value, 0),
    }),
  );
process.exit(lowest < 2 * ROOMS || last.errors.length > 0 ? 1 : 0);
