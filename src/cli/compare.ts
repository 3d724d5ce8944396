// Two recordings, compared without their simulation; and what they are of, with what was given.
import type { Replay, ReplayInfo } from "../replay/index.js";
import { layoutChanges } from "../state/describe-layout.js";
import { escaped } from "./escape.js";
import { fieldText } from "./text.js";

/** A part of what recordings are of: numbers as they are, and the rest in words. */
type Part = string | number | readonly number[];

export interface TitleDifference {
  readonly part: string;
  readonly a: Part;
  readonly b: Part;
}

/** What a recording is of, or what a simulation is. */
export type Game = Pick<
  ReplayInfo,
  "name" | "version" | "rate" | "players" | "packing" | "profile" | "fingerprint" | "state"
>;

const partsOf = ({ name, version, rate, players, packing, profile, fingerprint }: Game) => ({
  name,
  version,
  rate,
  players,
  inputs: packing.slots.map((slot) => fieldText(slot.name, slot.field)).join(", "),
  profile,
  state: fingerprint,
});

/** What the two are of, and how long they are. */
export function compareTitles(a: Replay, b: Replay): TitleDifference[] {
  const titleOf = ({ info, first, last }: Replay) => ({
    ...partsOf(info),
    seed: info.seed,
    ticks: [first, last],
  });
  return differing(titleOf(a), titleOf(b));
}

function differing(a: Record<string, Part>, b: Record<string, Part>): TitleDifference[] {
  return Object.keys(a).flatMap((part) => {
    const difference = { part, a: a[part]!, b: b[part]! };
    // The seed 1 is not the seed "1".
    return JSON.stringify(difference.a) === JSON.stringify(difference.b) ? [] : [difference];
  });
}

/** In what two that should be the same game are not, in words; undefined if they are. `one` is such as "it is of". */
export function mismatch(a: Game, b: Game, one: string, other: string): string | undefined {
  const found = differing(partsOf(a), partsOf(b));
  if (found.length === 0) return undefined;
  const titleOf = ({ name, version }: Game) => `${escaped(name)}, version ${version}`;
  if (a.name !== b.name || a.version !== b.version) return `${one} ${titleOf(a)}; ${other} is ${titleOf(b)}`;
  // The fingerprint is of all of it: it only tells something of the state where all else is the same.
  const parts = found
    .filter(({ part }) => part !== "state" || found.length === 1)
    .map(({ part, a: left, b: right }) => {
      const changes = part === "state" && a.state && b.state && layoutChanges(a.state, b.state);
      return `${part} (${changes || `${partText(part, left)} ≠ ${partText(part, right)}`})`;
    });
  return `${one} ${titleOf(a)}, as ${other} is, but differs in ${parts.join(", ")}`;
}

/** A part as it is printed. */
export function partText(part: string, value: Part): string {
  if (part === "seed") return JSON.stringify(value);
  return typeof value === "object" ? value.join(part === "ticks" ? " to " : "/") : escaped(`${value}`);
}

export interface InputComparison {
  /** How many ticks both have; -1 if not even a state. */
  readonly ticks: number;
  readonly differing: number;
  readonly first:
    | {
        readonly tick: number;
        readonly fields: readonly {
          readonly player: number;
          readonly name: string;
          readonly a: boolean | number;
          readonly b: boolean | number;
        }[];
      }
    | undefined;
}

/** What players did, where both were recorded. Both are of the same simulation. */
export function compareInputs(a: Replay, b: Replay): InputComparison {
  const { players, packing } = a.info;
  const [left, right] = [a.inputs(), b.inputs()];
  const from = Math.max(a.first, b.first);
  const to = Math.min(a.last, b.last);
  let differing = 0;
  let first: InputComparison["first"];
  for (let tick = from; tick < to;) {
    left.seek(tick);
    right.seek(tick);
    const until = Math.min(left.until, right.until, to);
    const fields = [];
    for (let player = 0; player < players; player++) {
      const at = player * packing.words;
      const [one, other] = [packing.unpack(left.words, at), packing.unpack(right.words, at)];
      for (const { name } of packing.slots)
        if (one[name] !== other[name]) fields.push({ player, name, a: one[name]!, b: other[name]! });
    }
    if (fields.length > 0) {
      differing += until - tick;
      first ??= { tick, fields };
    }
    tick = until;
  }
  return { ticks: to < from ? -1 : to - from, differing, first };
}

export interface HashComparison {
  readonly compared: number;
  /** The first state whose hashes differ, and the last one before it whose do not. */
  readonly first: number | undefined;
  readonly after: number | undefined;
}

/** The recorded hashes of states that have one in both. */
export function compareHashes({ checkpoints: a }: Replay, { checkpoints: b }: Replay): HashComparison {
  let compared = 0;
  let after: number | undefined;
  for (let i = 0, j = 0; i < a.count && j < b.count;) {
    const tick = a.tickOf(i);
    if (tick !== b.tickOf(j)) {
      if (tick < b.tickOf(j)) i++;
      else j++;
      continue;
    }
    const [one, other] = [a.wordsOf(i++), b.wordsOf(j++)];
    // Of short ones, there is no second word.
    const isSecond = one[1] !== -1 && other[1] !== -1;
    if (one[0] !== other[0] || (isSecond && one[1] !== other[1])) return { compared, first: tick, after };
    compared++;
    after = tick;
  }
  return { compared, first: undefined, after };
}
