// Prints the reports of `replay verify`, wherever the files were verified.
import type { formatDifferences } from "../state/index.js";
import type { Args } from "./args.js";
import { escaped } from "./escape.js";
import { EXIT_FAILED, EXIT_ERROR, EXIT_OK } from "./exit-status.js";
import { count, indented, painted, print, printJson, type Colour } from "./screen.js";
import type { Report } from "./tasks.js";

const COLOURS: Record<Report["outcome"], Colour> = {
  ok: "green",
  differs: "red",
  failed: "red",
  timeout: "red",
  other: "yellow",
  unreadable: "yellow",
};
const COLUMN = 12;

export class VerifyPrinter {
  readonly #sums = { ok: 0, differs: 0, failed: 0, timeout: 0, other: 0, unreadable: 0 };
  readonly #args: Args;
  readonly #files: readonly string[];
  readonly #fieldsOf: typeof formatDifferences;

  private constructor(args: Args, files: readonly string[], fieldsOf: typeof formatDifferences) {
    this.#args = args;
    this.#files = files;
    this.#fieldsOf = fieldsOf;
  }

  static async create(args: Args, files: readonly string[]): Promise<VerifyPrinter> {
    const { formatDifferences: fieldsOf } = await import("../state/index.js");
    return new VerifyPrinter(args, files, fieldsOf);
  }

  /** Prints the report on a file. */
  report(report: Report, index: number): void {
    this.#sums[report.outcome]++;
    if (this.#args.has("quiet") && report.outcome === "ok") return;
    const file = this.#files[index]!;
    if (this.#args.has("json")) printJson({ file, ...report });
    else
      print(
        painted(COLOURS[report.outcome], report.outcome.padEnd(COLUMN)),
        escaped(file),
        textOf(report, this.#args.has("against"), this.#fieldsOf),
      );
  }

  /** The text of the progress bar. */
  note(done: number): string {
    const sums = this.#sumText();
    return `${done} of ${count(this.#files.length, "file")}${sums && `: ${sums}`}`;
  }

  /** Prints the summary. Returns the exit status. */
  finish(): number {
    const sums = this.#sums;
    if (!this.#args.has("json")) print(`${count(this.#files.length, "file")}: ${this.#sumText()}`);
    if (sums.unreadable > 0) return EXIT_ERROR;
    return sums.ok < this.#files.length ? EXIT_FAILED : EXIT_OK;
  }

  #sumText(): string {
    return Object.entries(this.#sums)
      .flatMap(([outcome, sum]) =>
        sum > 0 ? [`${sum} ${sum > 1 && outcome === "differs" ? "differ" : outcome}`] : [],
      )
      .join(", ");
  }
}

/** Returns the text after the name of the file. */
function textOf(report: Report, isAgainst: boolean, fieldsOf: typeof formatDifferences): string {
  if (report.outcome === "ok") {
    const { first, last, compared, note } = report;
    const text = `: ticks ${first} to ${last}, ${count(compared!, "state")} compared`;
    return note ? `${text}\n${indented(`${note}.`, COLUMN)}` : text;
  }
  if (report.outcome !== "differs" || report.differences === undefined)
    return `\n${indented(report.message, COLUMN)}`;
  const { tick, after, exact, fieldsAt, differences, message, reason } = report;
  if (differences.length === 0 || reason === "keyframe") return `\n${indented(message, COLUMN)}`;
  const head = exact ? `first in state ${tick}` : `in state ${tick} (state ${after} was equal)`;
  const sides = isAgainst ? "--sim ≠ --against" : "recorded ≠ now";
  return `: ${head}\n${indented(`${sides}${fieldsAt === tick ? "" : `, in state ${fieldsAt}`}:\n${fieldsOf(differences)}`, COLUMN)}`;
}
