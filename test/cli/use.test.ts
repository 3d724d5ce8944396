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
  "replay info",
  "replay verify",
  "replay diff",
  "replay cut",
  "replay print",
  "synctest",
  "lab",
];

describe("help", () => {
  test("a page of all commands", async () => {
    const { status, stdout, stderr } = await tickwise("--help");
    expect(stdout).toMatchSnapshot();
    expect([status, stderr]).toEqual([0, ""]);
    for (const args of [["-h"], ["help"]]) expect((await tickwise(...args)).stdout).toBe(stdout);
  });

  test.each(COMMANDS)("a page of %s", async (name) => {
    const { status, stdout } = await tickwise(...name.split(" "), "--help");
    expect(stdout).toMatchSnapshot();
    expect(status).toBe(0);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect((await tickwise("help", ...name.split(" "))).stdout).toBe(stdout);
  });

  test("the version is that of the package", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(await tickwise("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
});

test.each([
  [[], "a command is missing."],
  [["replay"], "replay: a command is missing: info, verify, diff, cut, print."],
  [["replay", "verfy"], "there is no command replay verfy. Did you mean replay verify?\nSee tickwise --help"],
  [["verify", "a.twr"], "there is no command verify. Did you mean replay verify?\nSee tickwise --help"],
  [["synctst"], "there is no command synctst. Did you mean synctest?\nSee tickwise --help"],
  [["verfy", "a.twr"], "there is no command verfy. Did you mean replay verify?\nSee tickwise --help"],
  [["repaly"], "there is no command repaly. Did you mean replay?\nSee tickwise --help"],
  [["repaly", "verify"], "there is no command repaly. Did you mean replay verify?\nSee tickwise --help"],
  [["SyncTest"], "there is no command SyncTest. Did you mean synctest?\nSee tickwise --help"],
  [["--verison"], "there is no option --verison. Did you mean --version?\nSee tickwise --help"],
  [["--sim", "game.mjs", "synctest"], "a command is missing before --sim.\nSee tickwise --help"],
  [["conjure"], `there is no command conjure; there are ${COMMANDS.join(", ")}.\nSee tickwise --help`],
  [
    ["synctest", "--sim", "game.mjs", "--tick", "9"],
    "synctest: there is no option --tick. Did you mean --ticks?\nSee tickwise synctest --help",
  ],
  [
    ["replay", "verify", "--seim", "x"],
    "replay verify: there is no option --seim. Did you mean --sim?\nSee tickwise replay verify --help",
  ],
  [
    ["replay", "verify", "-sim", "game.mjs", "a.twr"],
    "replay verify: there is no option -sim. Did you mean --sim?\nSee tickwise replay verify --help",
  ],
  [
    ["replay", "verify", "--JSON", "a.twr"],
    "replay verify: there is no option --JSON. Did you mean --json?\nSee tickwise replay verify --help",
  ],
  [
    ["lab", "--colour"],
    "lab: there is no option --colour here; there are --port, --help.\nSee tickwise lab --help",
  ],
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
    "synctest: --sim MODULE is missing: the module whose simulation is to be tested.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "game.mjs", "more"],
    "synctest: it takes nothing but options, got more.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "game.ts"],
    "synctest: it takes nothing but options, got game.ts. Did you mean --sim game.ts?\nSee tickwise synctest --help",
  ],
  [["lab", "more"], "lab: it takes nothing but options, got more.\nSee tickwise lab --help"],
  [
    ["synctest", "--sim", "game.mjs", "--allow", "performance.now"],
    "synctest: --allow is only for --guard: without it, all calls are let through.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "game.mjs", "--ticks", "many"],
    "synctest: --ticks must be a whole number, 1 or more, got many.\nSee tickwise synctest --help",
  ],
  [
    ["synctest", "--sim", "game.mjs", "--timeout", "0"],
    "synctest: --timeout must be a number of seconds, more than 0, got 0.\nSee tickwise synctest --help",
  ],
  [
    ["replay", "verify", "--sim", "game.mjs"],
    "replay verify: a FILE is missing.\nSee tickwise replay verify --help",
  ],
  [
    ["replay", "verify", "--sim", "game.mjs", "--every", "1", "a.twr"],
    "replay verify: --every is only for --against: what a file was compared by is in the file.\nSee tickwise replay verify --help",
  ],
  [["replay", "diff", "a.twr"], "replay diff: it takes 2 files, got 1.\nSee tickwise replay diff --help"],
  [["replay", "print", "a.twr"], "a.twr: there is no such file"],
  [["replay", "info", "game.mjs/a.twr"], "game.mjs/a.twr: there is no such file"],
  [
    ["replay", "info", "node_modules/tickwise/scripts"],
    "node_modules/tickwise/scripts: no file below it ends in .twr.",
  ],
])("tickwise %j says what is wrong", async (args, message) => {
  const { status, stderr } = await tickwise(...args);
  expect(stderr).toBe(`tickwise: ${message}\n`);
  expect(status).toBe(2);
});

describe("synctest", () => {
  test("a simulation that is deterministic", async () => {
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
      /^ok {2}crates, version 1: 100 ticks, each rolled back by 8 and done again; hash [0-9a-f]{16}\n$/,
    );
    expect(status).toBe(0);
    const [line] = linesOf(await tickwise("synctest", "--sim", "game.mjs", "--json"));
    expect(line).toMatchObject({ sim: "game.mjs", outcome: "ok", name: "crates", ticks: 600 });
  });

  test("one that is not, with its fields", async () => {
    const { status, stdout } = await tickwise("synctest", "--sim", "game.mjs", "--export", "leaking");
    expect(stdout).toMatch(
      /^differs {2}crates is not deterministic: state \d+ came out differently \(.*\)\.\n {2}heat: /,
    );
    expect(status).toBe(1);
    const guarded = await tickwise("synctest", "--sim", "game.mjs#chancy", "--guard");
    expect(guarded.stdout).toMatch(/^failed {2}the step of tick 0 threw .*Math\.random/);
    expect(guarded.status).toBe(1);
    const [line] = linesOf(await tickwise("synctest", "--sim", "game.mjs#chancy", "--guard", "--json"));
    expect(line).toMatchObject({ outcome: "failed", tick: 0 });
  });

  test("calls that --guard is to let through", async () => {
    project.write(
      "timed.mjs",
      'import { make } from "./game.mjs";\nexport default make(() => { performance.now(); Date.now(); new Date(); });',
    );
    const run = (...allow: string[]) =>
      tickwise("synctest", "--sim", "timed.mjs", "--ticks", "50", "--guard", ...allow);
    expect((await run("--allow", "performance.now")).stdout).toMatch(/: --allow Date\.now\.\n/);
    expect((await run("--allow", "performance.now,Date.now")).stdout).toMatch(/: --allow "new Date\(\)"\.\n/);
    const all = await run("--allow", "performance.now, Date.now", "--allow", "new Date()");
    expect(all.stdout).toMatch(/^ok {2}crates/);
    expect(all.status).toBe(0);
    const unknown = await run("--allow", "Date.now,Date.then");
    expect(unknown.stderr).toMatch(
      /^tickwise: synctest: --allow must be calls that --guard knows: Math\.acos, .*, new Date\(\), got "?Date\.then"?\.\nSee /,
    );
    expect(unknown.status).toBe(2);
  });

  test("one that hangs", async () => {
    project.write(
      "hang.mjs",
      'import { make } from "./game.mjs";\nexport default make(() => { for (;;); });',
    );
    const { status, stdout } = await tickwise("synctest", "--sim", "hang.mjs", "--timeout", "4");
    expect(stdout).toBe("timeout  the step of tick 0 does not come to an end: given up after 4 s\n");
    expect(status).toBe(1);
  });
});

describe("a module", () => {
  const EXPORTS =
    "It exports chancy (a simulation), default (a simulation), hanging (a simulation), hot (a simulation), leaking (a simulation), leaving (a simulation), make (a function), newer (a simulation), slow (a simulation), talking (a simulation), throwing (a simulation).";

  test.each([
    ["nothing.js", undefined, /^--sim nothing.js: there is no file .*nothing\.js\.$/],
    ["node_modules", undefined, "--sim node_modules: it is a folder; give the module's file."],
    ["game.mjs#ht", undefined, "game.mjs has no export ht. Did you mean hot?"],
    ["game.mjs#game", undefined, `game.mjs has no export game. ${EXPORTS}`],
    ["game.mjs#make", undefined, "game.mjs: the export make is a function, and no simulation."],
    ["empty.mjs", "export {};", "empty.mjs exports no simulation. It exports nothing."],
    [
      "two.mjs",
      'export { hot, slow } from "./game.mjs";',
      "two.mjs exports several simulations: hot, slow. Say which: two.mjs#hot.",
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
      "broken.mjs could not be loaded: SyntaxError: Unexpected token '='\nTry node broken.mjs, which shows the line.",
    ],
    [
      "waits.mjs",
      "await new Promise(() => {});",
      "waits.mjs could not be loaded: it awaits what never comes.",
    ],
    [
      "loops.mjs",
      "for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);",
      "loops.mjs was not loaded after 10 s: something in it waits, or does not end.",
    ],
    [
      "leaves.mjs",
      "process.exit(0);",
      "leaves.mjs could not be loaded: it called process.exit, or was ended, with status 0.",
    ],
  ])("%s", async (sim, source, message) => {
    if (source !== undefined) project.write(sim, source);
    const { status, stderr } = await tickwise("synctest", "--sim", sim, "--timeout", "10");
    const said = stderr.slice("tickwise: ".length, -1);
    expect(typeof message === "string" ? said === message : message.test(said), said).toBe(true);
    expect(status).toBe(2);
  });

  test("that exports one simulation needs no name; a # may be a part of the file's", async () => {
    project.write("one.mjs", 'export { hot as game } from "./game.mjs"; export const other = 1;');
    expect((await tickwise("synctest", "--sim", "one.mjs", "--ticks", "10")).status).toBe(0);
    project.write("sharp#.mjs", 'export { default } from "./game.mjs";');
    expect((await tickwise("synctest", "--sim", "sharp#.mjs", "--ticks", "10")).status).toBe(0);
  });
});

// An enum, and an import of .js that means .ts: what Node cannot take, where it takes TypeScript at all.
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

  test.each(["tsx", "jiti"])("by %s, where it is installed", async (name) => {
    const { status, stdout, stderr } = await run([name]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^ok {2}crates, version 1: 50 ticks/);
    expect(status).toBe(0);
  });

  test("without either, it says what to do", async () => {
    const { status, stderr } = await run([]);
    expect(stderr).toMatch(
      /^tickwise: game.ts is (TypeScript, which Node .* cannot run\.|more TypeScript than Node)/,
    );
    expect(stderr).toContain("\nInstall a loader, by npm install --save-dev tsx (or jiti), or ");
    expect(status).toBe(2);
  });
});

test("colours where they are wanted", async () => {
  const args = [join(ROOT, "dist/cli/main.js"), "synctest", "--sim", "game.mjs", "--ticks", "9"];
  const run = async (env: Record<string, string>) => (await project.run(process.execPath, args, env)).stdout;
  expect(await run({})).toMatch(/^ok {2}/);
  expect(await run({ FORCE_COLOR: "1" })).toContain("\x1b[32mok\x1b[0m  crates");
  expect(await run({ FORCE_COLOR: "1", NO_COLOR: "1" })).toMatch(/^ok {2}/);
});

const isLabBuilt = existsSync(join(ROOT, "lab/dist/index.html"));

test.skipIf(isLabBuilt)("a lab that is not built says how", async () => {
  expect(await tickwise("lab")).toEqual({
    status: 2,
    stdout: "",
    stderr: "tickwise: the lab is not built. Try npm run build, or npm start, which serves it at once.\n",
  });
});

test.runIf(isLabBuilt)("the lab is served, and nothing beside it", async () => {
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
