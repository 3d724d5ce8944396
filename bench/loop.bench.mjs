import * as contender from "./contenders.mjs";
import { bytesPerCall } from "./heap.mjs";
import { compare, interleave, rounded, spread } from "./rounds.mjs";

const FRAMES = 10_000;
const INSTANCES = 5;
const ROUNDS = { warmUp: 20, rounds: 121 };

const inputs = frameTimes();
const sink = new Float64Array(2 * INSTANCES);

const { ours, oursWithCosts, handWritten } = contender;
const mainloop = await contender.mainloop();
const pixi = await contender.pixi();
const babylon = await contender.babylon();
const plain = await measure([ours, handWritten, mainloop, pixi, babylon]);

// Only now, as a game has loops of one kind: the engine is not to see both in the same code before.
const handWrittenWithReadings = contender.handWrittenWithReadings(countReadings());
const timed = await measure([oursWithCosts, handWrittenWithReadings]);

const ratios = {
  vsHandWritten: compare(plain.get(ours).times, plain.get(handWritten).times),
  withCosts: compare(timed.get(oursWithCosts).times, timed.get(handWrittenWithReadings).times),
  vsMainloop: compare(plain.get(ours).times, plain.get(mainloop).times),
  vsPixi: compare(plain.get(ours).times, plain.get(pixi).times),
  vsBabylon: compare(plain.get(ours).times, plain.get(babylon).times),
};

console.log(`A frame with one step: median of ${ROUNDS.rounds} rounds of ${INSTANCES * FRAMES} frames`);
console.table(
  table([...plain, ...timed], ([{ name }, { times, bytes }]) => [
    name,
    {
      nanoseconds: rounded((spread(times).median * 1e6) / (INSTANCES * FRAMES), 1),
      bytes: rounded(bytes),
    },
  ]),
);
console.log("Our cost over theirs");
console.table(
  table(Object.entries(ratios), ([name, { p25, median, p75 }]) => [
    name,
    { p25: rounded(p25), median: rounded(median), p75: rounded(p75) },
  ]),
);
if (process.argv.includes("--json")) {
  const medians = table(Object.entries(ratios), ([name, { median }]) => [name, rounded(median)]);
  console.log(JSON.stringify({ bench: "loop", bytesPerFrame: rounded(plain.get(ours).bytes), ...medians }));
}

function table(rows, toEntry) {
  return Object.fromEntries(rows.map(toEntry));
}

/** Each contender's milliseconds, round by round, and bytes a frame. */
async function measure(contenders) {
  contenders.forEach(check);
  const runners = contenders.map(runner);
  const times = interleave(runners, ROUNDS);
  const results = new Map();
  for (const [i, { crank }] of runners.entries())
    results.set(contenders[i], { times: times[i], bytes: await bytesPerCall(crank, 1_000_000) });
  return results;
}

/** A 60 Hz display whose frames come up to 0.5 ms early or late; whole, it lasts FRAMES / 60 s. */
function frameTimes() {
  const stamps = new Float64Array(FRAMES);
  let seed = 1;
  for (let i = 0; i < FRAMES; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const jitter = i < FRAMES - 1 ? seed / 2 ** 32 - 0.5 : 0;
    stamps[i] = ((i + 1) * 1000) / 60 + jitter;
  }
  const milliseconds = stamps.map((stamp, i) => stamp - (stamps[i - 1] ?? 0));
  const seconds = milliseconds.map((time) => time / 1e3);
  return { stamps: boxed(stamps), milliseconds: boxed(milliseconds), seconds: boxed(seconds) };
}

/**
 * A browser hands a callback a number that is an object already. Something else in the array makes
 * the engine hold the numbers as objects too, so that handing them over allocates nothing.
 */
function boxed(numbers) {
  return [...numbers, "end"];
}

/** What calls a frame, as the browser does: one call site for all, so that nothing is inlined. */
function crankFrames(frame, input, from, to) {
  for (let i = from; i < to; i++) frame(input[i]);
}

/**
 * Five of a contender, each with callbacks of its own code: the loop's call sites then see several,
 * and cannot inline them, as they could not a game's.
 */
function runner({ input, step, render, create }) {
  const instances = Array.from({ length: INSTANCES }, (_, i) =>
    create(callback(...step, 2 * i), callback(...render, 2 * i + 1)),
  );
  const crank = (frames, { frame, prepare } = instances[0]) => {
    for (let left = frames; left > 0; left -= FRAMES) {
      prepare?.();
      crankFrames(frame, inputs[input], 0, Math.min(left, FRAMES));
    }
  };
  return { crank, run: () => instances.forEach((instance) => crank(FRAMES, instance)) };
}

/** Writes into an array, as a double kept in a variable of a closure is allocated anew each time. */
function callback(parameters, value, slot) {
  return new Function("sink", `return (${parameters}) => { sink[${slot}] += ${value}; };`)(sink);
}

/** That it does the same work as the others: one step and one render a frame. */
function check({ name, input, create }) {
  let steps = 0;
  let renders = 0;
  const { frame, prepare } = create(
    () => void steps++,
    () => void renders++,
  );
  prepare?.();
  steps = renders = 0;
  crankFrames(frame, inputs[input], 0, FRAMES);
  if (steps !== FRAMES || renders !== FRAMES)
    throw new Error(`${name}: ${steps} steps and ${renders} renders in ${FRAMES} frames.`);
}

/** Clock readings that our loop makes a frame with `costs: true`. */
function countReadings() {
  const before = contender.readings[0];
  check(oursWithCosts);
  return Math.round((contender.readings[0] - before) / FRAMES);
}
