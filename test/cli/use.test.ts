import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { linesOf, Project } from "./project.js";

const project = new Project();
afterAll(() => project.remove());
const tickwise = (...args: string[]) => project.tickwise(...args);

const COMMANDS = [
  "new",
  "replay info",
  "replay verify",
  "replay diff",
  "replay cut",
  "replay print",
  "synctest",
  "stability",
  "desync",
  "serve",
  "worker",
  "lab",
];

describe("help", () => {
  test("lists all commands", async () => {
    const { status, stdout, stderr } = await tickwise("--help");
    expect(stdout).toMatchSnapshot();
    expect([status, stderr]).toEqual([0, ""]);
    for (const args of [["-h"], ["help"]]) expect((await project.quick(...args)).stdout).toBe(stdout);
  });

  test.each(COMMANDS)("describes %s", async (name) => {
    const { status, stdout } = await project.quick(...name.split(" "), "--help");
    expect(stdout).toMatchSnapshot();
    expect(status).toBe(0);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect((await project.quick("help", ...name.split(" "))).stdout).toBe(stdout);
  });

  test("--version prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(await tickwise("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
});

test.each([
  [[], "no command given."],
  [["replay"], "replay needs a subcommand: info, verify, diff, cut, print."],
  [["replay", "verfy"], "unknown command replay verfy. Did you mean replay verify?\nSee tickwise --help"],
  [["verify", "a.twr"], "unknown command verify. Did you mean replay verify?\nSee tickwise --help"],
  [["synctst"], "unknown command synctst. Did you mean synctest?\nSee tickwise --help"],
  [["verfy", "a.twr"], "unknown command verfy. Did you mean replay verify?\nSee tickwise --help"],
  [["repaly"], "unknown command repaly. Did you mean replay?\nSee tickwise --help"],
  [["repaly", "verify"], "unknown command repaly. Did you mean replay verify?\nSee tickwise --help"],
  [["SyncTest"], "unknown command SyncTest. Did you mean synctest?\nSee tickwise --help"],
  [["--verison"], "unknown option --verison. Did you mean --version?\nSee tickwise --help"],
  [["--sim", "game.mjs", "synctest"], "no command given before --sim.\nSee tickwise --help"],
  [["conjure"], `unknown command conjure. Commands: ${COMMANDS.join(", ")}.\nSee tickwise --help`],
  [
    ["synctest", "--sim", "game.mjs", "--tick", "9"],
    "synctest: unknown option --tick. Did you mean --ticks?\nSee tickwise synctest --help",
  ],
  [
    ["replay", "verify", "--seim", "x"],
    "replay verify: unknown option --seim. Did you mean --sim?\nSee tickwise replay verify --help",
  ],
  [
    ["replay", "verify", "-sim", "game.mjs", "a.twr"],
    "replay verify: unknown option -sim. Did you mean --sim?\nSee tickwise replay verify --help",
  ],
  [
    ["replay", "verify", "--JSON", "a.twr"],
    "replay verify: unknown option --JSON. Did you mean --json?\nSee tickwise replay verify --help",
  ],
  [["lab", "--colour"], "lab: unknown option --colour. Options: --port, --help.\nSee tickwise lab --help"],
  [["synctest", "--sim"], "synctest: --sim needs a value: --sim MODULE.\nSee tickwise synctest --help"],
  [
    ["synctest", "--sim", "--json"],
    "synctest: --sim needs a value: --sim MODULE.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "a.js", "--sim", "b.js"],
    "synctest: --sim is given twice.\nSee tickwise synctest --help",
  ],
  [["synctest", "--json=yes"], "synctest: --json takes no value, got yes.\nSee tickwise synctest --help"],
  [
    ["synctest"],
    "synctest: --sim MODULE is required: the module that exports the simulation to test.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "game.mjs", "more"],
    "synctest: unexpected argument more.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "game.ts"],
    "synctest: unexpected argument game.ts. Did you mean --sim game.ts?\nSee tickwise synctest --help",
  ],
  [["lab", "more"], "lab: unexpected argument more.\nSee tickwise lab --help"],
  [
    ["synctest", "--sim", "game.mjs", "--allow", "performance.now"],
    "synctest: --allow needs --guard: without it, all calls are allowed.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "game.mjs", "--ticks", "many"],
    "synctest: --ticks must be a whole number, 1 or more, got many.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "game.mjs", "--timeout", "0"],
    "synctest: --timeout must be a positive number of seconds, got 0.\nSee tickwise synctest --help",
  ],
  [
    ["replay", "verify", "--sim", "game.mjs"],
    "replay verify: FILE is missing.\nSee tickwise replay verify --help",
  ],
  [
    ["replay", "verify", "--sim", "game.mjs", "--every", "1", "a.twr"],
    "replay verify: --every needs --against: without it, the checkpoints of the file are compared.\nSee tickwise replay verify --help",
  ],
  [["replay", "diff", "a.twr"], "replay diff: expected 2 files, got 1.\nSee tickwise replay diff --help"],
  [["replay", "print", "a.twr"], "a.twr: no such file"],
  [["replay", "info", "game.mjs/a.twr"], "game.mjs/a.twr: no such file"],
  [
    ["replay", "info", "node_modules/tickwise/scripts"],
    "node_modules/tickwise/scripts: no .twr files in this folder.",
  ],
])("tickwise %j prints an error", async (args, message) => {
  const { status, stderr } = await project.quick(...args);
  expect(stderr).toBe(`tickwise: ${message}\n`);
  expect(status).toBe(2);
});

// Concurrently, as some mostly wait.
describe.concurrent("synctest", () => {
  test("passes a deterministic simulation", async () => {
    const { status, stdout } = await tickwise(
      "synctest",
      "--sim",
      "game.mjs",
      "--ticks",
      "100",
      "--seed",
      "-3",
    );
    expect(stdout).toMatch(
      /^ok {2}crates, version 1: 100 ticks, each rolled back by 8 ticks and simulated again; hash [0-9a-f]{16}\n$/,
    );
    expect(status).toBe(0);
    const [line] = linesOf(await tickwise("synctest", "--sim", "game.mjs", "--json"));
    expect(line).toMatchObject({ sim: "game.mjs", outcome: "ok", name: "crates", ticks: 600 });
  });

  test("reports the state and the fields of one that is not", async () => {
    const { status, stdout } = await tickwise("synctest", "--sim", "game.mjs", "--export", "leaking");
    expect(stdout).toMatch(
      /^differs {2}crates is not deterministic: state \d+ differs (after a rollback|from a run without rollbacks|in a copy made from a snapshot):\n {2}heat: /,
    );
    expect(status).toBe(1);
    const guarded = await tickwise("synctest", "--sim", "game.mjs#chancy", "--guard");
    expect(guarded.stdout).toMatch(/^failed {2}the step of tick 0: Math\.random is not deterministic/);
    expect(guarded.status).toBe(1);
    const [line] = linesOf(await tickwise("synctest", "--sim", "game.mjs#chancy", "--guard", "--json"));
    expect(line).toMatchObject({ outcome: "failed", tick: 0 });
  });

  test("--allow permits calls that --guard forbids", async () => {
    project.write(
      "timed.mjs",
      'import { make } from "./game.mjs";\nexport default make(() => { performance.now(); Date.now(); new Date(); });',
    );
    const run = (...allow: string[]) =>
      tickwise("synctest", "--sim", "timed.mjs", "--ticks", "50", "--guard", ...allow);
    expect((await run("--allow", "performance.now")).stdout).toMatch(/: --allow Date\.now\n/);
    expect((await run("--allow", "performance.now,Date.now")).stdout).toMatch(/: --allow "new Date\(\)"\n/);
    const all = await run("--allow", "performance.now, Date.now", "--allow", "new Date()");
    expect(all.stdout).toMatch(/^ok {2}crates/);
    expect(all.status).toBe(0);
    const unknown = await run("--allow", "Date.now,Date.then");
    expect(unknown.stderr).toMatch(
      /^tickwise: synctest: --allow: unknown call "Date\.then"\. Known: Math\.acos, .*, new Date\(\)\.\nSee /,
    );
    expect(unknown.status).toBe(2);
  });

  test("gives up on a step that hangs", async () => {
    project.write(
      "hang.mjs",
      'import { make } from "./game.mjs";\nexport default make(() => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); });',
    );
    const { status, stdout } = await tickwise("synctest", "--sim", "hang.mjs", "--timeout", "8");
    expect(stdout).toBe("timeout  the step of tick 0 does not return: gave up after 8 s\n");
    expect(status).toBe(1);
  });
});

describe.concurrent("a module", () => {
  const EXPORTS =
    "It exports chancy (a simulation), default (a simulation), hanging (a simulation), hot (a simulation), leaking (a simulation), leaving (a simulation), make (a function), newer (a simulation), slow (a simulation), talking (a simulation), throwing (a simulation).";

  test.each([
    [
      "swapped.twr",
      "",
      /^synctest: --sim swapped\.twr: this is a recording, but --sim wants the module that exports the simulation/,
    ],
    [
      "notes.txt",
      "",
      "notes.txt is not a module: give the .js, .mjs or .ts file that exports the simulation.",
    ],
    ["nothing.js", undefined, /^--sim nothing.js: no such file: .*nothing\.js$/],
    ["node_modules", undefined, "--sim node_modules: not a file, but a folder. Give the file of the module."],
    ["game.mjs#ht", undefined, "game.mjs has no export ht. Did you mean hot?"],
    ["game.mjs#game", undefined, `game.mjs has no export game. ${EXPORTS}`],
    ["game.mjs#make", undefined, "game.mjs: the export make is a function, not a simulation."],
    ["empty.mjs", "export {};", "empty.mjs exports no simulation. It exports nothing."],
    [
      "two.mjs",
      'export { hot, slow } from "./game.mjs";',
      "two.mjs exports several simulations: hot, slow. Choose one: two.mjs#hot.",
    ],
    [
      "boom.mjs",
      "\nthrow new Error('not today');",
      "boom.mjs could not be loaded: Error: not today\n  at boom.mjs:2:7",
    ],
    ["lacks.mjs", 'import "absent";', /^lacks.mjs could not be loaded: .*Cannot find package 'absent'/],
    [
      "broken.mjs",
      "export const = 1;",
      "broken.mjs could not be loaded: SyntaxError: Unexpected token '='\nRun node broken.mjs to see the line.",
    ],
    [
      "waits.mjs",
      "await new Promise(() => {});",
      "waits.mjs could not be loaded: a top-level await never settled.",
    ],
    [
      "loops.mjs",
      "for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);",
      "loops.mjs did not load within 10 s: its top-level code waits, or does not end.",
    ],
    [
      "leaves.mjs",
      "process.exit(0);",
      "leaves.mjs could not be loaded: it called process.exit, or was killed, with status 0.",
    ],
  ])("%s", async (sim, source, message) => {
    if (source !== undefined) project.write(sim, source);
    const { status, stderr } = await tickwise("synctest", "--sim", sim, "--timeout", "10");
    const said = stderr.slice("tickwise: ".length, -1);
    expect(typeof message === "string" ? said === message : message.test(said), said).toBe(true);
    expect(status).toBe(2);
  });

  test("with one simulation needs no name of the export; the file name may contain a #", async () => {
    project.write("one.mjs", 'export { hot as game } from "./game.mjs"; export const other = 1;');
    expect((await tickwise("synctest", "--sim", "one.mjs", "--ticks", "10")).status).toBe(0);
    project.write("sharp#.mjs", 'export { default } from "./game.mjs";');
    expect((await tickwise("synctest", "--sim", "sharp#.mjs", "--ticks", "10")).status).toBe(0);
  });
});

// An enum, and an import of .js that means .ts: Node cannot run these, even if it runs TypeScript.
const TYPESCRIPT = `
import { make } from "./make.js";
enum Kind { Cold, Hot }
const kind: Kind = Kind.Hot;
export default make((world: { heat: number }) => { world.heat += kind; });
`;

describe("TypeScript", () => {
  const run = async (links: string[]) => {
    const own = new Project(links);
    own.write("game.ts", TYPESCRIPT);
    own.write("make.ts", 'export { make } from "./game.mjs";');
    const ended = await own.tickwise("synctest", "--sim", "game.ts", "--ticks", "50");
    own.remove();
    return ended;
  };

  test.each(["tsx", "jiti"])("is loaded by %s, if that is installed", async (name) => {
    const { status, stdout, stderr } = await run([name]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^ok {2}crates, version 1: 50 ticks/);
    expect(status).toBe(0);
  });

  test("a default export is found in a package of CommonJS, as npm init creates it", async () => {
    const own = new Project(["tsx"]);
    own.write("package.json", '{ "type": "commonjs" }');
    own.write("game.ts", 'import { make } from "./game.mjs";\nexport default make(() => {});');
    const { status, stdout, stderr } = await own.tickwise("synctest", "--sim", "game.ts", "--ticks", "50");
    own.remove();
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ok {2}crates, version 1: 50 ticks/);
  });

  test("without a loader, the error says what to install", async () => {
    const { status, stderr } = await run([]);
    expect(stderr).toMatch(
      /^tickwise: game.ts (is TypeScript, which Node .* cannot run\.|uses TypeScript that Node)/,
    );
    expect(stderr).toContain("\nInstall a loader with npm install --save-dev tsx (or jiti), ");
    expect(status).toBe(2);
  });
});

