// Compares two recordings without their simulation, and recordings with the simulation that was given.
import type { Replay, ReplayInfo } from "../replay/index.js";
import type { PackedCommand } from "../sim/index.js";
import { layoutChanges } from "../state/describe-layout.js";
import { escaped } from "./escape.js";
import { fieldText } from "./text.js";

/** A value to compare: a number or a list of numbers, or a text. */
type Part = string | number | readonly number[];

export interface TitleDifference {
  readonly part: string;
  readonly a: Part;
  readonly b: Part;
}

/** The identity of a simulation, also as recorded in a file. */
export type Game = Pick<
  ReplayInfo,
  "name" | "version" | "rate" | "players" | "packing" | "commands" | "profile" | "fingerprint" | "state"
>;

const partsOf = ({ name, version, rate, players, packing, commands, profile, fingerprint }: Game) => ({
  name,
  version,
  rate,
  players,
  inputs: packing.slots.map((slot) => fieldText(slot.name, slot.field)).join(", "),
  commands: commands?.title || "none",
  profile,
  state: fingerprint,
});

/** Compares the simulations of two recordings, their seeds and their ticks. */
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
    // The seeds 1 and "1" differ.
    return JSON.stringify(difference.a) === JSON.stringify(difference.b) ? [] : [difference];
  });
}

/** Says how two games differ; undefined if they do not. `one` begins the sentence: "it is a recording of". */
export function mismatch(a: Game, b: Game, one: string, other: string): string | undefined {
  const found = differing(partsOf(a), partsOf(b));
  if (found.length === 0) return undefined;
  const titleOf = ({ name, version }: Game) => `${escaped(name)}, version ${version}`;
  if (a.name !== b.name || a.version !== b.version)
    return `${one} ${titleOf(a)}, but ${other} is ${titleOf(b)}`;
  // The fingerprint covers everything, so it says something about the state only if all else is equal.
  const parts = found
    .filter(({ part }) => part !== "state" || found.length === 1)
    .map(({ part, a: left, b: right }) => {
      const changes = part === "state" && a.state && b.state && layoutChanges(a.state, b.state);
      return `${part} (${changes || `${partText(part, left)} ≠ ${partText(part, right)}`})`;
    });
  return `${one} ${titleOf(a)}, like ${other}, but differs in ${parts.join(", ")}`;
}

/** Formats a value. */
export function partText(part: string, value: Part): string {
  if (part === "seed") return JSON.stringify(value);
  return typeof value === "object" ? value.join(part === "ticks" ? " to " : "/") : escaped(`${value}`);
}

export interface InputComparison {
  /** The number of ticks that both have; -1 if they do not even share a state. */
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

/** Compares the inputs of the ticks that both recordings have. Both must be of the same simulation. */
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

/** Returns the first tick of both recordings whose commands differ. Both must be of the same simulation. */
export function compareCommands(a: Replay, b: Replay): number | undefined {
  const from = Math.max(a.first, b.first);
  const to = Math.min(a.last, b.last);
  const [left, right] = [a.commands(), b.commands()];
  const textOf = (commands: readonly PackedCommand[]) =>
    commands.map(({ player, bytes }) => `${player}:${bytes.join()}`).join(";");
  let tick = from;
  while ((tick = Math.min(left.from(tick), right.from(tick))) < to) {
    if (textOf(left.at(tick)) !== textOf(right.at(tick))) return tick;
    tick++;
  }
  return undefined;
}

export interface HashComparison {
  readonly compared: number;
  /** The first state whose hashes differ. */
  readonly first: number | undefined;
  /** The last compared state before it. Its hashes are equal. */
  readonly after: number | undefined;
}

/** Compares the recorded hashes of all states for which both files have one. */
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
    // Short hashes have no second word.
    const isSecond = one[1] !== -1 && other[1] !== -1;
    if (one[0] !== other[0] || (isSecond && one[1] !== other[1])) return { compared, first: tick, after };
    compared++;
    after = tick;
  }
  return { compared, first: undefined, after };
}
