// Compiles a user's project against the built declarations. No network.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "tickwise-declarations-"));
  mkdirSync(join(project, "node_modules"));
  symlinkSync(ROOT, join(project, "node_modules/tickwise"), "junction");
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Returns the errors of a strict program. Library types are checked too, without the types of the DOM and of Node. */
function errorsOf(program: string): string {
  writeFileSync(join(project, "program.ts"), program);
  const flags =
    "--module nodenext --target es2022 --lib es2022 --strict --exactOptionalPropertyTypes --skipLibCheck false --declaration --noEmit";
  try {
    const args = [...flags.split(" "), "--types", "", "program.ts"];
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), args, {
      cwd: project,
      encoding: "utf8",
      stdio: "pipe",
      shell: process.platform === "win32",
    });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test("the declarations of every subpath compile", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
  const subpaths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
  const lines = subpaths.map((path, i) => `export * as s${i} from "${path.replace(".", "tickwise")}";`);
  expect(lines.length).toBeGreaterThan(10);
  expect(errorsOf(lines.join("\n"))).toBe("");
});

test("the declarations contain nothing that is marked @internal", () => {
  const dist = join(ROOT, "dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".d.ts"),
  );
  expect(files.length).toBeGreaterThan(100);
  const marked = files.filter((file) => readFileSync(join(dist, file), "utf8").includes("@internal"));
  expect(marked).toEqual([]);
});

test("users cannot reach internal members, and types stay apart without them", () => {
  const program = `
    import { smooth, scalar } from "tickwise/blend";
    import { localSession, simulation, type Simulation } from "tickwise/sim";
    import { f64, Field, Layout, layout, oneOf, State, table, u8 } from "tickwise/state";

    // Exported, as their types must have names in the declarations of users.
    export const Mood = oneOf("calm", "angry");
    export const angry = Mood.angry;
    export const World = layout({ n: u8, mood: Mood });
    export const game = simulation({
      name: "game", version: 1, rate: 60, state: World, effects: { beep: { pitch: f64 } },
      step(world, _, { emit }) {
        world.mood = Mood.angry;
        emit("beep", { pitch: 1 });
        // @ts-expect-error a plain number
        world.mood = 1;
      },
    });
    export const session = localSession(game);
    export const { world } = World.allocate();
    export const moods = layout({ guests: table(2, { mood: Mood }) }).allocate().world.guests.mood;
    export const n: number = session.world.n;
    export const pitch = (): number => session.toJSON().n;
    session.on("effect", () => {});
    // @ts-expect-error no such field
    session.world.m;

    // @ts-expect-error internal
    game.options;
    // @ts-expect-error internal
    game.layout;
    // @ts-expect-error internal
    World.leaves;
    // @ts-expect-error internal
    World.allocate().guardedWorld(true);
    // @ts-expect-error internal
    scalar.blend;
    // @ts-expect-error made by layout
    new Layout();
    // @ts-expect-error made by layout
    new Layout({ n: u8 });
    // @ts-expect-error made by allocate
    new State();
    // @ts-expect-error made by the fields
    new Field();

    const other = simulation({ name: "other", version: 1, rate: 60, state: layout({ x: f64 }), step() {} });
    // @ts-expect-error a simulation with another state
    export const wrong: Simulation<{ readonly n: typeof u8 }> = other;
    // @ts-expect-error a state of another layout
    World.allocate().diffFrom(layout({ x: f64 }).allocate(), 0);
    // @ts-expect-error not a kind
    smooth({ on: () => () => {} }, { x: 1 }, { x: () => 1 });
  `;
  expect(errorsOf(program)).toBe("");
});
