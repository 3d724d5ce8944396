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
const MAX_OPEN = 500;
const CROWD = 10_000;

const folder = await compile();
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const megabytes = (bytes) => rounded(bytes / 2 ** 20, 1);

/** Attacks a server. Returns what honest players noticed, and what it cost. */
async function attack(name, serverFile, join) {
  const server = new Child(name, serverFile, [folder]);
  const dummy = new Child("dummy", "attack-dummy.mjs", []);
  const players = new Child("players", "attack-players.mjs", [folder]);
  const hostile = new Child("attackers", "attack-hostile.mjs", []);
  const [port, dummyPort] = [await server.call("port"), await dummy.call("port")];
  const roomId = await players.call(join, { port, rooms: ROOMS });
  await sleep(isQuick ? 2 : 5);

  const seconds = { control: [], attacked: [] };
  const memory = [];
  let playing = Infinity;
  const look = async () => {
    const progress = await players.call("progress");
    playing = Math.min(playing, progress.playing);
    return progress;
  };
  for (let turn = 0; turn < TURNS; turn++)
    for (const kind of turn % 2 === 0 ? ["control", "attacked"] : ["attacked", "control"]) {
      await hostile.call("start", {
        target: kind === "attacked" ? port : dummyPort,
        isCounted: kind === "attacked",
        roomId: roomId ?? undefined,
        perSecond: PER_SECOND,
        maxOpen: MAX_OPEN,
      });
      await sleep(2);
      for (let second = 0; second < SECONDS; second++) {
        await sleep(1);
        seconds[kind].push(await server.call("figures"));
      }
      await hostile.call("stop");
      memory.push(await server.call("figures", { collects: true }));
      const { tick } = await look();
      console.log(`${name}, turn ${turn + 1}, ${kind}: ${playing} of ${2 * ROOMS} play, tick ${tick}`);
    }
  const crowd = await hostile.call("crowd", { target: port, connections: CROWD }, 120);
  const crowded = await server.call("figures", { collects: true });
  const { sent, entered } = await hostile.call("stop", {}, 120);
  await sleep(2);
  const last = await server.call("figures", { collects: true });
  await look();
  for (const child of [server, dummy, players, hostile]) child.kill();

  const late = (kind, figure) => mean(seconds[kind].map((second) => second[figure]));
  const lateOf = (kind) => ({
    "p50 ms": rounded(late(kind, "lateP50")),
    "p99 ms": rounded(late(kind, "lateP99")),
  });
  console.table({ control: lateOf("control"), attacked: lateOf("attacked") });
  console.log(`Attacks: ${JSON.stringify(sent)}${roomId ? `; the room let ${entered} attackers in` : ""}`);
  console.log(`Refused: ${JSON.stringify(last.refused)}; errors: ${JSON.stringify(last.errors)}`);
  console.log(`Heap after each turn, MB: ${memory.map(({ heapUsed }) => megabytes(heapUsed)).join(", ")}`);
  console.log(
    `A crowd of ${CROWD} connections: ${crowd} were open, ${crowded.connections} of them admitted\n`,
  );
  return {
    hasFailed: playing < 2 * ROOMS || last.errors.length > 0,
    figures: {
      lateP50: rounded(late("attacked", "lateP50") / late("control", "lateP50"), 3),
      lateP99: rounded(late("attacked", "lateP99") / late("control", "lateP99"), 3),
      p99Ms: { control: rounded(late("control", "lateP99")), attacked: rounded(late("attacked", "lateP99")) },
      playing,
      of: 2 * ROOMS,
      rssMb: {
        first: megabytes(memory[0].rss),
        most: megabytes(Math.max(...seconds.attacked.map(({ rss }) => rss))),
        last: megabytes(last.rss),
      },
      attacks: Object.values(sent).reduce((sum, value) => sum + value, 0),
    },
  };
}

const rooms = await attack("room server", "attack-target-rooms.mjs", "join");
const colyseus = await attack("Colyseus", "attack-target-colyseus.mjs", "joinColyseus");
if (process.argv.includes("--json"))
  console.log(JSON.stringify({ bench: "attack", ...rooms.figures, colyseus: colyseus.figures }));
process.exit(rooms.hasFailed || colyseus.hasFailed ? 1 : 0);
