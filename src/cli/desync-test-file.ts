import { dirname, relative, resolve } from "node:path";
import type { DesyncReport } from "../net/index.js";
import type { ModuleSpec } from "./module.js";

/** Returns a test file that runs the recorded inputs of a desync. */
export function desyncTestFile(
  report: DesyncReport,
  paths: { readonly out: string; readonly report: string; readonly module: ModuleSpec },
  reproduced: readonly ("a" | "b")[],
): string {
  const { tick, fields, seats } = report;
  const side = report.a.replay ? "a" : "b";
  const from = dirname(resolve(paths.out));
  const { name = "default", path } = paths.module;
  const comment = [
    `The two sides of a network game had different states ${tick}.`,
    ...fields.slice(0, 5).map(({ path: field, a, b }) => `  ${field}: ${a} ≠ ${b}`),
    ...(seats.length > 0 ? [`The inputs of seats ${seats.join(", ")} differed.`] : []),
    `Run this on both engines: ${report.a.engine}; ${report.b.engine}.`,
  ];
  return `${comment.map(commentLine).join("")}import { readFileSync } from "node:fs";
${importLine("readReport", "tickwise/net")}
${importLine("inputRuns, readReplay", "tickwise/replay")}
${importLine("guard", "tickwise/sim")}
${importLine(`expectDeterministic${reproduced.length > 0 ? ", expectReplay" : ""}`, "tickwise/testing")}
${importLine("test", "vitest")}
import ${name === "default" ? "game" : /^game$/.test(name) ? "{ game }" : `{ ${name} as game }`} from ${importOf(from, path)};

const report = readReport(readFileSync(new URL(${importOf(from, resolve(paths.report))}, import.meta.url)));

test("with the recorded inputs, the game is deterministic", () => {
  if (!report.${side}.replay) throw new Error("the report has no recording");
  const replay = readReplay(report.${side}.replay);
  const runs = [...inputRuns(replay)];
  expectDeterministic(game, {
    seed: replay.info.seed,
    ticks: Math.max(600, report.tick - replay.first),
    // Fails on calls that engines compute differently.
    guard: guard(),
    inputs: (players, { tick }) => {
      const recorded = replay.first + tick;
      for (const { from, to, player, values } of runs)
        if (recorded >= from && recorded < to) Object.assign(players[player] ?? {}, values);
    },
  });
});
${reproduced.map(replayTest).join("")}`;
}

const replayTest = (side: "a" | "b") => `
// Remove this test when you change the game on purpose.
test("the game reproduces the recording of side ${side.toUpperCase()}", () => {
  if (!report.${side}.replay) throw new Error("the report has no recording");
  expectReplay(game, report.${side}.replay, { guard: guard() });
});
`;

/** Makes a comment of a text that may come from a stranger's file. */
const commentLine = (text: string) => `// ${text.replace(/[\r\n\u2028\u2029]/g, " ")}\n`;

/** Returns the relative path of a file, as a literal. TypeScript wants the name of the file that it compiles to. */
function importOf(folder: string, path: string): string {
  const found = relative(folder, path)
    .replaceAll("\\", "/")
    .replace(/\.(m|c)?tsx?$/, ".$1js");
  return JSON.stringify(found.startsWith(".") ? found : `./${found}`);
}

/** Built from parts, so that no import of the package by its name stands in the command line itself. */
const importLine = (names: string, from: string): string =>
  ["import", `{ ${names} }`, "from", `"${from}";`].join(" ");
