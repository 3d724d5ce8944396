// Simulations that misbehave, and files that cannot be trusted.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { bodyOf, chunksOf, typeOf, withBody, withChunks } from "../replay/files.js";
import { FULL } from "../full.js";
import { sampleOf } from "../shared/sample.js";
import { linesOf, Project } from "./project.js";

const project = new Project();
beforeAll(() => project.record());
afterAll(() => project.remove());

const replay = (...args: string[]) => project.tickwise("replay", ...args);
const quick = (...args: string[]) => project.quick("replay", ...args);
const verify = (...args: string[]) => quick("verify", ...args);
/** The numbers of jobs to try: one of them per case, or both in the full run. */
const jobsOf = (index: number) => (FULL ? ["1", "2"] : [String(1 + (index % 2))]);
const isWindows = process.platform === "win32";

const FOUR = ["00", "01", "02", "03"].map((name) => `replays/${name}.twr`);
const ok = (file: string) => `ok          ${file}: ticks 0 to 300, 5 states compared\n`;
/** True only in the recording of seed 1, by its score. */
const IN_ONE = "tick === 200 && world.score === 2";

describe("promises and timers that a step leaves behind", () => {
  const make = (name: string, code: string, head = "") =>
    project.write(
      name,
      `import { make } from "./game.mjs";\n${head}\nexport default make((world, tick) => {\n  if (${IN_ONE}) ${code};\n});\n`,
    );

  const LOST: [name: string, code: string][] = [
    ["rejected", 'Promise.reject(new Error("lost"))'],
    ["async", '(async () => { await 1; await 2; throw new Error("lost"); })()'],
    [
      "later",
      'Promise.resolve().then(() => new Promise((_, no) => queueMicrotask(() => no(new Error("lost")))))',
    ],
    ["callback", 'setImmediate(() => { throw new Error("lost"); })'],
  ];
  test.each(sampleOf(LOST, 3, LOST[3]!))(
    "a promise or a callback that fails makes only its own file fail: %s",
    async (name, code) => {
      make(`${name}.mjs`, code);
      for (const jobs of jobsOf(LOST.findIndex(([each]) => each === name))) {
        const { status, stdout, stderr } = await verify("--sim", `${name}.mjs`, "--jobs", jobs, ...FOUR);
        expect(stdout.replace(/:\d+:\d+/, ":L:C")).toBe(`\
${ok(FOUR[0]!)}\
failed      replays/01.twr
            ${name === "callback" ? "a callback threw" : "unhandled promise rejection"}: Error: lost
              at ${name}.mjs:L:C
${ok(FOUR[2]!)}${ok(FOUR[3]!)}\
4 files: 3 ok, 1 failed
`);
        expect([status, stderr]).toEqual([1, ""]);
      }
    },
  );

  test("values that are not errors, or cannot be shown, are reported too", async () => {
    make("odd.mjs", "Promise.reject(Object.create(null))");
    const { stdout } = await verify("--sim", "odd.mjs", FOUR[1]!);
    expect(stdout).toContain("unhandled promise rejection: an object that cannot be shown\n");
  });

  test("a handled rejection is not a failure", async () => {
    make("handled.mjs", 'Promise.reject(new Error("lost")).catch(() => {})');
    expect((await verify("--sim", "handled.mjs", ...FOUR)).status).toBe(0);
  });

  const LATE: [name: string, code: string][] = [
    ["a rejection", 'setTimeout(() => Promise.reject(new Error("late")), 1)'],
    ["an error", 'setTimeout(() => { throw new Error("late"); }, 1)'],
    ["an exit", "setTimeout(() => process.exit(3), 1)"],
  ];
  test.each(LATE)(
    "%s by a timer fails no file: neither its own, which may be finished, nor the next",
    async (name, code) => {
      make(`timer-${name.slice(-4).trim()}.mjs`, code);
      for (const jobs of jobsOf(LATE.findIndex(([each]) => each === name))) {
        const ended = await verify("--sim", `timer-${name.slice(-4).trim()}.mjs`, "--jobs", jobs, ...FOUR);
        expect(ended.stdout).toBe(`${FOUR.map(ok).join("")}4 files: 4 ok\n`);
        expect(ended.status).toBe(0);
      }
    },
  );

  test("a module with an unhandled rejection does not load", async () => {
    project.write("beside.mjs", 'export { default } from "./game.mjs";\nPromise.reject(new Error("no"));');
    const { status, stderr } = await verify("--sim", "beside.mjs", FOUR[0]!);
    expect(stderr).toMatch(/^tickwise: beside\.mjs: unhandled promise rejection: Error: no\n/);
    expect(status).toBe(2);
  });
});

