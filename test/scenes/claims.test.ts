// Figures about fixed and variable steps, in virtual time. The docs quote them, and `npm run bench -- claims` prints them.
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { playFrames } from "../../scenes/at-frame-rate.js";
import { SPEED, WALL_WIDTH } from "../../scenes/bullet.js";
import { divergenceFigures, FRAME_RATES, motionFigures, tunnellingFigures } from "../../scenes/claims.js";
import { JUMP_HEIGHT } from "../../scenes/jump-and-throw.js";
import { tunnelling } from "../../scenes/tunnelling.js";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const results = JSON.parse(read("bench/results.json")).claims;
const [claims, collisions] = [read("docs/claims.md"), read("docs/collisions.md")];

/** The cells of all rows of a page that begin with this text, without the first cell. */
const rowsOf = (page: string, name: string) =>
  page
    .split("\n")
    .filter((line) => line.startsWith(`| ${name} |`))
    .map((line) =>
      line
        .split("|")
        .slice(2, -1)
        .map((cell) => cell.trim()),
    );

const one = (value: number, unit: string) => `${value.toFixed(1)} ${unit}`;

describe("tunnelling", () => {
  const figures = tunnellingFigures();

  test("follows from the distance per step: 1 - thickness / distance", () => {
    for (const fps of FRAME_RATES) {
      const distance = SPEED / fps;
      const { missed } = tunnelling({ fps, steps: "variable" });
      expect(missed).toBeCloseTo(Math.max(0, 1 - WALL_WIDTH / distance), 3);
    }
  });

  test("the bench printed these figures", () => expect(results.tunnelling).toEqual(figures));

  test("docs/collisions.md quotes them", () => {
    const names = {
      "variable steps": figures.variable,
      "fixed steps, 60 per second": figures.fixed60,
      "swept, any steps": figures.swept,
    };
    for (const [name, at] of Object.entries(names))
      expect(rowsOf(collisions, name), name).toEqual([
        FRAME_RATES.map((fps) => one(at[fps]!.missed, "%")),
        FRAME_RATES.map((fps) => one(at[fps]!.depth, "px")),
      ]);
    expect(rowsOf(collisions, "fixed steps, 30 per second")).toEqual([
      FRAME_RATES.map((fps) => one(figures.fixed30[fps]!.missed, "%")),
    ]);
    expect(rowsOf(collisions, "distance per frame")).toEqual([
      FRAME_RATES.map((fps) => one(SPEED / fps, "px")),
    ]);
    expect(collisions).toContain(
      `a single frame of 117 ms per second, ${figures.hitch.variable.missed} % pass`,
    );
    expect([figures.hitch.fixed60.missed, figures.hitch.swept.missed]).toEqual([0, 0]);
    expect(claims).toContain(
      `True: ${one(SPEED / 15, "px")}, and ${figures.variable[15]!.missed} % of the bullets pass.`,
    );
  });
});

describe("a jump, a throw and a stack", () => {
  let figures: ReturnType<typeof motionFigures>;
  beforeAll(async () => {
    await RAPIER.init();
    figures = motionFigures(RAPIER);
  });

  test("the bench printed these figures", () => expect(results.motion).toEqual(figures));

  test("with fixed steps, nothing differs", () => {
    const { stackStanding, stackHit, ...motions } = figures;
    for (const [name, { fixedDiffers }] of Object.entries(motions)) expect(fixedDiffers, name).toBe(0);
    for (const { fixed } of [stackStanding, stackHit]) expect(fixed).toEqual({ mean: 0, max: 0 });
  });

  test("docs/claims.md quotes them", () => {
    const {
      jump,
      jumpPositionFirst,
      jumpVerlet,
      throw: thrown,
      fifthBounce,
      stackStanding,
      stackHit,
    } = figures;
    const names = {
      "height of a jump (400 px/s, gravity 980 px/s²)": jump,
      "the same, position before velocity": jumpPositionFirst,
      "the same by velocity Verlet": jumpVerlet,
      "where a ball lands (600 px/s, 45°)": thrown,
      "its fifth bounce, which keeps 70 % of the speed": fifthBounce,
    };
    for (const [name, at] of Object.entries(names))
      expect(rowsOf(claims, name), name).toEqual([
        [one(at[30], "px"), one(at[60], "px"), one(at[144], "px"), one(at.differs, "%")],
      ]);
    const text = claims.replace(/\s+/g, " ");
    expect(text).toContain(
      `a jump ${one(jump.differs, "%")}, a throw ${one(thrown.differs, "%")}, a fifth bounce ${one(fifthBounce.differs, "%")}, a standing stack ${one(stackStanding.variable.max, "%")} of a box`,
    );
    expect(text).toContain(`no box is more than ${stackStanding.variable.max} % of its size`);
    const { mean, max } = stackHit.variable;
    expect(text).toContain(
      `${(mean / 100).toFixed(1)} box sizes apart on average, and ${(max / 100).toFixed(1)} at most`,
    );
    expect(text).toContain(`The exact jump is ${JUMP_HEIGHT.toFixed(1)} px high`);
  });
});

describe("clients at different frame rates", () => {
  const figures = divergenceFigures();

  test("the bench printed these figures", () => expect(results.divergence).toEqual(figures));

  test("docs/claims.md quotes them", () => {
    const names = {
      "variable steps": figures.variable,
      "fixed steps, inputs by frame": figures.fixedInputsByFrame,
      "fixed steps, inputs by tick": figures.fixedInputsByTick,
    };
    const seconds = (value: number | null) => (value === null ? "never" : `${value.toFixed(2)} s`);
    for (const [name, pairs] of Object.entries(names))
      for (const fps of [30, 144] as const) {
        const { bit, ball, differs } = pairs[fps];
        expect(rowsOf(claims, `${name}, 60 and ${fps} fps`), `${name} ${fps}`).toEqual([
          [seconds(bit), seconds(ball), one(differs, "%")],
        ]);
      }
  });
});

test("docs/claims.md quotes the cost that the bench printed", () => {
  const { pile, blended, rapier } = results.costOf30Over60;
  const names = {
    "1,000 balls": pile,
    "1,000 balls, blended 60 times per second": blended,
    "Rapier, 240 bodies": rapier,
  };
  for (const [name, ratio] of Object.entries<number>(names))
    expect(rowsOf(claims, name), name).toEqual([[ratio.toFixed(2)]]);
  const saved = Object.values<number>(names).map((ratio) => Math.round(100 * (1 - ratio)));
  expect(claims).toContain(`${Math.min(...saved)} to ${Math.max(...saved)} % in our scenes`);
});

test("60 fixed steps per second are 0.5 steps per frame at 120 fps, 2 at 30 and 4 at 15; 0.25 s are 15 steps", () => {
  const stepsPerFrame = (fps: number) => {
    let [steps, frames] = [0, 0];
    playFrames(
      { fps, seconds: 10, steps: "fixed" },
      () => steps++,
      () => frames++,
    );
    return steps / frames;
  };
  expect([120, 60, 30, 15].map(stepsPerFrame)).toEqual([0.5, 1, 2, 4]);
  let steps = 0;
  playFrames({ fps: 1 / 5, seconds: 5, steps: "fixed" }, () => steps++);
  expect(steps).toBe(15);
  expect(claims).toContain("| No, 15 steps |");
});
