// The cost of recording: bytes per tick, and time over the bare steps of a pile of a thousand balls.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bytesPerCall } from "./heap.mjs";
import { compare, interleave, rounded } from "./rounds.mjs";

/** A quick look: `npm run bench -- replay --short`. */
const isShort = process.argv.includes("--short");
// By what the processor did, and not by the clock: differences of a hundredth are asked for, and turns are long.
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const ROUNDS = isShort ? { warmUp: 1, rounds: 5, now } : { warmUp: 3, rounds: 61, now };
/** Ticks of the pile in each turn: a keyframe, and ten checkpoints. */
const TICKS = 600;
const HOUR = 3600 * 60;

// The scenes are TypeScript; and simulations are told by their class, so that all comes from one bundle.
const { outputFiles } = await build({
  stdin: {
    contents: `
      export * from "./src/sim/index.js";
      export * from "./src/replay/index.js";
      export { random } from "./src/math/index.js";
      export { f64, layout } from "./src/state/index.js";
      export { SCENES, inputsOf } from "./scenes/index.js";`,
    resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const { axis, button, f64, inputsOf, layout, localSession, random, readReplay, record, replayPlayer } =
  await import(`data:text/javascript;base64,${code}`);
const { SCENES, simulation, verify } = await import(`data:text/javascript;base64,${code}`);

const buttons = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`b${i}`, button]));
/** Two players, 16 buttons and two axes of 8 bits each: a word each. */
const pads = simulation({
  name: "pads",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: f64 }),
  input: { ...buttons, x: axis(8), y: axis(8) },
  step(world, [a, b]) {
    world.x += a.x - b.y;
  },
});

/** In every tenth tick, by chance, a player presses or releases a button, or moves a stick along an axis. */
function fidgets(seed) {
  const dice = random(new Uint32Array(4)).seed(seed);
  const words = new Uint32Array(2);
  return {
    allPlayers: true,
    sample(all) {
      for (let player = 0; player < 2; player++) {
        if (!dice.chance(0.1)) continue;
        if (dice.chance(0.5)) words[player] ^= 1 << dice.below(16);
        else {
          const shift = 16 + 8 * dice.below(2);
          words[player] = (words[player] & ~(255 << shift)) | (dice.below(256) << shift);
        }
      }
      all.set(words);
    },
  };
}

