// Prints the files of the package that one steady frame of the README's first program executes, as V8's coverage counts them.
import { Session } from "node:inspector/promises";

/** @type {((timestamp: number) => void) | undefined} */
let frame;
Object.assign(globalThis, {
  requestAnimationFrame: (/** @type {(timestamp: number) => void} */ callback) =>
    ((frame = callback), 1),
  cancelAnimationFrame() {},
});
const { Loop, display } = await import("tickwise");
const { scalar, smooth } = await import("tickwise/blend");

const ship = { x: 0 };
let drawn = 0;
const loop = new Loop({
  rate: 60,
  step: ({ dt }) => void (ship.x += 100 * dt),
  render: () => void (drawn = shown.x),
});
const shown = smooth(loop, ship, { x: scalar });
loop.start(display());

let time = 0;
const run = () => frame?.((time += 1000 / 60));
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
for (let i = 0; i < 600; i++) run();
await session.post("Profiler.takePreciseCoverage");
const before = drawn;
run();
const { result } = await session.post("Profiler.takePreciseCoverage");
const files = result
  .filter(
    ({ url, functions }) =>
      url.includes("/dist/") && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  )
  .map(({ url }) => url.replace(/^.*\/dist\//, ""));
console.log(JSON.stringify({ files, moved: drawn - before }));
