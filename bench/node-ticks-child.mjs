// Ticks for some seconds in a process of its own and prints how late each tick was: `node node-ticks-child.mjs NAME RATE SECONDS`.
import { Loop } from "../dist/index.js";
import { nodeTimer } from "../dist/loop/drivers/node.js";

const [name = "", rateText, secondsText] = process.argv.slice(2);
const rate = Number(rateText);
const seconds = Number(secondsText);
const period = 1000 / rate;

/** The error of each tick, in microseconds. */
const lateness = new Float64Array(Math.ceil(2 * rate * seconds));
let ticks = 0;
let usage = process.cpuUsage();
let start = performance.now();

/** Each starts to call `tick` with the time at which it was due, and returns the function that ends it. */
const contenders = {
  low: ours,
  high: ours,
  exclusive: ours,
  setInterval() {
    const timer = setInterval(() => tick(start + (ticks + 1) * period), period);
    return () => clearInterval(timer);
  },
  /** The usual loop of web pages. */
  setTimeout() {
    let timer = setTimeout(next, period);
    function next() {
      timer = setTimeout(next, period);
      tick(start + (ticks + 1) * period);
    }
    return () => clearTimeout(timer);
  },
};

function ours() {
  const loop = new Loop({ rate, step: () => tick(loop.frame.timestamp) });
  loop.start(nodeTimer({ precision: name }));
  return () => loop.stop();
}

function tick(due) {
  const now = performance.now();
  lateness[ticks++] = Math.abs(now - due) * 1000;
  if (now - start < seconds * 1000) return;
  end();
  const elapsed = now - start;
  const { user, system } = process.cpuUsage(usage);
  const sorted = lateness.subarray(0, ticks).sort();
  const at = (part) => sorted[Math.round(part * (ticks - 1))];
  const cpu = (user + system) / 1000 / elapsed;
  console.log(
    JSON.stringify({ p50: at(0.5), p99: at(0.99), max: at(1), cpu, ticks, wanted: (elapsed * rate) / 1000 }),
  );
}

// After the engine has warmed up.
let end = () => {};
setTimeout(() => {
  usage = process.cpuUsage();
  start = performance.now();
  end = contenders[name]();
}, 200);
