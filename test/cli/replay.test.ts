import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { readReplay } from "../../src/replay/index.js";
import { linesOf, Project } from "./project.js";

const project = new Project();
beforeAll(() => project.record());
afterAll(() => project.remove());

const replay = (...args: string[]) =>
  args.includes("--sim") ? project.tickwise("replay", ...args) : project.quick("replay", ...args);
const GOLDEN = join(ROOT, "test/golden");

describe("info", () => {
  test("describes a recording", async () => {
    const { status, stdout } = await replay("info", "replays/07.twr");
    expect(stdout.replace(/[0-9a-f]{16}/, "FINGERPRINT").replace(/[\d,]+ bytes/, "N bytes")).toBe(`\
replays/07.twr
  simulation   crates, version 1
  length       5.00 s: ticks 0 to 300, 60 per second
  players      2
  inputs       left, right, jump, aim (axis of 8 bits), weapon (1 to 5)
  seed         7
  checkpoints  5 hashes, every 60 ticks
  keyframes    3 states, every 120 ticks
  starts       from the initial state
  ends         complete
  fingerprint  FINGERPRINT, math profile 1
  meta         {"match":7}
  size         N bytes
`);
    expect(status).toBe(0);
  });

  test("describes the golden recordings as JSON", async () => {
    const ended = await replay("info", "--json", GOLDEN);
    const lines = linesOf(ended);
    expect(lines.map(({ file }) => file)).toContain(join(GOLDEN, "v1-full.twr"));
    for (const line of lines) {
      const golden = readFileSync((line["file"] as string).replace(".twr", ".json"), "utf8");
      // Golden summaries call the first and the last tick `start` and `end`.
      const { info, start: first, end: last, ending } = JSON.parse(golden).read;
      expect(line).toMatchObject({ outcome: "ok", name: info.name, seed: info.seed, first, last, ending });
    }
    expect(ended.status).toBe(0);
  });

  test("reports a file that is not a recording with status 2, and shows the others", async () => {
    const { status, stdout, stderr } = await replay("info", "game.mjs", "replays/07.twr");
    expect(stderr).toBe('tickwise: game.mjs: not a recording: it begins with "\\nimp", not with "TWRP"\n');
    expect(stdout).toContain("replays/07.twr");
    expect(status).toBe(2);
  });
});

describe("print", () => {
  test("prints one run of ticks per line, in order of first ticks", async () => {
    const { status, stdout } = await replay("print", "replays/01.twr", "--to", "101");
    expect(stdout).toBe(`\
ticks      player  inputs
  0 -  49       0  right, weapon 2
  0 -  49       1  aim 0.4016, weapon 2
 50 -  99       0  jump, weapon 2
 50 -  99       1  aim -0.4016, weapon 3
100 - 149       0  left, weapon 2
100 - 149       1  aim 1, weapon 4
`);
    expect(status).toBe(0);
    const one = await replay("print", "replays/01.twr", "--player", "1", "--from", "260");
    expect(one.stdout).toBe("ticks      player  inputs\n250 - 299       1  aim 0.8031, weapon 3\n");
  });

  test("prints all values as JSON", async () => {
    const lines = linesOf(await replay("print", "replays/01.twr", "--json"));
    expect(lines).toHaveLength(12);
    expect(lines[0]).toEqual({
      from: 0,
      to: 50,
      player: 0,
      values: { left: false, right: true, jump: false, aim: 0, weapon: 2 },
    });
  });

  test("prints commands on lines of their own, and who sits where", async () => {
    const golden = join(GOLDEN, "v1-events.twr");
    const { stdout } = await replay("print", golden, "--to", "7", "--player", "2");
    expect(stdout).toBe(`\
ticks      player  inputs
  0 -   7       2  -
  0             2  say words "größer "
  0             2  build x 63556, y -95, kind 2, isFree true
`);
    const lines = linesOf(await replay("print", golden, "--to", "7", "--player", "2", "--json"));
    expect(lines[1]).toEqual({ tick: 0, player: 2, command: "say", values: { words: "größer " } });
    const info = await replay("info", golden);
    expect(info.stdout).toContain("  commands     build, say, select, upload, halt\n");
    expect(info.stdout).toContain(
      "  seats        Ada (player 0) joined in tick 0, Bo 🎲 (player 2) joined in",
    );
  });

  test("ends quietly when the reader of a pipe closes it", async () => {
    const command = `'${process.execPath}' '${join(ROOT, "dist/cli/main.js")}' replay print --json replays/01.twr`;
    const { stdout, stderr } = await project.run("sh", [
      "-c",
      `for i in 1 2 3; do ${command}; done | head -n 1`,
    ]);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(stderr).toBe("");
  });
});

