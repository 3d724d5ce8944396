// What a report of a desync means, as text.
import type { DesyncReport, ReportSide } from "../net/index.js";
import type { Replay } from "../replay/index.js";
import type { InputComparison } from "./compare.js";
import type { DesyncFindings, SideFindings } from "./desync-task.js";
import { escaped } from "./escape.js";
import { count } from "./screen.js";
import { valueText } from "./text.js";

/** Most values that are printed. */
const MAX_FIELDS = 20;

/** What was found out about a report. */
export interface DesyncFacts {
  readonly report: DesyncReport;
  readonly replays: { readonly a: Replay | string | undefined; readonly b: Replay | string | undefined };
  /** The comparison of both recordings, if there are two of the same simulation. */
  readonly inputs: InputComparison | undefined;
  /** The first tick whose commands differ in both recordings. */
  readonly commands: number | undefined;
  readonly findings: DesyncFindings | undefined;
}

/** Returns the rows to print: a title and a text, which may have several lines. */
export function desyncRows({ report, replays, inputs, commands, findings }: DesyncFacts): [string, string][] {
  const { simulation, tick, after, external } = report;
  const rows: [string, string][] = [
    ["simulation", `${escaped(simulation.name)}, version ${simulation.version}`],
    [
      "desync",
      `state ${tick} differs${after === undefined ? "; no earlier state was held" : `, state ${after} was equal`}`,
    ],
    ["side A", sideText(report.a, replays.a)],
    ["side B", sideText(report.b, replays.b)],
    ["inputs", inputsText(report, inputs, replays.a)],
    ["fields", fieldsText(report)],
  ];
  if (commands !== undefined) rows.push(["commands", `the recordings first differ in tick ${commands}`]);
  if (external.length > 0) rows.push(["external", `differs: ${external.map(escaped).join(", ")}`]);
  if (findings) {
    rows.push(["A here", findingText(findings.a, report)], ["B here", findingText(findings.b, report)]);
    if (findings.forbidden !== undefined) rows.push(["guard", findings.forbidden]);
  }
  return rows;
}

function sideText({ engine, build }: ReportSide, replay: Replay | string | undefined): string {
  const recording =
    typeof replay === "object"
      ? `recorded ticks ${replay.first} to ${replay.last}`
      : replay === undefined
        ? "no recording"
        : escaped(replay);
  return `${escaped(engine) || "unknown engine"}, ${build === "" ? "unknown build" : `build ${escaped(build)}`}, ${recording}`;
}

function inputsText(
  { seats }: DesyncReport,
  inputs: InputComparison | undefined,
  replay: Replay | string | undefined,
): string {
  const lines =
    seats.length > 0 ? [`differ: ${seatsText(seats)}`] : inputs ? [] : ["equal, as far as they were held"];
  if (inputs?.first && typeof replay === "object") {
    const kinds = new Map(replay.info.packing.slots.map(({ name, field }) => [name, field]));
    const fields = inputs.first.fields.map(
      ({ player, name, a, b }) =>
        `player ${player}, ${escaped(name)}: ${valueText(a, kinds.get(name)!)} ≠ ${valueText(b, kinds.get(name)!)}`,
    );
    lines.push(`the recordings first differ in tick ${inputs.first.tick}`, ...fields.slice(0, MAX_FIELDS));
  } else if (inputs && inputs.ticks >= 0)
    lines.push(`the recordings are equal in ${count(inputs.ticks, "tick")}`);
  return lines.join("\n");
}

const seatsText = (seats: readonly number[]) =>
  seats.length === 1 ? `seat ${seats[0]}` : `seats ${seats.slice(0, MAX_FIELDS).join(", ")}`;

function fieldsText({ fields, more, tick }: DesyncReport): string {
  if (fields.length === 0) return more ? "unknown" : "none";
  const shown = fields
    .slice(0, MAX_FIELDS)
    .map(({ path, a, b }) => `${escaped(path)}: ${shownValue(a)} ≠ ${shownValue(b)}`);
  if (more || fields.length > MAX_FIELDS) shown.push("and more");
  return [`A ≠ B, in state ${tick}:`, ...shown].join("\n");
}

const shownValue = (value: number | boolean | string) => (Object.is(value, -0) ? "-0" : escaped(`${value}`));

/** Says whether this machine reproduces a side, and where its recording differs. */
function findingText(
  { fromCommon, agreesTo, differsAt, problem }: SideFindings,
  report: DesyncReport,
): string {
  const lines: string[] = [];
  if (problem !== undefined) lines.push(problem);
  const { tick, after } = report;
  if (fromCommon)
    lines.push(
      fromCommon.length === 0
        ? `reproduced: state ${after} leads to its state ${tick}`
        : `not reproduced: state ${after} leads to another state ${tick}`,
      ...fromCommon
        .slice(0, MAX_FIELDS)
        .map(({ path, a, b }) => `${path}: recorded ${shownValue(a)}, here ${shownValue(b)}`),
    );
  if (differsAt !== undefined)
    lines.push(
      `its recording ${agreesTo === undefined ? "" : `is reproduced up to state ${agreesTo} and `}differs in state ${differsAt}`,
    );
  else if (agreesTo !== undefined) lines.push(`its recording is reproduced, up to state ${agreesTo}`);
  return lines.join("\n") || "nothing to compare";
}

/** Whether simulating a side here led to the same states; undefined if nothing could be compared. */
export function isReproduced(findings: SideFindings): boolean | undefined {
  const { fromCommon, agreesTo, differsAt, hasFailed } = findings;
  if (fromCommon) return fromCommon.length === 0;
  if (hasFailed || differsAt !== undefined) return false;
  return agreesTo === undefined ? undefined : true;
}

/** Lists what to conclude, as sentences. */
export function desyncCauses({ report, inputs, commands, findings }: DesyncFacts): string[] {
  const { seats, a, b } = report;
  const causes: string[] = [];
  if (seats.length > 0 || inputs?.first || commands !== undefined)
    causes.push(
      `The inputs differ${seats.length > 0 ? ` (${seatsText(seats)})` : ""}, so the two sides simulated different games. A peer sent different inputs to different peers, or one side changed them.`,
    );
  if (a.build !== b.build) causes.push("The builds differ. Compare them with replay verify --against.");
  if (findings?.forbidden !== undefined)
    causes.push("A step is not deterministic: see guard above. tickwise/math has functions for all engines.");
  if (findings?.hasHiddenState)
    causes.push(
      "The same inputs lead to different states on this machine: a step depends on something outside the state. Run tickwise synctest.",
    );
  if (causes.length === 0)
    causes.push(
      a.engine === b.engine
        ? "Builds, engines and inputs are equal. A step probably depends on something outside the state. Run tickwise synctest."
        : "The engines differ. Look for calls that engines compute differently, such as Math.sin.",
    );
  return [...causes, ...(findings ? reproductionText(findings) : [])];
}

function reproductionText(findings: DesyncFindings): string[] {
  const [isA, isB] = [isReproduced(findings.a), isReproduced(findings.b)];
  if (isA && isB === false) return ["This machine reproduces side A, but not side B."];
  if (isB && isA === false) return ["This machine reproduces side B, but not side A."];
  if (isA && isB) return ["This machine reproduces both sides."];
  if (isA === false && isB === false)
    return ["This machine reproduces neither side: it has another build, or another engine than both."];
  return [];
}