async function deflatedSize(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

/** Bytes of an hour of inputs, as they are and deflated; chunks with their heads. */
async function sizes() {
  const session = localSession(pads, { inputs: fidgets("an hour") });
  const recorder = record(session, { checkpoints: 0, keyframes: 0 });
  const empty = recorder.take().length;
  session.skip(HOUR);
  const inputs = recorder.take();
  const replay = readReplay(recorder.bytes());
  if (replay.last !== HOUR || empty === 0) throw new Error(`recorded ${replay.last} ticks`);
  return {
    bytesPerTick: inputs.length / HOUR,
    compressedBytesPerTick: (await deflatedSize(inputs)) / HOUR,
  };
}

/** The most steps that a seek took, anywhere in an hour with a keyframe every ten seconds. */
function seekSteps() {
  const session = localSession(pads, { inputs: fidgets("an hour") });
  const recorder = record(session);
  session.skip(HOUR);
  const player = replayPlayer(pads, readReplay(recorder.bytes()), { rewind: false });
  let steps = 0;
  player.on("confirmed", () => steps++);
  const dice = random(new Uint32Array(4)).seed("seek");
  let most = 0;
  for (let i = 0; i < 2000; i++) {
    steps = 0;
    player.seek(dice.below(HOUR + 1));
    most = Math.max(most, steps);
  }
  return most;
}

/** What recording leaves on the heap in a tick, beside what a session does. */
async function allocated() {
  const measure = async (isRecorded) => {
    const session = localSession(pads, { inputs: fidgets("heap") });
    if (isRecorded) record(session, { keyframes: 0 });
    session.skip(5000);
    return bytesPerCall((ticks) => session.skip(ticks), 20_000);
  };
  return (await measure(true)) - (await measure(false));
}

const { balls } = SCENES;
const pile = () => localSession(balls.simulation, { inputs: inputsOf(balls) });
const source = pile();
const recorder = record(source);
source.skip(TICKS);
const replay = readReplay(await recorder.save());
source.dispose();

const contenders = {
  bare() {
    const session = pile();
    session.skip(TICKS);
    session.dispose();
  },
  recorded() {
    const session = pile();
    record(session);
    session.skip(TICKS);
    session.dispose();
  },
  verified() {
    const { message } = verify(balls.simulation, replay);
    if (message) throw new Error(message);
  },
};

/**
 * Returns the milliseconds that recording adds to a tick of the pile: a recorder is given confirmed ticks without any step,
 * and takes hashes and states of a real session. That is far below the difference between two runs of the same steps.
 */
function recordingAlone() {
  const session = pile();
  session.skip(TICKS);
  const words = new Uint32Array(1);
  let tick = session.tick;
  let listener;
  record({
    simulation: balls.simulation,
    seed: 0,
    get tick() {
      return tick;
    },
    get confirmed() {
      return tick;
    },
    hash: (out) => session.hash(out),
    bytes: () => session.bytes(),
    on(event, listens) {
      if (event === "confirmed") listener = listens;
      return () => {};
    },
  });
  const confirmed = { tick, words, hash: (out) => session.hash(out), bytes: () => session.bytes() };
  const dice = random(new Uint32Array(4)).seed("alone");
  let best = Infinity;
  for (let round = 0; round < 20; round++) {
    const begin = performance.now();
    for (let i = 0; i < 10 * TICKS; i++) {
      if (i % 5 === 0) words[0] = dice.u32() & 0x1ffff;
      confirmed.tick = tick++;
      listener(confirmed);
    }
    best = Math.min(best, (performance.now() - begin) / (10 * TICKS));
  }
  session.dispose();
  return best;
}

const [bare, recorded, verified] = interleave(
  Object.entries(contenders).map(([name, run]) => ({ name, run })),
  ROUNDS,
);
const over = { "recorded, both as a whole": compare(recorded, bare), verified: compare(verified, bare) };
// Disturbances only add to a time, so the minimum is the best estimate.
const best = (times) => Math.min(...times);
const verifyOverBareSteps = rounded(best(verified) / best(bare), 3);
const alone = recordingAlone();
const recordOverBareSteps = rounded(1 + alone / (best(bare) / TICKS), 4);

const { bytesPerTick, compressedBytesPerTick } = await sizes();
const leftOnHeap = rounded(await allocated(), 1);
const mostSteps = seekSteps();
console.log(`A pile of a thousand balls, ${TICKS} ticks, over its bare steps: ${ROUNDS.rounds} rounds`);
console.table(
  Object.fromEntries(
    Object.entries(over).map(([name, { p25, median, p75 }]) => [
      name,
      { median: rounded(median, 3), "25 to 75 %": `${rounded(p25, 3)} to ${rounded(p75, 3)}` },
    ]),
  ),
);
console.log(`Verified, minimum over minimum: ${verifyOverBareSteps}`);
console.log(`Recording adds ${rounded(alone * 1e6, 0)} ns to a tick by itself: ${recordOverBareSteps}`);
console.log("An hour of two players, each changing something about every ten ticks; bytes a tick:");
console.table({ "as it is": rounded(bytesPerTick, 3), deflated: rounded(compressedBytesPerTick, 3) });
console.log(
  `Left on the heap by recording, a tick: ${leftOnHeap} bytes, its chunks included. Most steps of a seek: ${mostSteps}.`,
);

if (process.argv.includes("--json"))
  console.log(
    JSON.stringify({
      bench: "replay",
      bytesPerTick: rounded(bytesPerTick, 3),
      compressedBytesPerTick: rounded(compressedBytesPerTick, 3),
      verifyOverBareSteps,
      recordOverBareSteps,
      heapBytesPerTick: leftOnHeap,
      seekSteps: mostSteps,
    }),
  );