test("FORCE_COLOR and NO_COLOR control colours", async () => {
  const args = [join(ROOT, "dist/cli/main.js"), "synctest", "--sim", "game.mjs", "--ticks", "9"];
  const run = async (env: Record<string, string>) => (await project.run(process.execPath, args, env)).stdout;
  expect(await run({})).toMatch(/^ok {2}/);
  expect(await run({ FORCE_COLOR: "1" })).toContain("\x1b[32mok\x1b[0m  crates");
  expect(await run({ FORCE_COLOR: "1", NO_COLOR: "1" })).toMatch(/^ok {2}/);
});

const isLabBuilt = existsSync(join(ROOT, "site/dist/lab/index.html"));

test.skipIf(isLabBuilt)("tickwise lab says how to build the lab", async () => {
  expect(await tickwise("lab")).toEqual({
    status: 2,
    stdout: "",
    stderr:
      "tickwise: the lab is not built. Run npm run build first, or npm start to serve it without a build.\n",
  });
});

test.runIf(isLabBuilt)("tickwise lab serves the lab, and no other files", async () => {
  const child = spawn(process.execPath, [join(ROOT, "dist/cli/main.js"), "lab"]);
  try {
    const line = await new Promise<string>((resolve) =>
      child.stdout.setEncoding("utf8").once("data", resolve),
    );
    const url = /http:\S+/.exec(line)![0];
    const page = await fetch(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("<script");
    for (const path of ["nothing.js", "%2e%2e/%2e%2e/package.json", "assets/"])
      expect((await fetch(url + path)).status).toBe(404);
  } finally {
    child.kill();
  }
});
