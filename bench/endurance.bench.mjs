// Whether a server leaks: twenty minutes of real time over real sockets, in which players leave and new rooms open.
import { Child } from "./server-ipc.mjs";
import { compile } from "./server-source.mjs";
import { rounded } from "./rounds.mjs";

const isQuick = process.argv.includes("--quick");
const ROOMS = 10;
const MINUTES = isQuick ? 0.5 : 20;
/** Seconds between two new rooms, and between two samples of the heap. */
const CHANGE_EVERY = 3;
const SAMPLE_EVERY = isQuick ? 3 : 15;
/** Takes new rooms even on a busy machine: this is about memory. */
const LATE_MS = "10000";
/** The part of the time after which samples count: until then, caches fill up. */
const WARM_UP = 0.2;

const folder = await compile();
const server = new Child("server", "attack-target-rooms.mjs", [folder, LATE_MS]);
const players = new Child("players", "attack-players.mjs", [folder]);
const port = await server.call("port");
await players.call("join", { port, rooms: ROOMS }, 600);

const start = performance.now();
const minutes = () => (performance.now() - start) / 60_000;
const samples = [];
let [sampledAt, changes] = [-Infinity, 0];
while (minutes() < MINUTES) {
  await new Promise((resolve) => setTimeout(resolve, 1000 * CHANGE_EVERY));
  await players.call("join", { port, rooms: 1 }, 600);
  await players.call("leave", { rooms: 1 });
  changes++;
  if (60 * (minutes() - sampledAt) < SAMPLE_EVERY) continue;
  sampledAt = minutes();
  const { heapUsed, rss, rooms, connections, errors } = await server.call("figures", { collects: true });
  samples.push({ minute: sampledAt, heap: heapUsed / 1024, rss: rss / 1024 });
  if (samples.length % 8 === 1)
    console.log(
      `${sampledAt.toFixed(1)} min: heap ${(heapUsed / 2 ** 20).toFixed(2)} MB, RSS ${(rss / 2 ** 20).toFixed(1)} MB, ${rooms} rooms, ${connections} connections`,
    );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}
// The newest ones may still be joining.
let playing = 0;
for (let attempt = 0; attempt < 30 && playing < 2 * ROOMS; attempt++) {
  ({ playing } = await players.call("progress"));
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

/** The slope of the line through the later samples, by least squares. */
function slope(of) {
  const late = samples.filter(({ minute }) => minute > WARM_UP * MINUTES);
  const mean = (value) => late.reduce((sum, sample) => sum + value(sample), 0) / late.length;
  const [x, y] = [mean(({ minute }) => minute), mean(of)];
  return mean((one) => (one.minute - x) * (of(one) - y)) / mean((one) => (one.minute - x) ** 2);
}
const result = {
  bench: "endurance",
  minutes: rounded(minutes(), 1),
  rooms: ROOMS + changes,
  playing,
  heapKbPerMinute: rounded(
    slope(({ heap }) => heap),
    2,
  ),
  rssKbPerMinute: rounded(
    slope(({ rss }) => rss),
    1,
  ),
};
console.log(
  `The heap grows by ${result.heapKbPerMinute} KB per minute, the process by ${result.rssKbPerMinute} KB`,
);
if (process.argv.includes("--json")) console.log(JSON.stringify(result));
process.exit(playing === 2 * ROOMS ? 0 : 1);
