import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_SCENES, inputsOf } from "../../scenes/index.js";
import { ROOT } from "../../scripts/setup.mjs";
import { record } from "../../src/replay/index.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";
import { sampleOf } from "../shared/sample.js";
import { linesOf, Project } from "./project.js";

const project = new Project();
beforeAll(() => project.record());
afterAll(() => project.remove());

const verify = (...args: string[]) => project.quick("replay", "verify", ...args);
/** In a process of its own: several at once, or with what a simulation prints. */
const verifyAlone = (...args: string[]) => project.tickwise("replay", "verify", ...args);

test("prints a line for each of 50 files, in order, and a summary", async () => {
  const { status, stdout, stderr } = await verify("--sim", "game.mjs", "replays");
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(51);
  expect(lines[0]).toBe("ok          replays/00.twr: ticks 0 to 300, 5 states compared");
  expect(lines.slice(0, 50).map((line) => /(\d+)\.twr/.exec(line)![1])).toEqual(
    Array.from({ length: 50 }, (_, i) => `${i}`.padStart(2, "0")),
  );
  expect(lines[50]).toBe("50 files: 50 ok");
  expect([status, stderr]).toEqual([0, ""]);
});

test("verifies a file once, even if it is given by several paths", async () => {
  symlinkSync(project.path("replays/deep/41.twr"), project.path("link.twr"));
  const spellings = ["./replays/deep/41.twr", project.path("replays/deep/42.twr"), "absent.twr"];
  const again = ["replays/deep", "replays/../replays/deep/40.twr", "./absent.twr", "link.twr"];
  const ended = await verify("--sim", "game.mjs", "--json", ...spellings, ...again);
  expect(linesOf(ended).map(({ file }) => file)).toEqual([
    ...spellings,
    ...[40, 43, 44, 45, 46, 47, 48, 49].map((seed) => join("replays/deep", `${seed}.twr`)),
  ]);
  const { stdout } = await verify("--sim", "game.mjs", "--quiet", "replays/deep", "replays/deep/40.twr");
  expect(stdout).toBe("10 files: 10 ok\n");
  const info = await project.tickwise("replay", "info", "replays/00.twr", "./replays/00.twr");
  expect(info.stdout.match(/^ +seed/gm)).toHaveLength(1);
});

test("--json prints one value per line, and nothing else", async () => {
  const ended = await verify("--sim", "game.mjs", "--json", "replays");
  const lines = linesOf(ended);
  expect(lines).toHaveLength(50);
  expect(lines[49]).toEqual({
    file: "replays/deep/49.twr",
    outcome: "ok",
    name: "crates",
    version: 1,
    first: 0,
    last: 300,
    compared: 5,
    hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    starts: "init",
    ending: "done",
    note: "",
  });
  expect(ended.status).toBe(0);
});

test("reports a divergence with its states and fields, with status 1", async () => {
  const { status, stdout } = await verify("--sim", "game.mjs#hot", "replays/07.twr", "replays/08.twr");
  expect(stdout.replace(/\d+\.\d+/g, "N")).toBe(`\
differs     replays/07.twr: in state 240 (state 180 was equal)
            recorded ≠ now:
            heat: N ≠ N
differs     replays/08.twr: in state 240 (state 180 was equal)
            recorded ≠ now:
            heat: N ≠ N
2 files: 2 differ
`);
  expect(status).toBe(1);
  const [line] = linesOf(await verify("--sim", "game.mjs#hot", "--json", "replays/07.twr"));
  expect(line).toMatchObject({ outcome: "differs", tick: 240, after: 180, exact: false, fieldsAt: 240 });
  expect(line!["differences"]).toEqual([{ path: "heat", a: expect.any(Number), b: expect.any(Number) }]);
});

