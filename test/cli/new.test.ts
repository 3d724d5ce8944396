import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { Project } from "./project.js";

const project = new Project();
afterAll(() => project.remove());

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name?: string;
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };

describe("writes a project", () => {
  test("canvas and local by default", async () => {
    const { status, stdout, stderr } = await project.quick("new", "plain");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      "Created plain: canvas, local. Next:\n\n  cd plain\n  npm install\n  npm start    # play it\n  npm test     # check it\n",
    );
    expect(filesOf(project.path("plain"))).toEqual([
      ".gitignore",
      "README.md",
      "index.html",
      "package.json",
      "src/controls.ts",
      "src/game.test.ts",
      "src/game.ts",
      "src/main.ts",
      "src/page.ts",
      "src/style.css",
      "src/touch-stick.ts",
      "src/view.ts",
      "tsconfig.json",
      "vite.config.ts",
    ]);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const { name, dependencies } = manifestOf(project.path("plain"));
    expect([name, dependencies]).toEqual(["plain", { tickwise: `^${version}` }]);
    for (const file of ["README.md", "index.html"]) {
      const text = readFileSync(project.path(`plain/${file}`), "utf8");
      expect(text).toContain("plain");
      expect(text).not.toContain("my-game");
    }
  });

  test("with the parts of both options, in a folder of a folder", async () => {
    const { status, stdout } = await project.quick(
      "new",
      "my games/duel",
      "--play",
      "two-player",
      "--view=three",
    );
    expect(status).toBe(0);
    expect(stdout).toContain('Created duel: three, two-player. Next:\n\n  cd "my games/duel"\n');
    const { name, scripts, dependencies, devDependencies } = manifestOf(project.path("my games/duel"));
    expect(name).toBe("duel");
    expect(Object.keys(scripts)).toEqual(["start", "dev", "test", "check", "build", "preview", "host"]);
    expect(Object.keys(dependencies)).toEqual(["three", "tickwise", "ws"]);
    expect(Object.keys(devDependencies)).toEqual(["@types/three", "tsx", "typescript", "vite", "vitest"]);
    expect(filesOf(project.path("my games/duel"))).toContain("src/netplay.test.ts");
  });

  test("in an empty folder, also if that is a repository", async () => {
    mkdirSync(project.path("cloned/.git"), { recursive: true });
    expect(await project.quick("new", "./cloned")).toMatchObject({ status: 0, stderr: "" });
    expect(manifestOf(project.path("cloned")).name).toBe("cloned");
  });

  test("that depends on a packed file", async () => {
    project.write("tickwise-0.0.7.tgz", "");
    await project.quick("new", "deep/packed", "--package", "tickwise-0.0.7.tgz");
    expect(manifestOf(project.path("deep/packed")).dependencies.tickwise).toBe(
      "file:../../tickwise-0.0.7.tgz",
    );
  });
});

describe("refuses", () => {
  test.each([
    ["My Game", "npm allows a to z and digits, and after the first character also - _ . ~. Try my-game."],
    ["_hidden", "npm allows a to z and digits, and after the first character also - _ . ~. Try hidden."],
    ["Café", "npm allows a to z and digits, and after the first character also - _ . ~. Try cafe."],
    ["???", "npm allows a to z and digits, and after the first character also - _ . ~. Try my-game."],
    ["node_modules", "npm reserves this name. Try my-game."],
    ["three", "the game needs a package of this name. Try my-game."],
  ])("the name %s", async (name, problem) => {
    const { status, stderr } = await project.quick("new", `somewhere/${name}`);
    expect(stderr).toBe(
      `tickwise: new: the folder's name must be a valid name for npm, got "${name}": ${problem}\n`,
    );
    expect(status).toBe(2);
    expect(existsSync(project.path("somewhere"))).toBe(false);
  });

  test("a name that is too long, without printing all of it", async () => {
    const { stderr } = await project.quick("new", "x".repeat(215));
    expect(stderr).toBe(
      `tickwise: new: the folder's name must be a valid name for npm, got "${"x".repeat(60)}…": it has 215 characters, npm allows 214. Try ${"x".repeat(40)}.\n`,
    );
  });

  test("a folder that is not empty, and leaves it as it is", async () => {
    mkdirSync(project.path("full"));
    project.write("full/index.html", "mine");
    project.write("full/notes.txt", "mine");
    const { status, stderr } = await project.quick("new", "full");
    expect(stderr).toBe(
      "tickwise: new: full is not empty: it contains index.html and 1 more. Choose a new folder, or empty this one.\n",
    );
    expect(status).toBe(2);
    expect(filesOf(project.path("full"))).toEqual(["index.html", "notes.txt"]);
    expect(readFileSync(project.path("full/index.html"), "utf8")).toBe("mine");
  });

  test("a file, a path below a file, and a link to nowhere", async () => {
    project.write("taken", "");
    expect((await project.quick("new", "taken")).stderr).toBe(
      "tickwise: new: taken exists and is a file. Choose another name.\n",
    );
    const below = await project.quick("new", "taken/game");
    expect(below.stderr).toMatch(/^tickwise: new: cannot write .*taken.*: a part of the path is a file\.\n$/);
    symlinkSync("nowhere", project.path("link"));
    const { status, stderr } = await project.quick("new", "link");
    expect(stderr).toMatch(/^tickwise: new: cannot write .*link: .+\.\n$/);
    expect(status).toBe(2);
  });

  test.runIf(process.platform === "linux")("a folder of the kernel", async () => {
    const { status, stderr } = await project.quick("new", "/proc/game");
    expect(stderr).toMatch(/^tickwise: new: cannot write \/proc\/game: .+\.\n$/);
    expect(status).toBe(2);
  });

  test.each([
    [["--view", "webgl"], "--view must be canvas or three, got webgl."],
    [["--play", "online"], "--play must be local or two-player, got online."],
  ])("%j", async (options, message) => {
    const { status, stderr } = await project.quick("new", "other", ...options);
    expect(stderr).toBe(`tickwise: new: ${message}\nSee tickwise new --help\n`);
    expect([status, existsSync(project.path("other"))]).toEqual([2, false]);
  });

  test("a packed file that does not exist", async () => {
    const { stderr } = await project.quick("new", "other", "--package", "nothing.tgz");
    expect(stderr).toBe(
      "tickwise: new: --package: no file nothing.tgz. Run npm pack in a clone of Tickwise.\n",
    );
    expect(existsSync(project.path("other"))).toBe(false);
  });
});

