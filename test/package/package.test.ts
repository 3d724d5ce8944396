// Packs the package and uses it from another project, as a user would. No network.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { preview } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { openChromium } from "../browser/launch.js";
import { FULL } from "../full.js";
import { complaintsOf, createGame, expectSteering, linkTools } from "./new-game.js";
import { installPackage, run as runIn } from "./run.js";

/** Every subpath and the values it exports. Add or remove public names here on purpose only. */
const NAMES: Record<string, string[]> = {
  tickwise: [
    "Loop",
    "TickwiseError",
    "catchUp",
    "changeRate",
    "display",
    "every",
    "measure",
    "onOverload",
    "ramp",
    "runHidden",
    "slowMotion",
    "speedOf",
    "stepBudget",
    "stepsLeft",
    "suggestRate",
    "timeScale",
    "timer",
    "timestampOf",
  ],
  "tickwise/blend": [
    "angle",
    "contact",
    "curve",
    "dispose",
    "extrapolate",
    "hermite",
    "hermiteAll",
    "hold",
    "lerp",
    "lerpAll",
    "lerpAngle",
    "lerpAngleAll",
    "nlerp",
    "rotation",
    "scalar",
    "shift",
    "slerp",
    "smooth",
    "smoothAll",
    "smoothColumns",
    "snap",
    "teleport",
    "teleportOnChange",
    "vector2",
    "vector3",
  ],
  "tickwise/math": [
    "PROFILE",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosDegrees",
    "cosTurns",
    "cosh",
    "damp",
    "exp",
    "expm1",
    "halfLife",
    "hypot",
    "log",
    "log10",
    "log1p",
    "log2",
    "pow",
    "random",
    "sin",
    "sinDegrees",
    "sinTurns",
    "sinh",
    "spring",
    "springAll",
    "tan",
    "tanh",
    "toDegrees",
    "toRadians",
  ],
  "tickwise/integrate": [
    "explicitEuler",
    "explicitEulerColumns",
    "rk4",
    "rk4Columns",
    "semiImplicitEuler",
    "semiImplicitEulerColumns",
    "stableRate",
    "velocityVerlet",
    "velocityVerletColumns",
  ],
  "tickwise/state": [
    "Field",
    "LIVE",
    "Layout",
    "State",
    "bool",
    "f32",
    "f64",
    "formatDifferences",
    "hashText",
    "i16",
    "i32",
    "i8",
    "id",
    "layout",
    "list",
    "namesOf",
    "oneOf",
    "quat",
    "skipBlend",
    "syncRows",
    "table",
    "trail",
    "u16",
    "u32",
    "u8",
    "vec2",
    "vec3",
  ],
  "tickwise/sim": [
    "axis",
    "button",
    "bytes",
    "drive",
    "fraction",
    "guard",
    "int",
    "localSession",
    "many",
    "migrate",
    "play",
    "simulation",
    "syncTest",
    "text",
  ],
  "tickwise/input": [
    "InputField",
    "Packing",
    "axis",
    "bindInputs",
    "button",
    "fraction",
    "gamepads",
    "grace",
    "inputLatch",
    "int",
    "keyboard",
    "pointer",
    "touch",
  ],
  "tickwise/replay": [
    "inputRuns",
    "playReplay",
    "readReplay",
    "readReplayInfo",
    "record",
    "recordedCommands",
    "replayPlayer",
    "verify",
  ],
  "tickwise/net": [
    "MAX_MESSAGE",
    "NETWORK_PROFILES",
    "answerLink",
    "clientSession",
    "colyseusLink",
    "conditioned",
    "datagramLink",
    "errorSmoothing",
    "joinRoom",
    "keepInRoom",
    "keepJoined",
    "loopbackPair",
    "meetPeers",
    "offerLink",
    "peerSession",
    "readReport",
    "realScheduler",
    "serverSession",
    "skewedScheduler",
    "viewerSession",
    "virtualScheduler",
    "websocketLink",
  ],
  "tickwise/queue": ["VerifyQueue", "VerifyWorker", "verifyQueue", "verifyWorker"],
  "tickwise/server": ["GameRoom", "Lateness", "RoomSchedule", "RoomStats", "roomServer"],
  "tickwise/colyseus": ["gameRooms"],
  "tickwise/worker": ["serveSimulation", "workerSession"],
  "tickwise/rapier": ["rapier"],
  "tickwise/node": ["nodeTimer"],
  "tickwise/presets": ["consoleLike", "desktop", "mobile", "networkTick", "server", "web"],
  "tickwise/hud": ["diagnose", "mountHud", "traceLoop"],
  "tickwise/audio": ["audioClock", "audioTime", "playMusic"],
  "tickwise/stepping": ["onePerFrame", "semiFixed", "variable"],
  "tickwise/lint": ["default", "simulationConfig"],
  "tickwise/testing": [
    "expectDeterministic",
    "expectNetplay",
    "expectReplay",
    "manualDisplay",
    "manualDriver",
    "manualLoop",
    "simulatedNetwork",
  ],
};

let project: string;
let tarball: string;
let packed: string[];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "tickwise-package-"));
  ({ tarball, packed } = installPackage(project));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (program: string, args: string[]) => runIn(program, args, project);
const tool = (name: string) => join(ROOT, "node_modules/.bin", name);
const manifest = () => JSON.parse(readFileSync(join(project, "node_modules/tickwise/package.json"), "utf8"));