test("--against reports the first state in which two builds differ", async () => {
  const both = await verifyAlone("--sim", "game.mjs#hot", "--against", "game.mjs", "replays/07.twr");
  expect(both.stdout.replace(/\d+\.\d+/g, "N")).toBe(`\
differs     replays/07.twr: first in state 201
            --sim ≠ --against:
            heat: N ≠ N
1 file: 1 differs
`);
  expect(both.status).toBe(1);
  const same = await verifyAlone(
    "--sim",
    "game.mjs",
    "--against",
    "game.mjs#talking",
    "--quiet",
    "replays/07.twr",
  );
  expect(same).toEqual({ status: 0, stdout: "1 file: 1 ok\n", stderr: "in tick 5\n" });
  const newer = await verifyAlone("--sim", "game.mjs", "--against", "game.mjs#newer", "replays/07.twr");
  expect(newer).toEqual({
    status: 2,
    stdout: "",
    stderr:
      "tickwise: --sim is crates, version 1, but --against is crates, version 2. Only builds with the same name, version, state and inputs can be compared.\n",
  });
});

test("reports a step that throws with its tick and line, and verifies the other files", async () => {
  project.write(
    "partly.mjs",
    'import { make } from "./game.mjs";\nexport default make((world) => {\n  if (world.score > 1) throw new TypeError("no");\n});\n',
  );
  const { status, stdout } = await verify(
    "--sim",
    "partly.mjs",
    "replays/00.twr",
    "replays/01.twr",
    "replays/02.twr",
  );
  expect(stdout).toBe(`\
ok          replays/00.twr: ticks 0 to 300, 5 states compared
failed      replays/01.twr
            the step of tick 50 threw TypeError: no
              at partly.mjs:3:30
ok          replays/02.twr: ticks 0 to 300, 5 states compared
3 files: 2 ok, 1 failed
`);
  expect(status).toBe(1);
});

test.concurrent("gives up on a step that hangs, and verifies the other files", async () => {
  const { status, stdout } = await verifyAlone(
    ..."--sim game.mjs#hanging --timeout 8 --jobs 2".split(" "),
    ..."replays/00.twr replays/01.twr replays/02.twr replays/03.twr".split(" "),
  );
  expect(stdout).toBe(`\
ok          replays/00.twr: ticks 0 to 300, 5 states compared
timeout     replays/01.twr
            the step of tick 200 does not return: gave up after 8 s
ok          replays/02.twr: ticks 0 to 300, 5 states compared
ok          replays/03.twr: ticks 0 to 300, 5 states compared
4 files: 3 ok, 1 timeout
`);
  expect(status).toBe(1);
});

beforeAll(() =>
  project.write(
    "falling.mjs",
    `import { simulation } from "tickwise/sim";
import game, { make } from "./game.mjs";
export { leaving, throwing } from "./game.mjs";
const nap = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
export const stuck = make((_, tick) => { if (tick === 200) for (;;) nap(); });
export const later = simulation({ ...game.options, async step() {} });
export const unready = simulation({ ...game.options, init() { throw new Error("no"); } });
export const bare = make((_, tick) => { if (tick === 200) throw Object.create(null); });
export const stackless = make((_, tick) => { if (tick === 200) throw Object.assign(new Error("no stack"), { stack: 5 }); });
export const stillborn = simulation({ ...game.options, init() { for (;;) nap(); } });`,
  ),
);

test.concurrent.each([
  ["throwing", "failed", 200, "the step of tick 200 threw TypeError"],
  ["leaving", "failed", 200, "the simulation crashed in tick 200"],
  ["stuck", "timeout", 200, "the step of tick 200 does not return"],
  // Before the first step, there is no tick.
  ["unready", "failed", undefined, "init threw Error: no"],
  ["later", "failed", 0, "Simulation: step must be synchronous"],
  ["stillborn", "timeout", undefined, "init does not return"],
  // Anything can be thrown.
  ["bare", "failed", 200, "the step of tick 200 threw an object that cannot be shown"],
  ["stackless", "failed", 200, "the step of tick 200 threw Error: no stack"],
])("--json: %s is %s, with its tick", async (name, outcome, tick, message) => {
  const sim = `falling.mjs#${name}`;
  const ended = await verifyAlone("--sim", sim, "--timeout", "8", "--json", "replays/00.twr");
  const [line] = linesOf(ended);
  expect(line).toEqual({ file: "replays/00.twr", outcome, tick, message: expect.stringContaining(message) });
  expect(ended.status).toBe(1);
});

