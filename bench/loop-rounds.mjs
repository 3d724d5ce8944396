// Times frames of loops in a process of its own and prints the results as JSON: `node loop-rounds.mjs SET [ROUNDS]`.
import * as contender from "./contenders.mjs";
import { game, gameByHand, gameByHandUnblended, gameUnblended } from "./game.mjs";
import { bytesPerCall } from "./heap.mjs";
import { interleave } from "./rounds.mjs";

const FRAMES = 10_000;
const ROUNDS = { warmUp: 20, rounds: Number(process.argv[3] ?? 31) };

const inputs = frameTimes();
const sink = new Float64Array(2);

const { ours, oursWithCosts, handWritten } = contender;
// One kind of loop per process, as in a game: the engine must not see two kinds in the same code.
const sets = {
  plain: async () => [
    ours,
    handWritten,
    await contender.mainloop(),
    await contender.pixi(),
    await contender.babylon(),
  ],
  game: () => [game, gameByHand],
  unblended: () => [gameUnblended, gameByHandUnblended],
  costs: () => [oursWithCosts, contender.handWrittenWithReadings(FRAMES)],
};
const contenders = await sets[process.argv[2]]();
console.log(JSON.stringify({ frames: FRAMES, results: await measure(contenders) }));

/** Returns each contender's milliseconds, round by round, and its bytes per frame. */
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

/** Returns the frames of a 60 Hz display, up to 0.5 ms early or late, for FRAMES / 60 s. */
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
 * Boxes numbers: a browser passes a number that is already on the heap. The text in the array makes the engine store the
 * numbers as heap objects, so that passing them allocates nothing.
 */
function boxed(numbers) {
  return [...numbers, "end"];
}

/** Calls frames as the browser does: one call site for all, so that no frame is inlined into it. */
function crankFrames(frame, input, from, to) {
  for (let i = from; i < to; i++) frame(input[i]);
}

/** Creates a contender with one step and one render, as in a game. */
function runner({ name, input, step, render, create, slack = 0 }) {
  const calls = new Uint32Array(2);
  const { frame, prepare } = create(callback(...step, calls, 0), callback(...render, calls, 1));
  const crank = (frames) => {
    for (let left = frames; left > 0; left -= FRAMES) {
      prepare?.();
      crankFrames(frame, inputs[input], 0, Math.min(left, FRAMES));
    }
  };
  // Check that it does the same work as the others: one step and one render per frame.
  prepare?.();
  calls.fill(0);
  crankFrames(frame, inputs[input], 0, FRAMES);
  if (Math.abs(calls[0] - FRAMES) > slack || calls[1] !== FRAMES)
    throw new Error(`${name}: ${calls[0]} steps and ${calls[1]} renders in ${FRAMES} frames.`);
  return { crank, run: () => crank(FRAMES) };
}

/** Creates a callback with code of its own. It writes into arrays, as a double in a closure's variable is allocated. */
function callback(parameters, value, calls, index) {
  const code = `return (${parameters}) => { sink[${index}] += ${value}; calls[${index}]++; };`;
  return new Function("sink", "calls", code)(sink, calls);
}
