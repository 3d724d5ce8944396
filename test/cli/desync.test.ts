import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { random } from "../../src/math/index.js";
import { chunkOf } from "../../src/replay/chunk.js";
import { readReport, writeReport, type DesyncReport } from "../../src/net/desync-report.js";
import { chunksOf } from "../replay/files.js";
import { linesOf, Project, type Ended } from "./project.js";

const project = new Project(["vitest"]);
const desync = (...args: string[]) => project.quick("desync", ...args);
afterAll(() => project.remove());

const FAULTS = `
import { make } from "./game.mjs";
const at200 = (change) => make((world, tick) => { if (tick === 200) change(world); });
let calls = 0;
export const hidden = make((world, tick) => { calls++; if (tick === 200) world.heat += calls; });
export const chance = at200((world) => { world.heat += Math.random(); });
// As if the engines differed in the last bit.
export const sine = at200((world) => { world.heat += Math.sin(world.heat); });
export const otherSine = at200((world) => { world.heat += Math.sin(world.heat) + 1e-9; });
export const throwing = at200((world) => { world.nothing.x = 1; });
export const slow = make(() => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); });
`;

beforeAll(async () => {
  project.write("faults.mjs", FAULTS);
  await project.report({ file: "report.twd", games: ["./game.mjs", "./game.mjs#hot"], tick: 201 });
});

describe("without a module", () => {
  test("shows the tick, the fields, both sides and their inputs", async () => {
    const { status, stdout, stderr } = await desync("report.twd");
    expect(stdout).toMatchInlineSnapshot(`
      "report.twd
        simulation  crates, version 1
        desync      state 201 differs, state 200 was equal
        side A      Node 20.20.0, build 1.4.2, recorded ticks 0 to 261
        side B      Firefox 151.0, build 1.4.2, recorded ticks 0 to 261
        inputs      the recordings are equal in 261 ticks
        fields      A ≠ B, in state 201:
                    heat: 42.648018871723856 ≠ 43.648018871723856
      The engines differ. Look for calls that engines compute differently, such as Math.sin.
      "
    `);
    expect([status, stderr]).toEqual([0, ""]);
  });

  test("names the seats whose inputs differ, and the inputs", async () => {
    const games = ["./game.mjs", "./game.mjs"] as const;
    await project.report({ file: "seats.twd", games, tick: 70, aims: [0, 1] });
    const { stdout } = await desync("seats.twd");
    expect(stdout).toMatchInlineSnapshot(`
      "seats.twd
        simulation  crates, version 1
        desync      state 70 differs, state 69 was equal
        side A      Node 20.20.0, build 1.4.2, recorded ticks 0 to 130
        side B      Firefox 151.0, build 1.4.2, recorded ticks 0 to 130
        inputs      differ: seat 1
                    the recordings first differ in tick 69
                    player 1, aim: 0 ≠ 1
        fields      A ≠ B, in state 70:
                    at[1].x: 0 ≠ 0.0002777777777777778
                    at[1].v: 0 ≠ 0.016666666666666666
                    inputs[1].before.word0: 0 ≠ 1016
      The inputs differ (seat 1), so the two sides simulated different games. A peer sent different inputs to different peers, or one side changed them.
      "
    `);
  });

  test("tells builds from engines, and lists external states", async () => {
    const side = { engine: "Node 20.20.0", build: "1.4.2" };
    const base = { games: ["./game.mjs", "./game.mjs#hot"], tick: 201, replays: "" } as const;
    await project.report({ ...base, file: "builds.twd", a: side, b: { ...side, build: "1.4.3" } });
    expect((await desync("builds.twd")).stdout).toContain(
      "The builds differ. Compare them with replay verify --against.\n",
    );
    await project.report({ ...base, file: "same.twd", a: side, b: side, external: ["physics"], fields: [] });
    const { stdout } = await desync("same.twd");
    expect(stdout).toContain("  fields      none\n  external    differs: physics\n");
    expect(stdout).toContain(
      "Builds, engines and inputs are equal. A step probably depends on something outside the state.",
    );
  });
});

