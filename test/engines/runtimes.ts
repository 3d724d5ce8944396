// The runtimes of the script: engines that run a file, QuickJS, and a page and a worker of each browser.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { getQuickJS } from "quickjs-emscripten";
import type { BrowserName } from "../../scripts/browsers.mjs";
import { launch } from "../browser/launch.js";
import type { Answer, Question } from "./script.js";

export interface Runtime {
  name: string;
  ask(questions: Question[]): Promise<Answer[]>;
}

/** Bundles the script, which defines a global `engines`. */
export async function bundle(file = "script.ts"): Promise<string> {
  const entryPoints = [new URL(file, import.meta.url).pathname];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    format: "iife",
    globalName: "engines",
    write: false,
  });
  return outputFiles[0]!.text;
}

/** An engine that runs a file and prints. The timeout is long, for emulated ones, but ends before that of the test. */
export function shell(
  name: string,
  [command, ...args]: string[],
  script: string,
  timeout = 800_000,
): Runtime {
  return {
    name,
    async ask(questions) {
      const folder = mkdtempSync(join(tmpdir(), "tickwise-engines-"));
      const file = join(folder, "ask.js");
      const ask = `Promise.all(${JSON.stringify(questions)}.map(engines.answer))`;
      const tell = `.then((all) => (typeof print === "function" ? print : console.log)(JSON.stringify(all)));`;
      writeFileSync(file, `${script}\n${ask}${tell}\n`);
      try {
        const options = { maxBuffer: 2 ** 26, timeout, killSignal: "SIGKILL" } as const;
        const { stdout } = await promisify(execFile)(command!, [...args, file], options).catch(
          (error: Error & { killed?: boolean; signal?: string }) => {
            throw error.signal === "SIGKILL" && error.killed
              ? new Error(`${name} gave no answer within ${timeout / 1000} s.`)
              : new Error(`${name} failed: ${error.message}`);
          },
        );
        if (!stdout.startsWith("["))
          throw new Error(`${name} answered ${JSON.stringify(stdout.slice(0, 200))}.`);
        return JSON.parse(stdout) as Answer[];
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

export async function quickJs(script: string): Promise<Runtime> {
  const context = (await getQuickJS()).newContext();
  const evaluate = (code: string) => {
    const handle = context.unwrapResult(context.evalCode(code));
    const value: unknown = context.dump(handle);
    handle.dispose();
    return value;
  };
  evaluate(script);
  return {
    name: "QuickJS",
    async ask(questions) {
      const answers: Answer[] = [];
      for (const question of questions) {
        answers.push(
          JSON.parse(evaluate(`JSON.stringify(engines.answer(${JSON.stringify(question)}))`) as string),
        );
        // It blocks this thread, so let other tests run in between.
        await setImmediate();
      }
      return answers;
    },
  };
}

/** Opens a browser, calls `use` with a page and a worker, and closes it. */
export async function inBrowser<T>(
  name: BrowserName,
  script: string,
  use: (runtimes: Runtime[]) => Promise<T>,
): Promise<T> {
  const server = createServer(({ url }, response) => {
    if (url === "/") response.setHeader("Content-Type", "text/html").end(PAGE);
    else
      response
        .setHeader("Content-Type", "text/javascript")
        .end(url === "/worker.js" ? script + WORKER : script);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const browser = await launch(name);
  try {
    const page = await browser.open(`http://127.0.0.1:${port}/`);
    const agent = await page.evaluate<string>("navigator.userAgent");
    // WebKit's MiniBrowser does not report its version.
    const version = /(?:Chrome|Firefox)\/(\d+)/.exec(agent)?.[1];
    const title = version ? `${name} ${version}` : name;
    const runtime = (where: string, ask: string): Runtime => ({
      name: `${title}, ${where}`,
      async ask(questions) {
        const answers: Answer[] = [];
        // One by one, as the browser driver has a time limit per answer.
        for (const question of questions)
          answers.push(await page.evaluate<Answer>(`${ask}(${JSON.stringify(question)})`));
        return answers;
      },
    });
    return await use([runtime("page", "engines.answer"), runtime("worker", "askWorker")]);
  } finally {
    await browser.close();
    server.close();
  }
}

const PAGE = `<!doctype html><title>Engines</title><link rel="icon" href="data:,"><script src="engines.js"></script>
<script>
  let worker;
  function askWorker(question) {
    worker ??= new Worker("worker.js");
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(question);
    });
  }
</script>`;

const WORKER = "\nonmessage = async ({ data }) => postMessage(await engines.answer(data));";
