import type { Command } from "./command.js";

const WIDTH = 80;

/** Wraps a text to the width of the help, with all lines but the first indented by `indent`. */
function wrapped(text: string, indent: number, first = indent): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const room = WIDTH - indent;
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((text_, i) => " ".repeat(i === 0 ? first : indent) + text_).join("\n");
}

/** Formats rows of a name and a text. */
function table(rows: readonly (readonly [string, string])[]): string {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.map(([name, text]) => `  ${name.padEnd(indent - 2)}${wrapped(text, indent, 0)}`).join("\n");
}

const STATUS =
  "Exit status: 0 for success, 1 if something differs or failed, 2 for wrong use or unreadable files.";

/** The help of all commands. */
export function overview(commands: readonly Command[]): string {
  return [
    "Usage: tickwise COMMAND [OPTIONS]",
    "Commands:",
    table(commands.map(({ name, summary }) => [name, summary])),
    "Options:",
    table([
      ["--help, -h", "Show this help, or that of a command."],
      ["--version, -v", "Show the version."],
    ]),
    wrapped(
      "--sim names the file that exports the simulation: game.js, or game.js#name for an export by name. TypeScript works if tsx or jiti is installed in your project, or with Node 22.18 or newer.",
      0,
    ),
    wrapped(
      `Results go to stdout. Progress, errors and the output of the simulation go to stderr. With --json, each result is one line of JSON. ${STATUS} Set NO_COLOR to turn colours off.`,
      0,
    ),
  ]
    .join("\n\n")
    .replaceAll(":\n\n  ", ":\n  ");
}

/** The help of a command. */
export function pageOf({ name, usage, about, options, examples }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, about: text }]) =>
      [`--${option}${value === undefined ? "" : ` ${value}`}`, text] as const,
  );
  return [
    wrapped(`Usage: tickwise ${name} ${usage}`, 7, 0),
    ...about.map((text) => wrapped(text, 0)),
    `Options:\n${table([...rows, ["--help, -h", "Show this help."]])}`,
    `${examples.length > 1 ? "Examples" : "Example"}:\n${examples.map((example) => `  ${example}`).join("\n")}`,
    wrapped(STATUS, 0),
  ].join("\n\n");
}