describe("with a module", () => {
  // Waits while other tests run.
  let tooLong: Promise<Ended>;
  beforeAll(
    () =>
      void (tooLong = project.tickwise(
        "desync",
        "report.twd",
        "faults.mjs#slow",
        "--timeout",
        "6",
        "--json",
      )),
  );

  test("says which side is reproduced, and where the other begins to differ", async () => {
    const { status, stdout, stderr } = await desync("report.twd", "game.mjs");
    expect(stdout).toMatchInlineSnapshot(`
      "report.twd
        simulation  crates, version 1
        desync      state 201 differs, state 200 was equal
        side A      Node 20.20.0, build 1.4.2, recorded ticks 0 to 261
        side B      Firefox 151.0, build 1.4.2, recorded ticks 0 to 261
        inputs      the recordings are equal in 261 ticks
        fields      A ≠ B, in state 201:
                    heat: 42.648018871723856 ≠ 43.648018871723856
        A here      reproduced: state 200 leads to its state 201
                    its recording is reproduced, up to state 261
        B here      not reproduced: state 200 leads to another state 201
                    heat: recorded 43.648018871723856, here 42.648018871723856
                    its recording is reproduced up to state 200 and differs in state 201
      The engines differ. Look for calls that engines compute differently, such as Math.sin.
      This machine reproduces side A, but not side B.
      "
    `);
    expect([status, stderr]).toEqual([1, ""]);
    const other = await desync("report.twd", "--sim", "game.mjs", "--export", "hot");
    expect(other.stdout).toContain("This machine reproduces side B, but not side A.\n");
  });

  test("needs only one recording, if the inputs are equal", async () => {
    await project.report({
      file: "one.twd",
      games: ["./game.mjs", "./game.mjs#hot"],
      tick: 201,
      replays: "b",
    });
    const { stdout } = await desync("one.twd", "game.mjs");
    expect(stdout).toContain("  A here      reproduced: state 200 leads to its state 201\n");
    expect(stdout).toContain("This machine reproduces side A, but not side B.\n");
  });

  test("bisects recordings without a common state, or without states at all", async () => {
    const games = ["./game.mjs", "./game.mjs#hot"] as const;
    await project.report({ file: "no-common.twd", games, tick: 201, common: null, after: undefined });
    const { stdout } = await desync("no-common.twd", "game.mjs");
    expect(stdout).toContain("its recording is reproduced up to state 180 and differs in state 201\n");
    change("no-common.twd", "no-states.twd", ({ a, b }) => ({
      a: { ...a, state: undefined },
      b: { ...b, state: undefined },
    }));
    const without = await desync("no-states.twd", "game.mjs");
    expect(without.stdout).toContain("  A here      its recording is reproduced, up to state 261\n");
    expect(without.stdout).toContain(
      "its recording is reproduced up to state 180 and differs in state 240\n",
    );
    expect(without.status).toBe(1);
  });

  test("simulates recordings of the last ticks only, and writes tests of them", async () => {
    const games = ["./game.mjs", "./game.mjs#hot"] as const;
    await project.report({ file: "late.twd", games, tick: 201, from: 190, common: null, after: undefined });
    // Run below.
    const { stdout } = await desync("late.twd", "game.mjs", "--test", "late.test.mjs");
    expect(stdout).toContain("its recording is reproduced up to state 200 and differs in state 201\n");
    expect(stdout).toContain("This machine reproduces side A, but not side B.\n");
  });

  test("reproduces both sides if their inputs differ", async () => {
    const { status, stdout } = await desync("seats.twd", "game.mjs");
    expect(stdout).toContain("The inputs differ (seat 1), so the two sides simulated different games.");
    expect(stdout).toContain("This machine reproduces both sides.\n");
    expect(status).toBe(0);
  });

  test("finds a hidden variable", async () => {
    const games = ["./faults.mjs#hidden", "./faults.mjs#hidden"] as const;
    await project.report({ file: "hidden.twd", games, tick: 201 });
    const { status, stdout } = await desync("hidden.twd", "faults.mjs#hidden");
    expect(stdout).toContain(
      "The same inputs lead to different states on this machine: a step depends on something outside",
    );
    expect(status).toBe(1);
  });

  test.each([
    ["Math.random", "chance", "chance"],
    ["Math.sin", "sine", "otherSine"],
  ])("finds a call of %s", async (call, one, other) => {
    const games = [`./faults.mjs#${one}`, `./faults.mjs#${other}`] as const;
    await project.report({ file: `${one}.twd`, games, tick: 201 });
    const { stdout } = await desync(`${one}.twd`, `faults.mjs#${one}`);
    expect(stdout).toContain(`  guard       the step of tick 200: ${call} `);
    expect(stdout).toMatch(/at faults.mjs:\d+:\d+/);
    expect(stdout).toContain("A step is not deterministic: see guard above.");
  });

  test("prints everything as one line of JSON", async () => {
    const ended = await desync("report.twd", "game.mjs", "--json");
    expect(linesOf(ended)).toEqual([
      {
        file: "report.twd",
        outcome: "differs",
        simulation: { name: "crates", version: 1, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
        tick: 201,
        after: 200,
        fields: [{ path: "heat", a: expect.any(Number), b: expect.any(Number) }],
        more: false,
        external: [],
        seats: [],
        hasCommon: true,
        a: {
          engine: "Node 20.20.0",
          build: "1.4.2",
          hasState: true,
          replay: { first: 0, last: 261, ending: "done" },
        },
        b: {
          engine: "Firefox 151.0",
          build: "1.4.2",
          hasState: true,
          replay: { first: 0, last: 261, ending: "done" },
        },
        inputs: { ticks: 261, differing: 0 },
        findings: {
          a: { fromCommon: [], agreesTo: 261, hasFailed: false },
          b: {
            fromCommon: [{ path: "heat", a: expect.any(Number), b: expect.any(Number) }],
            agreesTo: 200,
            differsAt: 201,
            hasFailed: false,
          },
          hasHiddenState: false,
        },
        causes: [
          "The engines differ. Look for calls that engines compute differently, such as Math.sin.",
          "This machine reproduces side A, but not side B.",
        ],
      },
    ]);
    const [plain] = linesOf(await desync("report.twd", "--json"));
    expect(plain).toMatchObject({ outcome: "ok", tick: 201 });
    expect(plain).not.toHaveProperty("findings");
  });

  test("reports a step that throws", async () => {
    const { status, stdout } = await desync("report.twd", "faults.mjs#throwing");
    expect(stdout).toMatch(
      / {2}A here {6}the step of tick 200 threw TypeError: .*\n +at faults.mjs:\d+:\d+\n/,
    );
    expect(status).toBe(1);
  });

  test("reports steps that take too long", async () => {
    const [line] = linesOf(await tooLong);
    expect(line).toMatchObject({ outcome: "timeout", tick: 201 });
  });

  test("rejects another simulation", async () => {
    const { status, stderr } = await desync("report.twd", "game.mjs#newer");
    expect(stderr).toBe(
      "tickwise: report.twd: it is a recording of crates, version 1, but --sim is crates, version 2. Use the build that it was recorded with.\n",
    );
    expect(status).toBe(2);
    await project.report({
      file: "none.twd",
      games: ["./game.mjs", "./game.mjs#hot"],
      tick: 201,
      replays: "",
    });
    const bare = await desync("none.twd", "game.mjs#newer");
    expect(bare.stderr).toContain('none.twd: it is a report of "crates", version 1, with fingerprint');
  });
});

describe("--test", () => {
  const vitest = (...files: string[]) =>
    project.run(
      "node",
      // In one worker, as starting another takes longer than the tests; and with time for a busy machine.
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--maxWorkers=1",
        "--no-isolate",
        "--testTimeout=200000",
        ...files,
      ],
      { NO_COLOR: "1" },
    );

  test("writes tests", async () => {
    const { stdout } = await desync("report.twd", "game.mjs", "--test", "fine.test.mjs");
    expect(stdout).toContain("Wrote fine.test.mjs.\n");
    expect(readFileSync(project.path("fine.test.mjs"), "utf8")).toMatchInlineSnapshot(`
      "// The two sides of a network game had different states 201.
      //   heat: 42.648018871723856 ≠ 43.648018871723856
      // Run this on both engines: Node 20.20.0; Firefox 151.0.
      import { readFileSync } from "node:fs";
      import { readReport } from "tickwise/net";
      import { inputRuns, readReplay } from "tickwise/replay";
      import { guard } from "tickwise/sim";
      import { expectDeterministic, expectReplay } from "tickwise/testing";
      import { test } from "vitest";
      import game from "./game.mjs";

      const report = readReport(readFileSync(new URL("./report.twd", import.meta.url)));

      test("with the recorded inputs, the game is deterministic", () => {
        if (!report.a.replay) throw new Error("the report has no recording");
        const replay = readReplay(report.a.replay);
        const runs = [...inputRuns(replay)];
        expectDeterministic(game, {
          seed: replay.info.seed,
          ticks: Math.max(600, report.tick - replay.first),
          // Fails on calls that engines compute differently.
          guard: guard(),
          inputs: (players, { tick }) => {
            const recorded = replay.first + tick;
            for (const { from, to, player, values } of runs)
              if (recorded >= from && recorded < to) Object.assign(players[player] ?? {}, values);
          },
        });
      });

      // Remove this test when you change the game on purpose.
      test("the game reproduces the recording of side A", () => {
        if (!report.a.replay) throw new Error("the report has no recording");
        expectReplay(game, report.a.replay, { guard: guard() });
      });
      "
    `);
  });

  test("the tests pass with a deterministic game, and fail until a fault is fixed", async () => {
    for (const name of ["sine", "hidden"])
      await desync(`${name}.twd`, `faults.mjs#${name}`, "--test", `${name}.test.mjs`, "--force");
    // All at once, as starting Vitest takes long.
    const { status, stdout, stderr } = await vitest(
      ...["fine", "late", "sine", "hidden"].map((name) => `${name}.test.mjs`),
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/Test Files +2 failed \| 2 passed/);
    for (const name of ["fine", "late"])
      expect(stdout).toMatch(new RegExp(`✓ ${name}.test.mjs \\(2 tests\\)`));
    expect(stdout + stderr).toContain("Math.sin is not deterministic");
    expect(stdout + stderr).toMatch(/not deterministic: state/);
  });

  test.each([
    [
      ["report.twd", "--test", "x.test.ts"],
      "desync: --test needs MODULE, the file that exports the simulation.",
    ],
    [
      ["report.twd", "faults.mjs", "--test", "x.test.ts"],
      "desync: --test needs the name of the export: faults.mjs#NAME.",
    ],
    [
      ["report.twd", "game.mjs", "--test", "game.mjs"],
      "game.mjs already exists. Use --force to overwrite it.",
    ],
    [["report.twd", "game.mjs", "--test", "."], ". is a folder. Give a file."],
    [
      ["report.twd", "game.mjs", "--test", "no/x.test.ts"],
      "no/x.test.ts cannot be written: the folder no does not exist.",
    ],
    [
      ["none.twd", "game.mjs", "--test", "x.test.ts"],
      "none.twd: the report has no recording, so there is nothing to test.",
    ],
    [
      ["report.twd", "game.mjs", "--sim", "game.mjs"],
      "desync: the module is given twice: game.mjs and --sim game.mjs.",
    ],
    [["report.twd", "absent.mjs"], "MODULE absent.mjs: no such file"],
    [["absent.twd"], "absent.twd: no such file"],
    [["game.mjs"], 'game.mjs: not a desync report: it begins with "\\nimp", not with "TWDR"'],
  ])("wrong use: %j", async (args, message) => {
    const { status, stderr } = await desync(...args);
    expect(stderr).toContain(`tickwise: ${message}`);
    expect(status).toBe(2);
  });
});

