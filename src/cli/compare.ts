// Two recordings, compared without their simulation.
import type { Replay } from "../replay/index.js";
import { fieldText, valueText } from "./words.js";

export interface TitleDifference {
  readonly part: string;
  readonly a: string;
  readonly b: string;
}

/** What the two are of, and how long they are. */
export function compareTitles(a: Replay, b: Replay): TitleDifference[] {
  const titleOf = ({ info, start, end }: Replay): Record<string, string> => ({
    name: info.name,
    version: `${info.version}`,
    rate: info.rate.join("/"),
    players: `${info.players}`,
    inputs: info.packing.slots.map(({ name, field }) => fieldText(name, field)).join(", "),
    profile: `${info.profile}`,
    state: info.fingerprint,
    seed: JSON.stringify(info.seed),
    ticks: `${start} to ${end}`,
  });
  const [left, right] = [titleOf(a), titleOf(b)];
  return Object.keys(left).flatMap((part) =>
    left[part] === right[part] ? [] : [{ part, a: left[part]!, b: right[part]! }],
  );
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
          readonly a: string;
          readonly b: string;
        }[];
      }
    | undefined;
}

/** What players did, where both were recorded. Both are of the same simulation. */
export function compareInputs(a: Replay, b: Replay): InputComparison {
  const { players, packing } = a.info;
  const [left, right] = [a.inputs(), b.inputs()];
  const from = Math.max(a.start, b.start);
  const to = Math.min(a.end, b.end);
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
      for (const { name, field } of packing.slots)
        if (one[name] !== other[name])
          fields.push({
            player,
            name,
            a: valueText(one[name]!, field),
            b: valueText(other[name]!, field),
          });
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
  for (let i = 0, j = 0; i < a.ticks.length && j < b.ticks.length;) {
    const tick = a.ticks[i]!;
    if (tick !== b.ticks[j]!) {
      if (tick < b.ticks[j]!) i++;
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
