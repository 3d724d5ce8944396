// What a state costs: saving, loading, hashing and blending one buffer, over a plain copy of the same bytes; and a step
// over rows, over the same step with plain objects.
import snapshots from "@geckos.io/snapshot-interpolation";
import { layout, list, table, f64, u32, u8, LIVE } from "../dist/state/index.js";
import { bytesPerCall } from "./heap.mjs";
import { compare, interleave, rounded, spread } from "./rounds.mjs";
import { ROWS_PER_CALL, rowSteps } from "./rows.mjs";

const ROUNDS = { warmUp: 20, rounds: 61 };
/** What one turn of a contender copies in all, so that all turns take about as long. */
const BYTES = 64e6;
const RING = 8;
const KERNELS = ["wasm", "js"];

/** A thousand things of a game: 65 KB. */
const Game = layout({
  score: u32,
  things: table(1000, {
    x: f64.lerp,
    y: f64.lerp,
    heading: f64.angle,
    vx: f64,
    vy: f64,
    hp: u32,
    kind: u8,
  }),
});
/** What is blended, alone: the bytes of the result are those of a plain copy. */
const shown = (rows) => layout({ things: list(rows, { x: f64.lerp, y: f64.lerp, heading: f64.angle }) });
/** 100 KB, of which all must be looked at for NaN. */
const Numbers = layout({ numbers: list(12_800, f64) });

/** Plain copies between one place in a buffer and several others in turn, at multiples of 64 bytes, as a state's lie. */
function copier(bytes, places, isLoad = false) {
  const size = Math.ceil(bytes / 64) * 64;
  const buffer = new ArrayBuffer(size * (places + 1));
  const [one, ...others] = Array.from(
    { length: places + 1 },
    (_, i) => new Uint8Array(buffer, i * size, bytes),
  );
  for (const part of [one, ...others]) for (let i = 0; i < bytes; i += 8) part[i] = i;
  if (isLoad) return (i) => one.set(others[i % places]);
  return (i) => others[i % places].set(one);
}

const contenders = {};
const turns = {};
/** A contender whose call takes about as long as copying so many bytes so many times. */
function add(name, bytes, weight, call) {
  const calls = Math.max(1, Math.round(BYTES / bytes / weight));
  turns[name] = { calls, call };
  contenders[name] = () => {
    for (let i = 0; i < calls; i++) call(i);
  };
}

function fill(state) {
  const { things } = state.world;
  for (let i = 0; i < 1000; i++)
    things.add({ x: i / 3, y: i, heading: i / 7, vx: 1, vy: 2, hp: i, kind: i % 5 });
  return state;
}

const { size } = Game;
add("copy", size, 1, copier(size, RING));
add("copy back", size, 1, copier(size, RING, true));
const games = Object.fromEntries(KERNELS.map((kernels) => [kernels, fill(Game.allocate(RING, { kernels }))]));
for (const kernels of KERNELS) {
  const state = games[kernels];
  add(`save ${kernels}`, size, 1, (i) => state.save(i % RING));
  add(`load ${kernels}`, size, 1, (i) => state.load(i % RING));
  add(`blend of the game ${kernels}`, size, 4, (i) => state.blend(2, 0, LIVE, alphas[i % alphas.length]));
}
const things = Array.from({ length: 1000 }, (_, i) => ({
  id: `${i}`,
  x: i / 3,
  y: i,
  heading: i / 7,
  vx: 1,
  vy: 2,
  hp: i,
  kind: i % 5,
}));
add("structuredClone", size, 1000, () => structuredClone({ score: 1, things }));

// Something else in the array makes the engine hold the numbers as objects, so that handing them over allocates nothing.
const alphas = [...Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100), "end"];
alphas.length = 100;
const COUNTS = { "1k": 1_000, "100k": 100_000, "1M": 1_000_000 };
for (const [name, rows] of Object.entries(COUNTS)) {
  // All that is written: the columns, and what a list counts for each row.
  const bytes = shown(rows).size;
  add(`copy ${name}`, bytes, 1, copier(bytes, 2, true));
  for (const kernels of KERNELS) {
    const state = shown(rows).allocate(2, { kernels });
    for (let i = 0; i < rows; i++) {
      state.world.things.x[i] = i / 3;
      state.world.things.heading[i] = i / 7;
    }
    state.save(0);
    for (let i = 0; i < rows; i++) {
      state.world.things.x[i] += 1;
      state.world.things.heading[i] += 0.1;
    }
    add(`blend ${name} ${kernels}`, bytes, kernels === "js" ? 4 : 2, (i) =>
      state.blend(1, 0, LIVE, alphas[i % 100]),
    );
  }
}

