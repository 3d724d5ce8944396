// Runs a loop in a process of its own and prints the result: `node child.mjs '{ "timer": {…}, "rate": 60, "frames": 30 }'`.
// With "gap", it first runs until two frames are that many seconds apart.
import { Loop, measure } from "tickwise";
import { nodeTimer } from "tickwise/node";

const { timer, rate, frames, gap = 0 } = JSON.parse(process.argv[2] ?? "");
/** @type {number[]} */
const stamps = [];
/** @type {number[]} */
const deltas = [];
let longest = 0;

const loop = new Loop({ rate });
const figures = measure(loop);
loop.on("afterRender", () => {
  const { timestamp, realDelta } = loop.frame;
  longest = Math.max(longest, (timestamp - (stamps.at(-1) ?? timestamp)) / 1000);
  stamps.push(timestamp);
  deltas.push(realDelta);
  if (stamps.length === 10) process.stdout.write("running\n");
  if (stamps.length >= frames && longest >= gap) end();
});
loop.start(nodeTimer(timer));

function end() {
  loop.stop();
  const { steps, overloads } = figures;
  console.log(JSON.stringify({ stamps, deltas, steps, lost: loop.lostSeconds, overloads }));
  // Nothing more: the process must end by itself.
}