describe("diff", () => {
  test("equal recordings", async () => {
    const { status, stdout } = await replay("diff", "replays/00.twr", "replays/00.twr", "--sim", "game.mjs");
    expect(stdout).toBe("inputs   equal in 300 ticks\nstates   equal in 301 simulated states\n");
    expect(status).toBe(0);
    const plain = await replay("diff", "replays/00.twr", "replays/00.twr");
    expect(plain.stdout).toContain("states   equal in 5 recorded hashes\n");
  });

  test("recordings of two builds differ in hashes, even if one build reaches the same states in both", async () => {
    project.write(
      "two-builds.mjs",
      `import { writeFileSync } from "node:fs";
import { localSession } from "tickwise/sim";
import { record } from "tickwise/replay";
import game, { hot } from "./game.mjs";
for (const [name, of] of [["by-cold.twr", game], ["by-hot.twr", hot]]) {
  const session = localSession(of);
  const recorder = record(session);
  session.skip(300);
  writeFileSync(name, recorder.bytes());
}`,
    );
    await project.run("node", ["two-builds.mjs"]);
    const { status, stdout } = await replay("diff", "by-cold.twr", "by-hot.twr", "--sim", "game.mjs");
    expect(stdout).toContain("states   equal in 301 simulated states\n");
    expect(stdout).toContain("hashes   the recorded hashes first differ in state 240");
    expect(status).toBe(1);
  });

  test("notes that a file is truncated", async () => {
    const bytes = new Uint8Array(readFileSync(project.path("replays/00.twr")));
    project.write("ends-early.twr", bytes.subarray(0, bytes.length - 3));
    const { stderr } = await replay("diff", "replays/00.twr", "ends-early.twr");
    expect(stderr).toMatch(/^ends-early.twr: byte \d+: /);
  });

  test("reports the first input, the first state and its fields", async () => {
    await project.recordTwo("a.twr", "b.twr");
    const { status, stdout } = await replay("diff", "a.twr", "b.twr", "--sim", "game.mjs");
    expect(stdout).toBe(`\
inputs   first differ in tick 70 (30 of 100 ticks differ)
         player 1, aim: 0 ≠ 1
states   first differ in state 71
         at[1].x: 0 ≠ 0.0002777777777777778
         at[1].v: 0 ≠ 0.016666666666666666
         inputs[1].before.word0: 0 ≠ 1016
`);
    expect(status).toBe(1);
    const plain = await replay("diff", "a.twr", "b.twr");
    expect(plain.stdout).toContain(
      "states   recorded hashes first differ in state 100 (state 60 was equal)\n         use --sim MODULE",
    );
    const [line] = linesOf(await replay("diff", "a.twr", "b.twr", "--sim", "game.mjs", "--json"));
    expect(line).toMatchObject({
      outcome: "differs",
      titles: [],
      inputs: {
        ticks: 100,
        differing: 30,
        first: { tick: 70, fields: [{ player: 1, name: "aim", a: 0, b: 1 }] },
      },
      states: { outcome: "differs", tick: 71 },
    });
  });

  test("--json prints numbers as numbers, except those that JSON does not have", async () => {
    project.write(
      "numbers.mjs",
      `import { writeFileSync } from "node:fs";
import { button, int, localSession, simulation } from "tickwise/sim";
import { record } from "tickwise/replay";
import { f64, layout } from "tickwise/state";
const make = (version, rate) => simulation({
  name: "numbers", version, rate, input: { fire: button, weapon: int(1, 5) },
  state: layout({ none: f64, most: f64, least: f64, zero: f64, plain: f64 }),
  step(world, [{ fire }]) {
    if (fire) Object.assign(world, { none: NaN, most: Infinity, least: -Infinity, zero: -0, plain: 0.1 });
  },
});
export default make(1, 60);
const write = (name, game, fire, seed, ticks) => {
  const session = localSession(game, { seed, inputs: ([player]) => {
    player.fire = fire;
    player.weapon = fire ? 3 : 1;
  } });
  const recorder = record(session);
  session.skip(ticks);
  writeFileSync(name, recorder.bytes());
};
if (process.argv[2] === "write") {
  write("rest.twr", make(1, 60), false, 1, 20);
  write("fire.twr", make(1, 60), true, "1", 30);
  write("fire-too.twr", make(1, 60), true, 1, 20);
  write("second.twr", make(2, [30000, 1001]), false, 1, 20);
}`,
    );
    await project.run("node", ["numbers.mjs", "write"]);
    const [line] = linesOf(await replay("diff", "rest.twr", "fire.twr", "--json")) as {
      inputs: { first: object };
    }[];
    expect(line).toMatchObject({
      titles: [
        { part: "seed", a: 1, b: "1" },
        { part: "ticks", a: [0, 20], b: [0, 30] },
      ],
      inputs: { first: { tick: 0 } },
    });
    // Exactly these fields.
    expect(line!.inputs.first).toEqual({
      tick: 0,
      fields: [
        { player: 0, name: "fire", a: false, b: true },
        { player: 0, name: "weapon", a: 1, b: 3 },
      ],
    });
    const [done] = linesOf(
      await replay("diff", "rest.twr", "fire-too.twr", "--sim", "numbers.mjs", "--json"),
    ) as { states: { differences: object[] } }[];
    expect(done!.states.differences.slice(0, 5)).toEqual([
      { path: "none", a: 0, b: "NaN" },
      { path: "most", a: 0, b: "Infinity" },
      { path: "least", a: 0, b: "-Infinity" },
      { path: "zero", a: 0, b: "-0" },
      { path: "plain", a: 0, b: 0.1 },
    ]);
    const [titles] = linesOf(await replay("diff", "rest.twr", "second.twr", "--json"));
    expect(titles!["titles"]).toMatchObject([
      { part: "version", a: 1, b: 2 },
      { part: "rate", a: [60, 1], b: [30000, 1001] },
      { part: "state" },
    ]);
    const text = await replay("diff", "rest.twr", "second.twr");
    expect(text.stdout).toMatch(/^version +1 ≠ 2\nrate +60\/1 ≠ 30000\/1001\n/);
    const seeds = await replay("diff", "rest.twr", "fire.twr");
    expect(seeds.stdout).toMatch(
      /^seed +1 ≠ "1"\nticks +0 to 20 ≠ 0 to 30\n[^]*fire: false ≠ true\n.*weapon: 1 ≠ 3\n/,
    );
  });

  test("reports another seed, and another simulation", async () => {
    const seeds = await replay("diff", "replays/00.twr", "replays/01.twr", "--sim", "game.mjs");
    expect(seeds.stdout).toMatch(/^seed +0 ≠ 1\n/);
    expect(seeds.stdout).toContain("states   first differ in state 0\n");
    const other = await replay("diff", "replays/00.twr", join(GOLDEN, "v1-full.twr"));
    expect(other.stdout).toMatch(/^name +crates ≠ duel\n[^]*These are recordings of different simulations/);
    expect([seeds.status, other.status]).toEqual([1, 1]);
    const wrong = await replay("diff", "replays/00.twr", "replays/01.twr", "--sim", "game.mjs#newer");
    expect(wrong.stderr).toBe(
      "tickwise: replays/00.twr: it is a recording of crates, version 1, but --sim is crates, version 2. Use the build that it was recorded with.\n",
    );
    expect(wrong.status).toBe(2);
  });

  test("reports a step that throws", async () => {
    const { status, stdout } = await replay(
      "diff",
      "replays/00.twr",
      "replays/00.twr",
      "--sim",
      "game.mjs#throwing",
    );
    expect(stdout).toMatch(/states +the step of tick 200 threw TypeError: .*\n +at game.mjs:\d+:\d+\n$/);
    expect(status).toBe(1);
    const [line] = linesOf(
      await replay(..."diff replays/00.twr replays/00.twr --sim game.mjs#throwing --json".split(" ")),
    );
    expect(line!["states"]).toMatchObject({ outcome: "failed", tick: 200 });
  });
});