describe.skipIf(spawnSync("script", ["--version"]).status !== 0)("on a terminal", () => {
  /** Runs a command on a terminal, and types the next answer at each question. */
  async function typed(answers: readonly string[], ...options: string[]) {
    rmSync(project.path("asked"), { recursive: true, force: true });
    const command = [process.execPath, join(ROOT, "dist/cli/main.js"), "new", "asked", ...options].join(" ");
    const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: project.folder });
    let stdout = "";
    let typedAnswers = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      for (; typedAnswers < stdout.split("1 or 2? (1) ").length - 1; typedAnswers++)
        child.stdin.write(answers[typedAnswers] ?? "\n");
    });
    const [status] = (await once(child, "close")) as [number];
    return { status, stdout };
  }

  test("asks for the options that are left out", async () => {
    const { status, stdout } = await typed(["2\n", "\n"]);
    expect(stdout).toContain("1  canvas: a 2D canvas");
    expect(stdout).toContain("Created asked: three, local.");
    expect(status).toBe(0);
  });

  test("takes what was typed ahead", async () => {
    const { stdout } = await typed(["2\n2\n"]);
    expect(stdout).toContain("Created asked: three, two-player.");
  });

  test("asks again after a wrong answer; also takes names", async () => {
    const { stdout } = await typed(["7\n", "two-player\n"], "--view", "canvas");
    expect(stdout).toContain("Please answer 1 or 2, got 7.");
    expect(stdout).toContain("Created asked: canvas, two-player.");
  });

  test.each(["\x03", "\x04"])("%j writes nothing", async (key) => {
    const { status, stdout } = await typed([key]);
    expect(stdout).toContain("new: cancelled. Nothing was written.");
    expect([status, existsSync(project.path("asked"))]).toEqual([2, false]);
  });
});

describe("the template", () => {
  const pathOf = (part: string) => join(ROOT, "template", part);

  test.each([
    ["canvas", "local"],
    ["canvas", "two-player"],
    ["three", "local"],
    ["three", "two-player"],
  ])("has each file once, for %s and %s", (view, play) => {
    const files = ["common", view, play].flatMap((part) => filesOf(pathOf(part)));
    const twice = files.filter((file, i) => file !== "package.json" && files.indexOf(file) !== i);
    expect(twice).toEqual([]);
  });

  test("uses the versions of packages that this repository tests", () => {
    const parts = ["common", "three", "two-player"].map((part) => manifestOf(pathOf(part)));
    const { tickwise, ...used } = Object.assign(
      {},
      ...parts.flatMap(({ dependencies, devDependencies }) => [dependencies, devDependencies]),
    ) as Record<string, string>;
    const own = manifestOf(ROOT).devDependencies;
    // Replaced by the version that writes the project.
    expect(tickwise).toBe("*");
    expect(used).toEqual(
      Object.fromEntries(Object.keys(used).map((name) => [name, `^${own[name]!.replace("^", "")}`])),
    );
  });
});
