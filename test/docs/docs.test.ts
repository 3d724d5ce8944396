// Compiles and runs the code of the README and the docs. `// → text` is a line of expected output; `// → …` stands for lines that are not shown.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../shared/sample.js";
import { ROOT } from "../../scripts/setup.mjs";
import { blocksOf, firstMismatch, expectedOutputOf, type Block } from "./blocks.js";
import { compilerOf } from "./compile.js";

const docs = existsSync(join(ROOT, "docs")) ? readdirSync(join(ROOT, "docs")) : [];
const files = ["README.md", ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
const blocks = files
  .filter((file) => existsSync(join(ROOT, file)))
  .flatMap((file) => blocksOf(file, readFileSync(join(ROOT, file), "utf8")));

const nameOf = ({ file, line }: Block) => `${file.replace(/\W/g, "-")}-${line}`;

/** Runs a module in a thread, which starts faster than a process. Returns what it prints. */
function outputOf(path: string): Promise<string> {
  const worker = new Worker(path, { stdout: true, execArgv: [] });
  let text = "";
  worker.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate();
      reject(new Error(`${path} does not end. It printed:\n${text}`));
    }, 120_000);
    worker.on("error", reject);
    worker.on("exit", (status) => {
      clearTimeout(timer);
      if (status === 0) resolve(text);
      else reject(new Error(`${path} ended with status ${status}`));
    });
  });
}

test.runIf(existsSync(join(ROOT, "README.md")))("the README has code", () => {
  expect(blocks.filter(({ file }) => file === "README.md")).not.toEqual([]);
});

describe.runIf(blocks.length > 0)("the code of the docs", () => {
  let complaints = "";
  /** What the compiler says without an option that most users do not set. */
  let commonComplaints = "";
  let compiled: (block: Block) => string;

  beforeAll(async () => {
    // Keeps line numbers, so that errors name the right line.
    const codeOf = ({ line, code }: Block) => "\n".repeat(line - 1) + code;
    const { compile, outputOf: fileOf } = compilerOf(
      "docs",
      new Map(blocks.map((block) => [`${nameOf(block)}.ts`, codeOf(block)])),
    );
    compiled = (block) => fileOf(`${nameOf(block)}.ts`);
    complaints = await compile();
    commonComplaints = await compile("--exactOptionalPropertyTypes", "false", "--noEmit");
  });

  test("compiles", () => {
    expect(complaints).toBe("");
  });

  test("compiles without exactOptionalPropertyTypes, too", () => {
    expect(commonComplaints).toBe("");
  });

  // All are compiled. The full run runs all of them.
  test.each(
    sampleOf(
      blocks.filter((block) => block.runs),
      28,
    ).map((block) => [`${block.file}:${block.line}`, block] as const),
  )("%s prints the expected output", async (_, block) => {
    const stdout = await outputOf(compiled(block));
    const expected = expectedOutputOf(block);
    const printed = stdout === "" ? [] : stdout.replace(/\n$/, "").split("\n");
    const mismatch = firstMismatch(expected, printed);
    const report = `${block.file}:${block.line}\nexpected:\n${expected.join("\n")}\ngot:\n${stdout}`;
    expect(mismatch, report).toBeUndefined();
  });
});