/** Writes a changed report. */
function change(from: string, to: string, parts: (report: DesyncReport) => Partial<DesyncReport>): void {
  const report = readReport(readFileSync(project.path(from)));
  project.write(to, writeReport({ ...report, ...parts(report) }));
}

describe("files that cannot be trusted", () => {
  test.each<[string, (report: DesyncReport) => Partial<DesyncReport>, string]>([
    [
      "states of another tick",
      ({ a }) => ({ common: a.state }),
      "the first state of the recording cannot be loaded",
    ],
    [
      "states of noise",
      ({ a }) => ({ a: { ...a, state: Uint8Array.of(1, 2, 3) } }),
      "the header needs 8 bytes",
    ],
    [
      "a recording of noise",
      ({ a }) => ({ a: { ...a, replay: Uint8Array.of(1, 2, 3) } }),
      "its recording cannot be read: not a replay",
    ],
    ["ticks without inputs", () => ({ tick: 2 ** 52, after: 2 ** 51 }), "state 4503599627370496 differs"],
    ["no fields", () => ({ fields: [], more: true }), "fields      unknown"],
    [
      "many fields",
      () => ({ fields: Array.from({ length: 5000 }, (_, i) => ({ path: `x${i}`, a: 1, b: 2 })) }),
      "and more",
    ],
    ["control codes", ({ a }) => ({ a: { ...a, engine: "\x1b[2J\n\u202e" } }), "\\x1b[2J\\n\\u202e"],
  ])("%s", async (_, parts, shown) => {
    change("report.twd", "odd.twd", parts);
    const { status, stdout, stderr } = await desync("odd.twd", "game.mjs");
    expect(stdout).toContain(shown);
    expect(stdout).not.toContain("\x1b");
    expect([status, stderr]).toEqual([expect.any(Number), ""]);
    expect(status).toBeLessThan(2);
  });

  test("damaged files are rejected with status 2", async () => {
    const bytes = new Uint8Array(readFileSync(project.path("report.twd")));
    project.write("short.twd", bytes.subarray(0, 1000));
    const { status, stdout, stderr } = await desync("short.twd", "game.mjs");
    expect(stderr).toMatch(
      /^tickwise: short.twd: byte \d+: the file ends in a chunk, after \d+ of \d+ bytes. Use the file/,
    );
    expect([status, stdout]).toEqual([2, ""]);
  });

  test("changed bodies with correct checksums never crash the command", async () => {
    const dice = random(new Uint32Array(4)).seed("desync");
    const bytes = new Uint8Array(readFileSync(project.path("report.twd")));
    const chunks = chunksOf(bytes);
    for (let i = 0; i < (FULL ? 25 : 2); i++) {
      const forged = chunks.map((chunk) => {
        const body = chunk.slice(12);
        if (dice.chance(0.5))
          for (let times = 1 + dice.below(3); times > 0 && body.length > 0; times--)
            body[dice.below(body.length)] = dice.below(256);
        return chunkOf(String.fromCharCode(...chunk.subarray(0, 4)), body);
      });
      project.write("forged.twd", Buffer.concat([bytes.subarray(0, 8), ...forged]));
      const { status, stderr } = await desync("forged.twd", "game.mjs");
      expect([0, 1, 2], stderr).toContain(status);
      expect(stderr).not.toContain("desync failed");
    }
  });
});