// Concurrently, as they mostly wait.
describe.skipIf(isWindows).concurrent("a thread that waits in a system call", () => {
  const verify = (...args: string[]) => replay("verify", ...args);
  const CALLS = {
    execSync: `execSync("exec sleep 1000")`,
    pipe: `readFileSync("never.pipe")`,
    wait: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
  };
  const HEAD =
    'import { execSync } from "node:child_process";\nimport { readFileSync } from "node:fs";\nimport { make } from "./game.mjs";';

  beforeAll(() => {
    execFileSync("mkfifo", [project.path("never.pipe")]);
    project.write(
      "sleeper.mjs",
      `${HEAD}\nexport default make((_, tick) => { if (tick === 200) execSync("echo $$ > sleeper.pid; exec sleep 1000"); });`,
    );
    for (const [name, call] of Object.entries(CALLS)) {
      project.write(
        `${name}.mjs`,
        `${HEAD}\nexport default make((world, tick) => { if (${IN_ONE}) ${call}; });`,
      );
      project.write(`${name}-load.mjs`, `${HEAD}\n${call};\nexport default make();`);
    }
  });

  /** Waits until the process that wrote this file has ended. */
  async function isGone(file: string): Promise<boolean> {
    const pid = Number(readFileSync(project.path(file), "utf8"));
    for (;;) {
      try {
        process.kill(pid, 0);
        // A zombie counts as ended.
        if (existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
          return true;
      } catch {
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test.each(sampleOf(Object.keys(CALLS), 1))(
    "times out, and the other files are reported: %s",
    async (name) => {
      const { status, stdout } = await verify(
        "--sim",
        `${name}.mjs`,
        "--timeout",
        "10",
        "--jobs",
        "2",
        ...FOUR,
      );
      expect(stdout).toBe(`\
${ok(FOUR[0]!)}\
timeout     replays/01.twr
            the step of tick 200 does not return: gave up after 10 s
${ok(FOUR[2]!)}${ok(FOUR[3]!)}\
4 files: 3 ok, 1 timeout
`);
      expect(status).toBe(1);
    },
  );

  test("is killed with its child processes", async () => {
    const { stdout } = await verify("--sim", "sleeper.mjs", "--timeout", "8", FOUR[1]!);
    expect(stdout).toMatch(/^timeout/);
    expect(await isGone("sleeper.pid")).toBe(true);
  });

  test.each(sampleOf(Object.keys(CALLS), 1))("times out while it loads: %s", async (name) => {
    const { status, stderr } = await verify("--sim", `${name}-load.mjs`, "--timeout", "2", ...FOUR);
    expect(stderr).toBe(
      `tickwise: ${name}-load.mjs did not load within 2 s: its top-level code waits, or does not end.\n`,
    );
    expect(status).toBe(2);
  });

  test("times out in synctest and diff", async () => {
    project.write("at-once.mjs", `${HEAD}\nexport default make(() => { ${CALLS.pipe}; });`);
    const [tested, compared] = await Promise.all([
      project.tickwise("synctest", "--sim", "at-once.mjs", "--timeout", "8"),
      replay("diff", FOUR[0]!, FOUR[0]!, "--sim", "at-once.mjs", "--timeout", "8"),
    ]);
    expect(tested.stdout).toBe("timeout  the step of tick 0 does not return: gave up after 8 s\n");
    expect(compared.stdout).toContain("the step of tick 0 does not return: gave up after 8 s\n");
    expect([tested.status, compared.status]).toEqual([1, 1]);
  });

  test("ends with the program, if that is killed", async () => {
    project.write(
      "killed.mjs",
      `${HEAD}\nimport { writeFileSync, renameSync } from "node:fs";
export default make(() => {
  writeFileSync("host.tmp", String(process.pid));
  renameSync("host.tmp", "host.pid");
  ${CALLS.pipe};
});`,
    );
    const args = [join(ROOT, "dist/cli/main.js"), "replay", "verify", "--sim", "killed.mjs", FOUR[0]!];
    const child = spawn(process.execPath, args, { cwd: project.folder, stdio: "ignore" });
    while (!existsSync(project.path("host.pid"))) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGKILL");
    expect(await isGone("host.pid")).toBe(true);
  });
});

describe.skipIf(isWindows)("only regular files are read", () => {
  beforeAll(() => {
    execFileSync("mkfifo", [project.path("pipe.twr")]);
    mkdirSync(project.path("folder/inner.twr"), { recursive: true });
    writeFileSync(project.path("huge.twr"), "TWRP");
    truncateSync(project.path("huge.twr"), 2 ** 40);
    writeFileSync(project.path("huge.bin"), "");
    truncateSync(project.path("huge.bin"), 2 ** 40);
  });

  const WRONG: [string, string][] = [
    ["/dev/zero", "not a file, but a device"],
    ["/dev/null", "not a file, but a device"],
    ["pipe.twr", "not a file, but a named pipe"],
    ["huge.twr", "too large: 1099511627776 bytes, the limit is 1073741824"],
    ["huge.bin", 'not a recording: it begins with the bytes 00 00 00 00, not with "TWRP"'],
  ];

  test.each(WRONG)("info, print, cut and diff: %s", async (file, message) => {
    const said = `tickwise: ${file}: ${message}\n`;
    for (const args of [
      ["info", file],
      ["print", file],
      ["cut", file, "--from", "1", "--out", "part.twr"],
      ["diff", file, FOUR[0]!],
      ["diff", FOUR[0]!, file],
    ])
      expect(await quick(...args)).toEqual({ status: 2, stdout: "", stderr: said });
  });

  test("verify", async () => {
    const { status, stdout } = await verify("--sim", "game.mjs", ...WRONG.map(([file]) => file));
    const lines = WRONG.map(([file, message]) => `unreadable  ${file}\n            ${message}\n`);
    expect(stdout).toBe(`${lines.join("")}${WRONG.length} files: ${WRONG.length} unreadable\n`);
    expect(status).toBe(2);
  });

  test.each([
    ["/dev/zero", "a device"],
    ["pipe.twr", "a named pipe"],
  ])("a module that is %s", async (sim, kind) => {
    const { status, stderr } = await verify("--sim", sim, FOUR[0]!);
    expect(stderr).toBe(`tickwise: --sim ${sim}: not a file, but ${kind}. Give the file of the module.\n`);
    expect(status).toBe(2);
  });

  test("a large file of checkpoints is read in little memory", async () => {
    const bytes = new Uint8Array(readFileSync(project.path(FOUR[0]!)));
    const { chunkOf } = await import("../../src/replay/chunk.js");
    const { varints } = await import("../../src/replay/varint.js");
    const count = 5_000_000;
    const inputs = Array.from({ length: Math.ceil(count / 4096) }, (_, i) =>
      chunkOf("INPT", varints(4096 * i, 4096)),
    );
    const hashes = chunkOf("CHEK", varints(1, 1), Uint8Array.of(8), new Uint8Array(8 * count));
    project.write("long.twr", withChunks(bytes, [chunksOf(bytes)[0]!, ...inputs, hashes]));
    const args = [join(ROOT, "dist/cli/main.js"), "replay", "info", "--json", "long.twr"];
    // As objects or arrays of numbers, the checkpoints would take four times that.
    const ended = await project.run(process.execPath, ["--max-old-space-size=40", ...args]);
    expect(ended.stderr).toBe("");
    expect(linesOf(ended)[0]).toMatchObject({ outcome: "ok", checkpoints: { count } });
  });
});

describe("control codes of terminals are escaped", () => {
  // A colour, a window title, a cleared screen, a line break, C1 controls, a bidi override and more.
  const EVIL = "a\x1b[31mb\x1b]0;c\x07\x1b[2J\r\nok  d\x9b31m\x7f\u202ee\u2066f\u2028g\u{e0041}h\ud800i";
  const SHOWN =
    "a\\x1b[31mb\\x1b]0;c\\x07\\x1b[2J\\r\\nok  d\\x9b31m\\x7f\\u202ee\\u2066f\\u2028g\\u{e0041}h\\ud800i";
  const CODES = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u;
  const path = isWindows ? "evil.twr" : "evil\x1b[31m\n\u202e.twr";
  const shownPath = isWindows ? "evil.twr" : "evil\\x1b[31m\\n\\u202e.twr";

  beforeAll(() => {
    const bytes = new Uint8Array(readFileSync(project.path(FOUR[0]!)));
    const head = JSON.parse(new TextDecoder().decode(bodyOf(chunksOf(bytes)[0]!)));
    const evil = { ...head, name: EVIL, seed: EVIL, meta: { [EVIL]: EVIL } };
    const body = (json: object) => new TextEncoder().encode(JSON.stringify(json));
    project.write(path, withBody(bytes, 0, body(evil)));
    project.write("evil-input.twr", withBody(bytes, 0, body({ ...head, inputs: [[EVIL, "button"]] })));
    project.write("evil-too.twr", withBody(bytes, 0, body({ ...evil, seed: 1 })));
    const cutOff = withChunks(bytes, chunksOf(bytes).slice(0, -1)).subarray(0, -3);
    project.write(`cut-${path}`, cutOff);
    project.write(
      "shouting.mjs",
      `import { make } from "./game.mjs";\nexport default make(() => { throw new Error(${JSON.stringify(EVIL)}); });
export const rejecting = make(() => void Promise.reject(${JSON.stringify(EVIL)}));
export const named = make();`,
    );
  });

  test.each([
    ["info", ["replay", "info", path], 0],
    ["info of a file with such an input", ["replay", "info", "evil-input.twr"], 2],
    ["info of a truncated file", ["replay", "info", `cut-${path}`], 0],
    ["print", ["replay", "print", path], 0],
    ["print of a truncated file", ["replay", "print", `cut-${path}`], 0],
    ["diff", ["replay", "diff", path, FOUR[0]!], 1],
    ["diff of two such files", ["replay", "diff", path, "evil-too.twr"], 1],
    ["verify", ["replay", "verify", "--sim", "game.mjs", path], 1],
    ["verify of a truncated file", ["replay", "verify", "--sim", "game.mjs", `cut-${path}`], 0],
    ["cut", ["replay", "cut", path, "--to", "100", "--force", "--out", `part-${path}`], 0],
    ["a missing file", ["replay", "info", `absent-${path}`], 2],
    ["an error of a step", ["replay", "verify", "--sim", "shouting.mjs", FOUR[0]!], 1],
    ["an unhandled rejection", ["replay", "verify", "--sim", "shouting.mjs#rejecting", FOUR[0]!], 1],
    ["a result of synctest", ["synctest", "--sim", "shouting.mjs"], 1],
    ["a name on the command line", ["synctest", "--sim", `shouting.mjs#${EVIL}`], 2],
    ["an option", ["synctest", `--${EVIL}`], 2],
    ["a command", [EVIL], 2],
  ])("%s", async (_, args, status) => {
    const ended = await project.quick(...args);
    expect(ended.stdout + ended.stderr).not.toMatch(CODES);
    expect(ended.status).toBe(status);
    const json = await project.quick(...args, "--json");
    expect(json.stdout + json.stderr).not.toMatch(CODES);
    // Each line is a JSON value.
    const lines = json.stdout.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => "object"));
  });

  test("a name takes one line, and JSON keeps its value", async () => {
    const { stdout } = await quick("info", path);
    expect(stdout.split("\n").slice(0, 2)).toEqual([shownPath, `  simulation   ${SHOWN}, version 1`]);
    // The same number of lines as for any other file.
    const plain = await quick("info", FOUR[0]!);
    expect(stdout.split("\n")).toHaveLength(plain.stdout.split("\n").length);
    const [line] = linesOf(await quick("info", path, "--json"));
    expect(line).toMatchObject({ file: path, name: EVIL, seed: EVIL, meta: { [EVIL]: EVIL } });
  });

  test("our own colours are not escaped", async () => {
    const args = [join(ROOT, "dist/cli/main.js"), "replay", "info", path];
    const { stdout } = await project.run(process.execPath, args, { FORCE_COLOR: "1" });
    expect(stdout.startsWith(`\x1b[1m${shownPath}\x1b[0m\n  simulation`)).toBe(true);
  });
});

describe("keyframes of another recording", () => {
  beforeAll(() => {
    const [own, other] = ["00", "01"].map(
      (name) => new Uint8Array(readFileSync(project.path(`replays/${name}.twr`))),
    ) as [Uint8Array, Uint8Array];
    const keyframes = chunksOf(other).filter((chunk) => typeOf(chunk) === "KEYF");
    project.write(
      "grafted.twr",
      withChunks(
        own,
        chunksOf(own).map((chunk) => (typeOf(chunk) === "KEYF" ? keyframes.shift()! : chunk)),
      ),
    );
  });

  test("are reported by verify", async () => {
    const { status, stdout } = await verify("--sim", "game.mjs", "grafted.twr");
    expect(stdout).toMatch(
      /^differs {5}grafted\.twr\n {12}the keyframe of state 120 contradicts the recording: .*\n {12}score: 2 ≠ 0\n/,
    );
    expect(status).toBe(1);
    const [line] = linesOf(await verify("--sim", "game.mjs", "--json", "grafted.twr"));
    expect(line).toMatchObject({ outcome: "differs", reason: "keyframe", tick: 120, fieldsAt: 120 });
  });

  test("are not used by cut", async () => {
    const { status, stderr } = await quick(
      ..."cut grafted.twr --from 130 --out grafted-part.twr --sim game.mjs".split(" "),
    );
    expect(stderr).toBe(
      "tickwise: grafted.twr: the keyframe of state 120 contradicts its checkpoint: the file was altered. replay verify shows the fields.\n",
    );
    expect(status).toBe(1);
  });
});

describe("a truncated file is reported the same way by all commands", () => {
  test.each(sampleOf([3, 40, 200], 1))("%d bytes are missing", async (missing) => {
    const bytes = new Uint8Array(readFileSync(project.path(FOUR[0]!)));
    project.write("short.twr", bytes.subarray(0, -missing));
    const [info] = linesOf(await quick("info", "--json", "short.twr")) as { message: string }[];
    expect(info).toMatchObject({
      outcome: "ok",
      ending: "truncated",
      message: expect.stringMatching(/^byte \d+: the file ends in /),
    });
    const remark = `short.twr: ${info!.message}.\n`;
    expect((await quick("info", "short.twr")).stdout).toContain(
      `  ends         truncated: ${info!.message}\n`,
    );
    expect(await verify("--sim", "game.mjs", "short.twr")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`\n            ${info!.message}.\n`),
    });
    expect(linesOf(await verify("--sim", "game.mjs", "--json", "short.twr"))).toMatchObject([
      { outcome: "ok", ending: "truncated", note: info!.message },
    ]);
    expect(await quick("print", "short.twr")).toMatchObject({ status: 0, stderr: remark });
    expect(await quick("diff", "short.twr", "short.twr")).toMatchObject({
      status: 0,
      stderr: remark + remark,
    });
    expect(linesOf(await quick("diff", "--json", "short.twr", "short.twr"))).toMatchObject([
      { endings: ["truncated", "truncated"] },
    ]);
    const part = ["cut", "short.twr", "--to", "100", "--force", "--out", "of-short.twr"];
    expect(await quick(...part)).toMatchObject({ status: 0, stderr: remark });
    expect(linesOf(await quick(...part, "--json"))).toMatchObject([{ outcome: "ok", ending: "truncated" }]);
  });
});
