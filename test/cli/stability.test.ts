import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linesOf, Project } from "./project.js";

const project = new Project(["tsx", "@dimforge"]);
afterAll(() => project.remove());
const stability = (...args: string[]) => project.tickwise("stability", ...args);

const SPRING = `
import { simulation } from "tickwise/sim";
import { f64, layout } from "tickwise/state";
const make = (stiffness, change = () => {}) => simulation({
  name: "spring", version: 3, rate: 60, state: layout({ x: f64, v: f64 }),
  init(world) { world.x = 1; },
  step(world, _, { dt, tick }) {
    world.v -= stiffness * world.x * dt;
    world.x += world.v * dt;
    change(world, tick);
  },
});
export default make(4000);
export const stiff = make(20_000);
export const throwing = make(4000, (_, tick) => { if (tick === 3) throw new Error("no"); });
export const hanging = make(4000, () => { for (;;); });
export const power = ({ v }) => v * v;
export const text = () => "much";
`;

beforeAll(() => project.write("spring.mjs", SPRING));

describe.concurrent("stability", () => {
  test("finds the limit of a spring: half its angular frequency", async () => {
    const { status, stdout, stderr } = await stability("spring.mjs");
    expect([status, stderr]).toEqual([0, ""]);
    // √4000 / 2 = 31.6
    expect(stdout).toMatch(
      /^spring, version 3: 10 s at each rate; bounds: any field up to 10 times its size at 240/,
    );
    expect(stdout).toMatch(/^ {6}60 {2}ok {8}[xv] up to [\d.]+ \(declared\)$/m);
    expect(stdout).toMatch(/^ {6}30 {2}unstable {2}[xv] is /m);
    expect(stdout).toMatch(
      /^In bounds from 32 steps per second on; at 31, [xv] goes out of bounds after [\d.]+ s\.$/m,
    );
  });

  test("fails if the declared rate is out of bounds", async () => {
    const { status, stdout } = await stability("--sim", "spring.mjs#stiff", "--json");
    const [line] = linesOf({ status, stdout, stderr: "" });
    expect(line).toMatchObject({
      outcome: "unstable",
      name: "spring",
      declared: 60,
      measured: "any field",
      stableFrom: 72,
    });
    expect(line!["rungs"]).toHaveLength(6);
    expect(status).toBe(1);
  });

  test("measures an exported function", async () => {
    const { stdout } = await stability(
      "spring.mjs",
      "--energy",
      "power",
      "--max",
      "1e4",
      "--rates",
      "40,120",
    );
    expect(stdout).toMatch(/bounds: power up to 10000\n/);
    const wrong = await stability("spring.mjs", "--energy", "text");
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      "tickwise: spring.mjs: the export text must return a number, got much.\n",
    ]);
  });

  test("runs TypeScript and a physics engine", async () => {
    project.write(
      "crate.ts",
      `import RAPIER from "@dimforge/rapier2d-deterministic-compat";
       import { rapier } from "tickwise/rapier";
       import { simulation } from "tickwise/sim";
       import { f64, layout } from "tickwise/state";
       await RAPIER.init();
       enum Axis { y = 1 }
       const physics = rapier(RAPIER, () => new RAPIER.World({ x: 0, y: -9.81 }));
       const make = (isSet: boolean) => simulation({
         name: "crate", version: 1, rate: 60, state: layout({ crate: f64, y: f64 }), external: { physics },
         init(state, { external: { physics: { world } } }) {
           world.createCollider(RAPIER.ColliderDesc.cuboid(50, 1));
           const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 5));
           world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5), body);
           state.crate = body.handle;
         },
         step(state, _, { dt, external: { physics: { world } } }) {
           if (isSet) world.timestep = dt;
           world.step();
           if (dt > 0) state.y = Axis.y * world.getRigidBody(state.crate).translation().y;
         },
       });
       export default make(true);
       export const constant = make(false);
       export const energy = (state: { y: number; crate: number }, context: any) => {
         const { world } = context.external.physics;
         return 9.81 * state.y + world.getRigidBody(state.crate).linvel().y ** 2 / 2;
       };`,
    );
    const [good, bad] = await Promise.all([stability("crate.ts"), stability("crate.ts#constant")]);
    expect(good.stdout).toMatch(/In bounds at all rates, from 15 steps per second on\.\n$/);
    expect([bad.status, bad.stderr]).toEqual([
      2,
      "tickwise: crate.ts: crate cannot run at other rates: external.physics takes steps of 0.01667 s at every rate. Set its world.timestep to dt before each step.\n",
    ]);
  });

  test("reports a step that throws, or hangs", async () => {
    const [thrown, hung] = await Promise.all([
      stability("spring.mjs#throwing"),
      stability("spring.mjs#hanging", "--timeout", "8", "--json"),
    ]);
    expect(thrown.stdout).toMatch(/^failed {2}the step of tick 3 threw Error: no\n {4}at spring\.mjs:/);
    expect(linesOf(hung)[0]).toMatchObject({ outcome: "timeout" });
    expect([thrown.status, hung.status]).toEqual([1, 1]);
  });
});

test.each([
  [[], "MODULE is missing: the file that exports the simulation."],
  [["spring.mjs", "--sim", "spring.mjs"], "the module is given twice: spring.mjs and --sim spring.mjs."],
  [
    ["spring.mjs", "--rates", "30,fast"],
    "--rates must be steps per second, up to 100000, such as 30,60,120, got fast.",
  ],
  [
    ["spring.mjs", "--rates", "0"],
    "--rates must be steps per second, up to 100000, such as 30,60,120, got 0.",
  ],
  [["spring.mjs", "--max", "much"], "--max must be a number, got much."],
  [["spring.mjs", "--factor", "0.5"], "--factor must be 1 or more, got 0.5."],
  [
    ["spring.mjs", "--factor", "2", "--max", "1"],
    "--factor and --min or --max exclude each other: give one kind of bounds.",
  ],
  [["spring.mjs", "--min", "2", "--max", "1"], "--min must be at most --max, got 2 and 1."],
  [
    ["spring.mjs", "--field", "x", "--energy", "power"],
    "--field and --energy exclude each other: give one of them.",
  ],
  [["spring.mjs", "--seconds", "4000"], "--seconds must be at most 3600 seconds, got 4000."],
  [["spring.mjs", "--seconds", "1e9"], "--seconds must be at most 3600 seconds, got 1e9."],
])("tickwise stability %j is wrong use", async (args, message) => {
  const { status, stderr } = await project.quick("stability", ...args);
  expect([status, stderr]).toEqual([2, `tickwise: stability: ${message}\nSee tickwise stability --help\n`]);
});