const geckos = new snapshots.SnapshotInterpolation(60);
const [before, after] = [0, 1].map((turn) => ({
  id: `${turn}`,
  time: turn * 16,
  state: things.map(({ id, x, y, heading }) => ({ id, x: x + turn, y, heading: heading + turn / 10 })),
}));
add("geckos", 24_000, 5000, (i) => geckos.interpolate(before, after, alphas[i % 100], "x y heading(rad)"));

const numbers = Object.fromEntries(KERNELS.map((kernels) => [kernels, Numbers.allocate(0, { kernels })]));
add("copy 100 KB", Numbers.size, 1, copier(Numbers.size, 2));
const out = [0, 0];
for (const kernels of KERNELS) {
  const state = numbers[kernels];
  for (let i = 0; i < 12_800; i++) state.world.numbers[i] = Math.sin(i) * 100;
  add(`hash ${kernels}`, Numbers.size, kernels === "js" ? 10 : 3, () => state.hash(LIVE, out));
}

for (const [way, step] of Object.entries(rowSteps())) add(`rows as ${way}`, ROWS_PER_CALL * 64, 2, step);

const names = Object.keys(contenders);
const entries = names.map((name) => ({ name, run: contenders[name] }));
const times = Object.fromEntries(
  interleave(entries, ROUNDS).map((list, i) => [names[i], list.map((time) => time / turns[names[i]].calls)]),
);
const over = (name, base) => compare(times[name], times[base]);

const BASES = [
  [/^(save|blend of|structuredClone)/, "copy"],
  [/^load/, "copy back"],
  [/^(blend 1k|geckos)/, "copy 1k"],
  [/^blend 100k/, "copy 100k"],
  [/^blend 1M/, "copy 1M"],
  [/^hash/, "copy 100 KB"],
  [/^rows/, "rows as objects"],
];
const rows = {};
for (const name of names) {
  const base = BASES.find(([pattern]) => pattern.test(name))?.[1] ?? name;
  const { p25, median, p75 } = over(name, base);
  rows[name] = {
    "µs a call": rounded(spread(times[name]).median * 1e3),
    "over a copy, or objects": rounded(median),
    "25 to 75 %": `${rounded(p25)} to ${rounded(p75)}`,
  };
}
const allocated = {};
for (const name of [
  "save wasm",
  "load wasm",
  "blend of the game wasm",
  "hash wasm",
  "save js",
  "rows as cursors",
])
  allocated[name] = rounded(
    await bytesPerCall((count) => {
      for (let i = 0; i < count; i++) turns[name].call(i);
    }, 4_000),
    0,
  );
console.log(`A state of ${size} bytes, 1,000 things: medians of ${ROUNDS.rounds} rounds`);
console.table(rows);
console.log("Bytes that a call leaves on the heap:", allocated);

if (process.argv.includes("--json")) {
  const ratio = (name, base) => rounded(over(name, base).median);
  const blend = (kernels) =>
    Object.fromEntries(
      Object.keys(COUNTS).map((name) => [name, ratio(`blend ${name} ${kernels}`, `copy ${name}`)]),
    );
  console.log(
    JSON.stringify({
      bench: "state",
      saveVsCopy: ratio("save wasm", "copy"),
      loadVsCopy: ratio("load wasm", "copy back"),
      bytesPerSave: allocated["save wasm"],
      blendVsCopy: blend("wasm"),
      hashVsCopy: ratio("hash wasm", "copy 100 KB"),
      cursorsVsObjects: ratio("rows as cursors", "rows as objects"),
      cursorsVsColumns: ratio("rows as cursors", "rows as columns"),
      vsStructuredClone: rounded(over("structuredClone", "save wasm").median, 0),
      vsGeckos: rounded(over("geckos", "blend 1k wasm").median, 0),
      js: {
        saveVsCopy: ratio("save js", "copy"),
        loadVsCopy: ratio("load js", "copy back"),
        blendVsCopy: blend("js"),
        hashVsCopy: ratio("hash js", "copy 100 KB"),
      },
    }),
  );
}
