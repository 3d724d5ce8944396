import type { PeerEvent } from "../../../src/net/index.js";
import { BALL } from "../../../scenes/arena.js";
import type { Difference } from "../../../src/state/index.js";
import type { Machine } from "./machine.js";
import type { NetworkGame } from "./network-game.js";

const REASONS: Readonly<Record<string, string>> = {
  timeout: "it stopped responding",
  closed: "its connection is closed",
  left: "it left",
  kicked: "the host removed it",
  hostile: "it broke the protocol",
  desync: "its state differs from that of most others",
};

/** Says in plain words what happened to another peer; "" if it does not matter to a player. */
export function describePeer({ kind, name, tick, reason }: PeerEvent): string {
  switch (kind) {
    case "joined":
      return `${name} plays from tick ${tick} on.`;
    case "dropped":
      return `${name} is dropped (${REASONS[reason] ?? reason}). A bot plays for it from tick ${tick} on.`;
    case "hostile":
      return `${name} is disconnected: it ${reason}.`;
    case "two-faced":
      return `${name} ${reason}.`;
    default:
      return "";
  }
}

/** Says why a picture stands still; "" if it moves. */
export function bannerOf({ isGone, isFrozen, session, stalledFor }: Machine): string {
  if (isGone) return "gone";
  if (isFrozen) return "frozen";
  const { state } = session.net;
  if (state === "connecting") return "connecting…";
  if (state === "waiting") return "waiting for players…";
  if (state === "no quorum") return "alone, waits for the others…";
  if (state === "watching") return "watching, asks for its seat…";
  return stalledFor > LONG_STALL ? "waiting for inputs…" : "";
}

/** Loop turns without a step after which the picture says so: a tenth of a second. */
const LONG_STALL = 6;

/** What a game knows about a desync. */
export type Findings = Pick<NetworkGame, "diagnosis" | "isFaulty" | "isCompared">;

/** Returns the verdict in a few words, and whether it is good; undefined before the first comparison. */
export function verdictOf({ diagnosis, isCompared }: Findings): [text: string, isGood: boolean | undefined] {
  if (diagnosis) return ["✗ states differ", false];
  return isCompared ? ["✓ no desync", true] : ["comparing…", undefined];
}

/** Explains a desync to a person. */
export function describeDiagnosis({ diagnosis, isFaulty, isCompared }: Findings): string {
  if (!diagnosis) {
    if (isFaulty) return "The players have not noticed yet.";
    const plant = "Plant a desync to see what the players find out.";
    return isCompared
      ? `All states that were compared are equal. ${plant}`
      : `No states compared yet. ${plant}`;
  }
  const { stage, tick, name, fields } = diagnosis;
  if (stage === "suspected")
    return `The states of Player 1 and ${name} differ at tick ${tick}. Both search for the first difference…`;
  if (stage === "unknown")
    return `The states of Player 1 and ${name} differ at tick ${tick}. The first difference is no longer held.`;
  const lines = fields.map(
    ({ path, a, b }) => `${path}, ${nameOf(path)}:\n  ${text(a)} for Player 1\n  ${text(b)} for ${name}`,
  );
  return [
    `Up to tick ${tick - 1}, Player 1 and ${name} have the same state. At tick ${tick} they differ:`,
    ...lines,
    "The inputs were the same. So the steps differ: by something outside the state, or by another build.",
  ].join("\n");
}

const text = (value: Difference["a"]) => (Object.is(value, -0) ? "-0" : String(value));

const FIELDS: Readonly<Record<string, string>> = {
  x: "position from left to right",
  y: "position from top to bottom",
  vx: "speed to the right",
  vy: "speed downwards",
};

/** Names what a field of the arena is about. */
function nameOf(path: string): string {
  const [, part, row, field = ""] = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  if (part === "inputs") return "part of the input memory";
  const owner = part === "bodies" && Number(row) === BALL ? "the ball" : `player ${Number(row) + 1}`;
  return row === undefined ? "part of the state" : `the ${FIELDS[field] ?? field} of ${owner}`;
}
