// Times frames of loops, in a process of its own, and prints what it measured as JSON: `node loop-rounds.mjs SET`.
import * as contender from "./contenders.mjs";
import { game, gameByHand } from "./game.mjs";
import { bytesPerCall } from "./heap.mjs";
import { interleave } from "./rounds.mjs";

const FRAMES = 10_000;
const ROUNDS = { warmUp: 20, rounds: Number(process.argv[3] ?? 31) };

const inputs = frameTimes();
const sink = new Float64Array(2);

const { ours, oursWithCosts, handWritten } = contender;
// A game has loops of one kind: the engine is not to see two in the same code.
const sets = {
  plain: async () => [
    ours,
    handWritten,
    await contender.mainloop(),
    await contender.pixi(),
    await contender.babylon(),
  ],
  raw: () => [ours, handWritten],
  game: () => [game, gameByHand],
  costs: () => [oursWithCosts, contender.handWrittenWithReadings(FRAMES)],
};
const contenders = await sets[process.argv[2]]();
console.log(JSON.stringify({ frames: FRAMES, results: await measure(contenders) }));

/** Each contender's milliseconds, round by round, and bytes a frame. */
async function measure(contenders) {
  const runners = contenders.map(runner);
  const times = interleave(runners, ROUNDS);
  const results = {};
  for (const [i, { crank }] of runners.entries())
    results[contenders[i].name] = {
      times: [...times[i]],
      bytes: await bytesPerCall(crank, contenders[i].heapFrames ?? 1_000_000),
    };
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
  // As Chrome gives them: those of a 60 Hz display, rounded down to 0.1 ms.
  const displayStamps = stamps.map((_, i) => Math.floor(((i + 1) * 10_000) / 60 + 1e-6) / 10);
  const milliseconds = stamps.map((stamp, i) => stamp - (stamps[i - 1] ?? 0));
  const seconds = milliseconds.map((time) => time / 1e3);
  return {
    stamps: boxed(stamps),
    displayStamps: boxed(displayStamps),
    milliseconds: boxed(milliseconds),
    seconds: boxed(seconds),
  };
}

/**
 * A browser hands a callback a number that is an object already. Something else in the array makes
 * the engine hold the numbers as objects too, so that handing them over allocates nothing.
 */
function boxed(numbers) {
  return [...numbers, "end"];
}

/** What calls a frame, as the browser does: one call site for all, so that no frame is inlined into it. */
function crankFrames(frame, input, from, to) {
  for (let i = from; i < to; i++) frame(input[i]);
}

/** One of a contender, with one step and one render, as a game has them. */
function runner({ name, input, step, render, create }) {
  const calls = new Uint32Array(2);
  const { frame, prepare } = create(callback(...step, calls, 0), callback(...render, calls, 1));
  const crank = (frames) => {
    for (let left = frames; left > 0; left -= FRAMES) {
      prepare?.();
      crankFrames(frame, inputs[input], 0, Math.min(left, FRAMES));
    }
  };
  // That it does the same work as the others: one step and one render a frame.
  prepare?.();
  calls.fill(0);
  crankFrames(frame, inputs[input], 0, FRAMES);
  if (calls[0] !== FRAMES || calls[1] !== FRAMES)
    throw new Error(`${name}: ${calls[0]} steps and ${calls[1]} renders in ${FRAMES} frames.`);
  return { crank, run: () => crank(FRAMES) };
}

/** A callback of its own code. Writes into arrays, as a double kept in a closure's variable is allocated anew. */
function callback(parameters, value, calls, index) {
  const code = `return (${parameters}) => { sink[${index}] += ${value}; calls[${index}]++; };`;
  return new Function("sink", "calls", code)(sink, calls);
}
