// A loop in a process of its own: `node child.mjs '{ "driver": {…}, "rate": 60, "seconds": 2 }'` prints what it did.
import { Loop } from "tickwise";
import { nodeDriver } from "tickwise/node";

const { driver, rate, seconds } = JSON.parse(process.argv[2] ?? "");
/** @type {number[]} */
const overloads = [];
let others = 0;
let first = 0;
let last = 0;

const loop = new Loop({
  rate,
  driver: nodeDriver(driver),
  render() {
    last = performance.now();
    first ||= last;
    if (last - first >= seconds * 1000) end();
  },
});
loop.on("overload", ({ lost }) => overloads.push(lost));
// What else the event loop has to do.
const other = setInterval(() => others++, 10);
loop.start();
process.stdout.write("started\n");

function end() {
  loop.stop();
  clearInterval(other);
  const { frames, steps, lostSeconds } = loop.stats;
  const elapsed = (last - first) / 1000;
  console.log(JSON.stringify({ frames, steps, lost: lostSeconds, overloads, elapsed, others }));
  // And nothing more: the process must end by itself.
}