test.concurrent("distinguishes a slow simulation from one that hangs", async () => {
  const args = ["--sim", "game.mjs#slow", "--timeout", "4", "replays/00.twr"];
  const [{ status, stdout }, json] = await Promise.all([
    verifyAlone(...args),
    verifyAlone(...args, "--json"),
  ]);
  expect(stdout).toMatch(/\n +only reached tick \d+ of 300 in 4 s: increase --timeout\n/);
  expect(status).toBe(1);
  const [line] = linesOf(json);
  expect(line!["message"]).toContain(`only reached tick ${line!["tick"] as number} of 300`);
});

test("reports a simulation that exits, for each file", async () => {
  const { status, stdout } = await verify("--sim", "game.mjs#leaving", "replays/00.twr", "replays/01.twr");
  expect(stdout).toContain(
    "failed      replays/01.twr\n            the simulation crashed in tick 200: it called process.exit, or was killed, with status 3\n",
  );
  expect(status).toBe(1);
});

test("prints the output of the simulation to stderr", async () => {
  const ended = await verifyAlone("--sim", "game.mjs#talking", "--json", "replays/00.twr");
  expect(linesOf(ended)).toHaveLength(1);
  expect(ended.stderr).toBe("in tick 5\n");
});

test("prints all output of a simulation, even if a step throws", async () => {
  project.write(
    "chatty.mjs",
    `import { make } from "./game.mjs";
export default make((_, tick) => {
  console.log("tick", tick);
  if (tick === 200) throw new Error("enough");
});`,
  );
  const { stderr, stdout } = await verifyAlone("--sim", "chatty.mjs", "replays/00.twr");
  expect(stdout).toContain("the step of tick 200 threw Error: enough");
  expect(
    stderr
      .trim()
      .split("\n")
      .map((line) => Number(line.slice(5))),
  ).toEqual(Array.from({ length: 201 }, (_, i) => i));
});

test("--guard fails if a step calls something that is not deterministic", async () => {
  const { status, stdout } = await verify("--sim", "game.mjs#chancy", "--guard", "replays/00.twr");
  expect(stdout).toMatch(
    /the step of tick 0: Math\.random is not deterministic .* the risk: --allow Math\.random\n/,
  );
  expect(status).toBe(1);
  project.write(
    "timed.mjs",
    'import { make } from "./game.mjs";\nexport default make(() => void Date.now());',
  );
  const forbidden = await verify("--sim", "timed.mjs", "--guard", "replays/00.twr");
  expect(forbidden.stdout).toMatch(/: --allow Date\.now\n/);
  const allowed = await verify("--sim", "timed.mjs", "--guard", "--allow", "Date.now", "replays/00.twr");
  expect(allowed.stdout).toMatch(/^ok /);
});

