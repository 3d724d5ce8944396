import { inspect } from "./inspect.js";

/** What code in the docs gets as its console. */
type DocsConsole = Pick<Console, "log" | "info" | "warn" | "error" | "debug">;

/** The module of a block: see `runnableModule` in site/pages/docs/runnable.ts. */
interface BlockModule {
  readonly default: (console: DocsConsole) => Promise<void>;
}

/** Lines that a page shows. Code that prints more has probably a mistake, and the page must stay usable. */
const MAX_LINES = 1000;

/** Runs a block of code and shows what it prints. */
export async function runBlock(module: string, output: HTMLElement): Promise<void> {
  let lines = 0;
  const print = (kind: "log" | "error", values: readonly unknown[]) => {
    if (lines++ >= MAX_LINES) return;
    const line = document.createElement("span");
    line.className = kind;
    line.textContent = values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");
    output.append(line, "\n");
  };
  const log = (...values: unknown[]) => print("log", values);
  const error = (...values: unknown[]) => print("error", values);
  try {
    const { default: run } = (await import(/* @vite-ignore */ module)) as BlockModule;
    await run({ log, info: log, debug: log, warn: error, error });
    if (lines === 0) print("log", ["Done. It printed nothing."]);
  } catch (problem) {
    print("error", [problem instanceof Error ? `${problem.name}: ${problem.message}` : problem]);
  }
}
