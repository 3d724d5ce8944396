// Runs a loop in a process of its own and prints the result: `node child.mjs '{ "driver": {…}, "rate": 60, "frames": 30 }'`.
// With "gap", it first runs until two frames are that many seconds apart.
import { Loop } from "tickwise";
import { nodeDriver } from "tickwise/node";

const { driver, rate, frames, gap = 0 } = JSON.parse(process.argv[2] ?? "");
const inner = nodeDriver(driver);
/** @type {number[]} */
const stamps = [];
let longest = 0;

const loop = new Loop({
  rate,
  driver: {
    now: () => inner.now(),
    stop: () => inner.stop(),
    start: (frame, host) =>
      inner.start((stamp) => {
        longest = Math.max(longest, (stamp - (stamps.at(-1) ?? stamp)) / 1000);
        stamps.push(stamp);
        frame(stamp);
        if (stamps.length === 10) process.stdout.write("running\n");
        if (stamps.length >= frames && longest >= gap) end();
      }, host),
  },
});
loop.start();

function end() {
  loop.stop();
  const { steps, lostSeconds, overloads } = loop.stats;
  console.log(JSON.stringify({ stamps, steps, lost: lostSeconds, overloads }));
  // Nothing more: the process must end by itself.
}
