// `npm run soak -- [ticks] [seed] [minutes] [hours] [rounds]`: ten million ticks, an hour of peers, an hour of servers, a day of rooms and
// one round of all games with upheavals by default. Exits with status 1 if the runs differ, memory grows or a network game breaks a law.
import { SCENES } from "../../scenes/index.js";
import { used } from "./memory.js";
import { soakNetplay, soakServers, soakUpheavals } from "./netplay.js";
import { soakRooms } from "./rooms.js";
import { soak } from "./soak.js";

const TICKS = Number(process.argv[2] ?? 10_000_000);
const SEED = process.argv[3] ?? "soak";
const MINUTES = Number(process.argv[4] ?? 60);
const HOURS = Number(process.argv[5] ?? 24);
const ROUNDS = Number(process.argv[6] ?? 1);
const LINES = 20;
/** Megabytes by which the heap may grow from the first line to the last; and those of rooms, in all hours. */
const MAX_GROWTH = 2;
const MAX_ROOMS_GROWTH = 3;

console.log(`Orbit, ${TICKS} ticks, seed ${SEED}`);
const heaps: number[] = [];
const start = performance.now();
let next = TICKS / LINES;
const { fault, again, disturbances, hash } = soak(SCENES.orbit, TICKS, SEED, (tick) => {
  if (tick < next) return;
  next += TICKS / LINES;
  const { heap, all } = used();
  heaps.push(heap);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${tick} ticks, ${seconds} s, heap ${heap.toFixed(2)} MB, total ${all.toFixed(0)} MB`);
});
console.log(`${again} extra ticks; ${JSON.stringify(disturbances)}`);
console.log(fault ?? `No difference: ${hash}`);
const growth = heaps.at(-1)! - heaps[0]!;
console.log(`The heap grew by ${growth.toFixed(2)} MB`);
if (fault !== undefined || !(growth <= MAX_GROWTH)) process.exitCode = 1;

const say = (text: string): void => console.log(text);
const faults = [...soakNetplay(MINUTES, SEED, say), ...soakServers(MINUTES, SEED, say)];
if (HOURS > 0) {
  const rooms = soakRooms(HOURS, SEED, say);
  faults.push(...rooms.faults);
  console.log(`The heap of rooms grew by ${(1024 * rooms.heapPerHour).toFixed(1)} KB per hour`);
  if (rooms.heapPerHour * HOURS > MAX_ROOMS_GROWTH) faults.push("the memory of rooms grows");
}
faults.push(...soakUpheavals(ROUNDS, SEED, say));
for (const text of faults.slice(0, 20)) console.log(text);
if (faults.length > 0) process.exitCode = 1;
