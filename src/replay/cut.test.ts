import { describe, expect, test } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import { fullFile, wrongWith } from "../../test/replay/files.js";
import { cut, keyframeAt } from "./cut.js";
import { readReplay, record, replayPlayer, verify, type RecordOptions, type Replay } from "./index.js";

function recorded(ticks: number, options: RecordOptions): Uint8Array {
  const session = duelSession(5);
  const recorder = record(session, options);
  session.skip(ticks);
  return recorder.bytes();
}

/** The words of all players, tick by tick. */
function wordsOf(replay: Replay, from: number, to: number): number[][] {
  const cursor = replay.inputs();
  return Array.from({ length: to - from }, (_, i) => {
    cursor.seek(from + i);
    return [...cursor.words];
  });
}

function stateAt(replay: Replay, tick: number): Uint8Array {
  const player = replayPlayer(duel(), replay);
  player.seek(tick);
  return player.bytes();
}

const hashesOf = ({ checkpoints }: Replay) =>
  checkpoints.ticks.map((tick, i) => [tick, ...checkpoints.wordsOf(i)]);

const FILES: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  "every kind of chunk": () => fullFile(),
  "a hash in every tick": () => recorded(200, { everyTick: true, keyframes: 1 }),
  "long, without keyframes": () => recorded(1500, { keyframes: 0 }),
  "without checkpoints": () => recorded(200, { checkpoints: 0 }),
};

describe.each(Object.keys(FILES))("%s", (name) => {
  test("every part keeps the recorded inputs, hashes and keyframes", async () => {
    const bytes = await FILES[name]!();
    const whole = readReplay(bytes);
    const { first, last } = whole;
    const ticks = [first, first + 1, first + 25, first + 60, last - 61, last - 1, last];
    for (const from of ticks)
      for (const to of ticks.filter((tick) => tick > from)) {
        const part = readReplay(await cut(bytes, from, to, stateAt(whole, from)));
        expect([part.first, part.last, part.ending, part.message]).toEqual([from, to, "done", ""]);
        expect(part.info).toEqual(whole.info);
        expect(wordsOf(part, from, to)).toEqual(wordsOf(whole, from, to));
        const within = ([tick]: number[]) => tick! >= from && tick! <= to;
        expect(hashesOf(part)).toEqual(hashesOf(whole).filter(within));
        expect(part.keyframes.map(({ tick }) => tick)).toEqual(
          whole.keyframes.map(({ tick }) => tick).filter((tick) => tick > from && tick <= to),
        );
        expect(wrongWith(duel(), part)).toBe("");
      }
  });
});

test("a part from the initial state needs no state", async () => {
  const bytes = recorded(300, {});
  const part = readReplay(await cut(bytes, 0, 100, undefined));
  expect([part.first, part.last, part.startState]).toEqual([0, 100, undefined]);
  expect(verify(duel(), part).ok).toBe(true);
});

test("verify still finds a divergence in a part", async () => {
  const bytes = recorded(300, { keyframes: 1 });
  const part = readReplay(await cut(bytes, 100, 250, stateAt(readReplay(bytes), 100)));
  const other = duel({ change: (world, tick) => tick === 150 && (world.heat += 1) });
  expect(verify(other, part)).toMatchObject({ ok: false, tick: 180, after: 120, fieldsAt: 180 });
});

test("keyframeAt returns recorded states only", async () => {
  const replay = readReplay(await fullFile());
  expect(keyframeAt(replay, replay.first)).toBe(replay.startState);
  expect(keyframeAt(replay, 60)?.tick).toBe(60);
  expect(keyframeAt(replay, 61)).toBeUndefined();
});
