// A step over five different tables, written in three ways: with columns, with cursors, and with arrays of plain objects. Each
// way has separate functions for each table, so that they do not share type feedback.
import { bool, f64, layout, table, u32, u8 } from "../dist/state/index.js";

const ROWS = 1000;
const DT = 1 / 60;

const motion = { x: f64, y: f64, vx: f64, vy: f64 };
const World = layout({
  drops: table(ROWS, motion),
  crates: table(ROWS, { hp: u32, ...motion }),
  birds: table(ROWS, { isTired: bool, kind: u8, ...motion }),
  wheels: table(ROWS, { ...motion, turn: f64, hits: u32 }),
  sparks: table(ROWS, { heat: f64, cooling: f64, ...motion, age: u32 }),
});

const NEW = {
  drops: (i) => ({ x: i / 3, y: i / 7, vx: 1.5, vy: 0.5 }),
  crates: (i) => ({ hp: i, x: i / 3, y: i / 7, vx: 1.5, vy: 0.5 }),
  birds: (i) => ({ isTired: i % 3 === 0, kind: 0, x: i / 3, y: i / 7, vx: 1.5, vy: 0.5 }),
  wheels: (i) => ({ x: i / 3, y: i / 7, vx: 1.5, vy: 0.5, turn: i / 11, hits: 0 }),
  sparks: (i) => ({ heat: i + 0.5, cooling: -0.5, x: i / 3, y: i / 7, vx: 1.5, vy: 0.5, age: 0 }),
};
const NAMES = Object.keys(NEW);

/** What the rows of each table do besides falling. */
const MORE = {
  drops: "",
  crates: "row.hp++;",
  birds: "if (row.isTired) row.kind = 1;",
  wheels: "row.turn += dt; if (row.vy > 0) row.hits++;",
  sparks: "row.heat += row.cooling * dt; row.age++;",
};
const FALL = `row.vy -= 9.81 * dt; row.x += row.vx * dt; row.y += row.vy * dt;
  if (row.y < 0) { row.y = -row.y; row.vy = -row.vy; }`;

/** The comment makes each function unique for V8, which shares type feedback between equal texts. */
const byRows = (way, name) =>
  new Function("rows", "dt", `/* ${way}, ${name} */ for (const row of rows) { ${FALL} ${MORE[name]} }`);
const byColumns = (name) => {
  const body = `${FALL} ${MORE[name]}`.replace(/row\.(\w+)/g, "$1[i]");
  const columns = Object.keys(World.fields[name].row).join(", ");
  return new Function(
    "rows",
    "dt",
    `const { id, ${columns} } = rows;
    for (let i = 0, { end } = rows; i < end; i++) { if (id[i] <= 0) continue; ${body} }`,
  );
};

function newWorld() {
  const { world } = World.allocate();
  for (const name of NAMES) for (let i = 0; i < ROWS; i++) world[name].add(NEW[name](i));
  return world;
}

/** Arrays of objects after some were added and removed, as in a game: they are not in order in memory. */
function newObjects() {
  const objects = Object.fromEntries(NAMES.map((name) => [name, []]));
  for (let i = 0; i < ROWS; i++) for (const name of NAMES) objects[name][i] = NEW[name](i);
  for (let i = 0; i < 10 * ROWS; i++)
    for (const name of NAMES) objects[name][(i * 7919) % ROWS] = NEW[name](i % ROWS);
  return objects;
}

/** Rows stepped by one call. */
export const ROWS_PER_CALL = ROWS * NAMES.length;

/** The three ways, each as a function that steps all tables once. */
export function rowSteps() {
  const stepper = (world, steps) => () => {
    for (let i = 0; i < NAMES.length; i++) steps[i](world[NAMES[i]], DT);
  };
  return {
    columns: stepper(newWorld(), NAMES.map(byColumns)),
    cursors: stepper(
      newWorld(),
      NAMES.map((name) => byRows("cursors", name)),
    ),
    objects: stepper(
      newObjects(),
      NAMES.map((name) => byRows("objects", name)),
    ),
  };
}