test("says why a file cannot be read, with status 2 whatever else was found", async () => {
  const bytes = new Uint8Array(readFileSync(project.path("replays/00.twr")));
  project.write("short.twr", bytes.subarray(0, -3));
  project.write(
    "damaged.twr",
    bytes.map((byte, i) => (i === bytes.length - 40 ? byte ^ 255 : byte)),
  );
  project.write(
    "later.twr",
    bytes.map((byte, i) => (i === 4 ? 9 : byte)),
  );
  project.write("picture.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10));
  project.write("empty.twr", "");
  project.write("headless.twr", bytes.subarray(0, 100));
  const files =
    "short.twr damaged.twr later.twr game.mjs picture.png empty.twr headless.twr nothing.twr replays/01.twr".split(
      " ",
    );
  const { status, stdout } = await verify("--sim", "game.mjs#hot", ...files);
  // Without the fields that differ, and the numbers of bytes.
  expect(
    stdout
      .replace(/^ +(recorded|heat).*\n/gm, "")
      .replace(/byte \d\d+/, "byte N")
      .replace(/of \d+ bytes/, "of N bytes"),
  ).toBe(`\
differs     short.twr: in state 240 (state 180 was equal)
unreadable  damaged.twr
            the file is damaged: byte N: a chunk has a wrong checksum; it is intact up to tick 300.
unreadable  later.twr
            the file has format version 9, but this version of Tickwise reads only up to 1. Update tickwise.
unreadable  game.mjs
            not a recording: it begins with "\\nimp", not with "TWRP"
unreadable  picture.png
            not a recording: it begins with the bytes 89 50 4e 47, not with "TWRP"
unreadable  empty.twr
            the file is empty
unreadable  headless.twr
            byte 8: the file ends in a chunk, after 80 of N bytes. Use the file exactly as it was recorded.
unreadable  nothing.twr
            no such file
differs     replays/01.twr: in state 240 (state 180 was equal)
9 files: 2 differ, 7 unreadable
`);
  expect(status).toBe(2);
  const [line] = linesOf(await verify("--sim", "game.mjs", "--json", "damaged.twr"));
  expect(line).toMatchObject({ outcome: "unreadable", ending: "damaged", first: 0, last: 300 });
});

describe("a recording of another simulation", () => {
  beforeAll(() =>
    project.write(
      "others.mjs",
      `import { button, simulation } from "tickwise/sim";
import { layout, u32 } from "tickwise/state";
import game from "./game.mjs";
const make = (change) => simulation({ ...game.options, ...change });
export default game;
export const renamed = make({ name: "boxes" });
export const slower = make({ rate: 30, players: 1 });
export const lesser = make({ input: { left: button } });
export const emptier = make({ state: layout({ score: u32 }) });`,
    ),
  );

  test.each([
    ["game.mjs#newer", "it is a recording of crates, version 1, but --sim is crates, version 2"],
    ["others.mjs#renamed", "it is a recording of crates, version 1, but --sim is boxes, version 1"],
    [
      "others.mjs#slower",
      "it is a recording of crates, version 1, like --sim, but differs in rate (60/1 ≠ 30/1), players (2 ≠ 1)",
    ],
    [
      "others.mjs#lesser",
      "it is a recording of crates, version 1, like --sim, but differs in inputs (left, right, jump, aim (axis of 8 bits), weapon (1 to 5) ≠ left)",
    ],
    [
      "others.mjs#emptier",
      "it is a recording of crates, version 1, like --sim, but differs in state (heat (f64) was removed; at.x (f64 × 2) was removed; at.v (f64 × 2) was removed)",
    ],
  ])("is reported as such, with %s", async (sim, message) => {
    const { status, stdout, stderr } = await verify("--sim", sim, "replays/00.twr", "replays/01.twr");
    const lines = ["00", "01"].map(
      (name) =>
        `other       replays/${name}.twr\n            ${message}. Use the build that it was recorded with.\n`,
    );
    expect(stdout.replace(/[0-9a-f]{16}/g, "FINGERPRINT")).toBe(`${lines.join("")}2 files: 2 other\n`);
    expect([status, stderr]).toEqual([1, ""]);
  });

  test("--json describes both simulations; an unreadable file makes the status 2", async () => {
    const ended = await verify("--sim", "others.mjs#slower", "--json", "replays/00.twr", "absent.twr");
    const fingerprint = expect.stringMatching(/^[0-9a-f]{16}$/);
    const common = { name: "crates", version: 1, profile: 1, fingerprint };
    const [other, absent] = linesOf(ended) as { recorded: object; given: object }[];
    expect(other).toEqual({
      file: "replays/00.twr",
      outcome: "other",
      message: expect.stringContaining("it is a recording of crates, version 1"),
      recorded: { ...common, rate: [60, 1], players: 2 },
      given: { ...common, rate: [30, 1], players: 1 },
    });
    expect(absent).toMatchObject({ outcome: "unreadable" });
    expect(ended.status).toBe(2);
  });
});

/** Bundles a module with its own copy of the library. */
const bundle = (contents: string, name: string) =>
  buildSync({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    outfile: project.path(name),
  });

test("verifies the golden recordings", async () => {
  bundle('import { duel } from "./test/replay/duel.js";\nexport const game = duel();', "duel.mjs");
  bundle('export { orders } from "./test/replay/orders.js";', "orders.mjs");
  const folder = join(ROOT, "test/golden");
  const files = readdirSync(folder).filter((name) => name.endsWith(".twr"));
  const paths = (isOfOrders: boolean) =>
    files.filter((name) => name.includes("events") === isOfOrders).map((name) => join(folder, name));
  const ended = await verify("--sim", "duel.mjs", "--json", ...paths(false));
  const others = await verify("--sim", "orders.mjs", "--json", ...paths(true));
  const lines = [...linesOf(ended), ...linesOf(others)];
  expect(lines).toHaveLength(files.length);
  for (const { file, outcome, hash } of lines) {
    const golden = JSON.parse(readFileSync((file as string).replace(".twr", ".json"), "utf8"));
    expect([file, outcome, hash]).toEqual([
      file,
      "ok",
      hashText(golden.hash.split(",").map(Number) as [number, number]),
    ]);
  }
  expect([ended.status, others.status]).toEqual([0, 0]);
});

test("verifies the bug report of the examples", async () => {
  const folder = join(ROOT, "examples/replays");
  const { status, stdout } = await verify("--sim", join(folder, "game.mjs"), join(folder, "reports"));
  expect(stdout).toMatch(
    /^ok .*third-landing\.twr: ticks 0 to \d+, \d+ states compared\n.*\n1 file: 1 ok\n$/,
  );
  expect(status).toBe(0);
});

describe("scenes", () => {
  const scenes = ALL_SCENES.filter(([name]) => name !== "balls");

  beforeAll(async () => {
    const lines = scenes.map(([name]) => `export const ${name} = SCENES.${name}.simulation;`);
    bundle(`import { SCENES } from "./scenes/index.js";\n${lines.join("\n")}`, "scenes.mjs");
    for (const [name, scene] of scenes) {
      const session = localSession(scene.simulation, { seed: name, inputs: inputsOf(scene) });
      const recorder = record(session);
      session.skip(400);
      project.write(`${name}.twr`, await recorder.save());
    }
  });

  test.each(sampleOf(scenes, 3).map(([name]) => name))("%s matches its recording", async (name) => {
    const ended = await verify("--sim", `scenes.mjs#${name}`, `${name}.twr`);
    expect(ended).toEqual({
      status: 0,
      stdout: `ok          ${name}.twr: ticks 0 to 400, 7 states compared\n1 file: 1 ok\n`,
      stderr: "",
    });
  });
});

// The program `script` provides a terminal.
test.skipIf(spawnSync("script", ["--version"]).status !== 0)(
  "a terminal shows a progress bar and colours",
  async () => {
    const command = `${process.execPath} ${ROOT}dist/cli/main.js replay verify --sim game.mjs --quiet replays`;
    const { stdout } = await project.run("script", ["-qec", command, "/dev/null"], { TERM: "xterm" });
    expect(stdout).toMatch(/[█░]{24} \d+ of 50 files/);
    // The bar disappears at the end.
    expect(stdout.endsWith("\r\x1b[K50 files: 50 ok\r\n")).toBe(true);
    const plain = await project.run("script", ["-qec", command.replace("--quiet ", ""), "/dev/null"], {
      TERM: "xterm",
      NO_COLOR: "1",
    });
    expect(plain.stdout).not.toContain("\x1b[32m");
  },
);