test("packs only built files and documents", () => {
  const built = /^dist\/.+(?<!\.test)(\.d\.ts|\.js)$/;
  const read =
    /^docs\/.+\.(md|png)$|^template\/(common|canvas|three|local|two-player)\/.+$|^examples\/(README\.md|deploy\/[\w.@-]+|([\w-]+\/)*[\w.-]+\.(tsx?|mjs|twr))$/;
  const others = packed.filter((path) => !built.test(path) && !read.test(path));
  const known = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "package.json",
  ];
  expect(others.sort()).toEqual(expect.arrayContaining(["LICENSE", "package.json"]));
  expect(known).toEqual(expect.arrayContaining(others));
});

test("has no dependencies, and its peer dependencies are optional", () => {
  const fields = Object.keys(manifest()).filter((field) => /dependencies$/i.test(field));
  expect(fields.sort()).toEqual(["devDependencies", "peerDependencies"]);
  const { peerDependencies, peerDependenciesMeta } = manifest();
  for (const name of Object.keys(peerDependencies))
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "tickwise",
  ]);
  for (const path of packed.filter((name) => name.startsWith("dist/"))) {
    const source = readFileSync(join(project, "node_modules/tickwise", path), "utf8");
    // Remove comments first, as their examples may import the package by name.
    const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*/gm, "");
    const isForNode = /^dist\/(cli|server|queue|colyseus)\//.test(path);
    for (const [text, from] of code.matchAll(/(?<!["'])\b(?:from|import)\s*\(?\s*["']([^"'\s]+)["']/g)) {
      // Optional packages are imported on demand.
      if (isForNode && /^import\s*\(/.test(text) && from! in peerDependencies) continue;
      expect(from, path).toMatch(isForNode ? /^(\.\.?\/|node:)/ : /^\.\.?\//);
    }
  }
});

test("every subpath exports exactly its names", () => {
  const subpaths = Object.keys(manifest().exports).filter((path) => path !== "./package.json");
  expect(subpaths.map((path) => path.replace(".", "tickwise"))).toEqual(Object.keys(NAMES));
  const lines = Object.keys(NAMES).map((path) => `["${path}", Object.keys(await import("${path}"))]`);
  const program = `console.log(JSON.stringify(Object.fromEntries([${lines}])))`;
  expect(JSON.parse(run("node", ["--input-type=module", "--eval", program]))).toEqual(NAMES);
});

describe("npx tickwise", () => {
  const tickwise = (...args: string[]) => run("npx", ["--offline", "tickwise", ...args]);

  test("shows its help", () => {
    expect(tickwise("--help")).toMatch(/^Usage: tickwise COMMAND/);
    expect(tickwise("--version").trim()).toBe(manifest().version);
  });

  test("runs a simulation of the project, in a thread", () => {
    const game = `import { simulation } from "tickwise/sim";
      import { layout, u32 } from "tickwise/state";
      export const game = simulation({
        name: "count", version: 1, rate: 60, state: layout({ n: u32 }), step(world) { world.n += 1; },
      });`;
    writeFileSync(join(project, "game.js"), game);
    expect(tickwise("synctest", "--sim", "game.js")).toMatch(/^ok {2}count, version 1: 600 ticks/);
  });

  test("explains that the lab is not in the package", () => {
    expect(() => tickwise("lab")).toThrow("tickwise: the npm package does not include the lab");
  });
});

test("tickwise new creates a game that passes its own tests and runs", async () => {
  const games = join(project, "games");
  linkTools(games);
  const game = createGame(games, "first-game");
  const server = await preview({ root: game, preview: { host: "127.0.0.1", port: 0 }, logLevel: "warn" });
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(server.resolvedUrls!.local[0]!);
    expect(await page.title()).toBe("first-game");
    await expectSteering([page]);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});

describe("a strict TypeScript program compiles", () => {
  test.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("with module resolution %s", (moduleResolution, module) => {
    // Some names are exported by several subpaths.
    const lines = Object.entries(NAMES).map(([path, names], i) => {
      const list = names.map((name) => `${name} as ${name}${i}`);
      return `import { ${list} } from "${path}";\nconsole.log(${names.map((name) => name + i)});`;
    });
    // Without the types of the DOM and Node, which the declarations must not need.
    const head =
      'import { Loop, type LoopOptions } from "tickwise";\ndeclare const console: { log(...all: unknown[]): void };';
    const check =
      "const options: LoopOptions = { rate: 60 };\nexport const tick: number = new Loop(options).tick;\n";
    writeFileSync(join(project, "program.ts"), [head, ...lines, check].join("\n"));
    const flags = ["--module", module, "--moduleResolution", moduleResolution, "--target", "es2022"];
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
    const alone = ["--lib", "es2022", "--types", "", "--noEmit"];
    expect(run(tool("tsc"), [...flags, ...strict, ...alone, "program.ts"])).toBe("");
  });
});

test("publint finds no problems", async () => {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test.runIf(FULL)("attw finds no problems in the types", () => {
  const attw = [tarball, "--profile", "esm-only", "--no-definitely-typed", "--no-color"];
  // attw fails for wrong types, but not for a package without types.
  expect(run(tool("attw"), attw)).toContain("🟢 (ESM)");
});