describe("cut", () => {
  test("cuts from any state with --sim, and the part can be verified", async () => {
    const args = ["cut", "replays/07.twr", "--from", "100", "--to", "250", "--out", "part.twr"];
    const without = await replay(...args);
    expect(without).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "tickwise: the file has no keyframe of state 100: give --sim MODULE to simulate it, or use --from 0 or --from 120.\n",
    });
    const { status, stdout } = await replay(...args, "--sim", "game.mjs");
    expect(stdout).toMatch(/^part.twr: ticks 100 to 250, [\d,]+ bytes\n$/);
    expect(status).toBe(0);
    const part = readReplay(new Uint8Array(readFileSync(project.path("part.twr"))));
    expect([part.first, part.last, part.ending, part.info.meta]).toEqual([100, 250, "done", { match: 7 }]);
    const verified = await replay("verify", "--sim", "game.mjs", "part.twr");
    expect(verified.stdout).toContain("ok          part.twr: ticks 100 to 250, 3 states compared");
    const again = await replay(...args, "--sim", "game.mjs");
    expect(again.stderr).toBe("tickwise: part.twr already exists. Use --force to overwrite it.\n");
    expect((await replay(...args, "--sim", "game.mjs", "--force")).status).toBe(0);
  });

  test("cuts from a keyframe, or from the start, without --sim", async () => {
    expect((await replay("cut", "replays/07.twr", "--from", "120", "--out", "late.twr")).status).toBe(0);
    expect((await replay("cut", "replays/07.twr", "--to", "61", "--out", "early.twr")).status).toBe(0);
    const { stdout } = await replay("verify", "--sim", "game.mjs", "late.twr", "early.twr");
    expect(stdout).toBe(`\
ok          late.twr: ticks 120 to 300, 4 states compared
ok          early.twr: ticks 0 to 61, 1 state compared
2 files: 2 ok
`);
    const short = await replay("cut", "replays/07.twr", "--to", "20", "--out", "short.twr");
    expect(short.stderr).toBe(
      "short.twr: the part has no checkpoints, so replay verify has nothing to compare.\n",
    );
    const nothing = await replay("verify", "--sim", "game.mjs", "short.twr");
    expect(nothing.stdout).toContain(
      "no checkpoints were recorded in 20 ticks, so there is nothing to compare.",
    );
    expect(nothing.status).toBe(2);
  });

  test.each([
    ["replays", [], `replays is a folder. Give a file: --out ${join("replays", "part.twr")}.`],
    ["replays", ["--force"], `replays is a folder. Give a file: --out ${join("replays", "part.twr")}.`],
    ["absent/x.twr", [], "absent/x.twr cannot be written: the folder absent does not exist."],
    ["game.mjs/x", [], "game.mjs/x cannot be written: the folder game.mjs does not exist."],
    ["absent/", [], `absent/ is a folder. Give a file: --out ${join("absent", "part.twr")}.`],
  ])("does not write to %s %j", async (out, more, message) => {
    const { status, stderr } = await replay("cut", "replays/07.twr", "--from", "120", "--out", out, ...more);
    expect(stderr).toBe(`tickwise: ${message}\n`);
    expect(status).toBe(2);
  });

  test("fails if the simulation throws on the way", async () => {
    const args = ["--from", "299", "--out", "hot.twr", "--sim", "game.mjs#hot"];
    const hot = await replay("cut", "replays/07.twr", ...args);
    // The nearest keyframe is after the divergence, so it does not matter.
    expect(hot.status).toBe(0);
    const parted = await replay(
      "cut",
      "replays/07.twr",
      "--from",
      "239",
      "--out",
      "no.twr",
      "--sim",
      "game.mjs#throwing",
    );
    expect(parted.stderr).toMatch(/^tickwise: replays\/07.twr: the step of tick 200 threw TypeError/);
    expect(parted.status).toBe(1);
    const json = await replay(
      ..."cut replays/07.twr --from 239 --out no.twr --sim game.mjs#throwing --json".split(" "),
    );
    expect(linesOf(json)).toEqual([
      {
        file: "replays/07.twr",
        outcome: "failed",
        tick: 200,
        message: expect.stringContaining("the step of tick 200 threw TypeError"),
      },
    ]);
    expect([json.status, json.stderr]).toEqual([1, ""]);
  });

  test("rejects another simulation", async () => {
    const { status, stderr } = await replay(
      ..."cut replays/07.twr --from 100 --out other.twr --sim game.mjs#newer".split(" "),
    );
    expect(stderr).toMatch(
      /^tickwise: replays\/07.twr: it is a recording of crates, version 1, but --sim is crates, version 2\./,
    );
    expect(status).toBe(2);
  });

  test.each([
    [["--from", "10"], "--out FILE is required: the file to write."],
    [["--out", "x.twr"], "nothing to cut: give --from TICK, --to TICK or both."],
    [["--out", "x.twr", "--to", "301"], "--to must be from 0 to 300, the ticks of replays/07.twr, got 301."],
    [["--out", "x.twr", "--from", "20", "--to", "20"], "--from must be less than --to, got 20 and 20."],
    [["--out", "x.twr", "--from", "-1"], "--from must be a whole number, 0 or more, got -1."],
  ])("%j is rejected", async (args, message) => {
    const { status, stderr } = await replay("cut", "replays/07.twr", ...args);
    expect(stderr).toBe(`tickwise: replay cut: ${message}\nSee tickwise replay cut --help\n`);
    expect(status).toBe(2);
  });
});
