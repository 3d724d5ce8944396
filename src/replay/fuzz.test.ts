import { expect, test } from "vitest";
import { FULL } from "../../test/full.js";
import { duel } from "../../test/replay/duel.js";
import { bodyOf, chunksOf, eventFile, fullFile, typeOf, withChunks } from "../../test/replay/files.js";
import { orders } from "../../test/replay/orders.js";
import { isTickwiseError, type ErrorCode } from "../errors/index.js";
import { random, type Random } from "../math/index.js";
import type { Simulation } from "../sim/index.js";
import { chunkOf } from "./chunk.js";
import { inputRuns, readReplay, recordedCommands, replayPlayer, verify } from "./index.js";

const COUNT = FULL ? 100_000 : 6000;
const SEED = "fuzz";
/** One in this many files is played too, which takes a session. */
const PLAYED = 200;
/** Longer recordings are only played in part. */
const MAX_TICKS = 3000;

const CODES: ReadonlySet<ErrorCode> = new Set([
  "corrupt-data",
  "unsupported",
  "wrong-simulation",
  "bad-value",
]);

/** Changes, inserts, deletes or repeats some bytes, or truncates them. */
function mutate(bytes: Uint8Array, dice: Random): Uint8Array {
  let changed: Uint8Array = bytes.slice();
  for (let times = 1 + dice.below(3); times > 0 && changed.length > 0; times--) {
    const at = dice.below(changed.length);
    const count = 1 + dice.below(8);
    const [head, tail] = [changed.subarray(0, at), changed.subarray(at)];
    const kind = dice.below(7);
    if (kind === 0) changed = changed.slice(0, at);
    else if (kind === 1) changed = joined(head, tail.subarray(count));
    else if (kind === 2)
      changed = joined(
        head,
        Uint8Array.from({ length: count }, () => dice.below(256)),
        tail,
      );
    else if (kind === 3) changed = joined(head, tail.subarray(0, 40), tail);
    else if (kind === 4) changed[at] = dice.pick([0, 1, 0x7f, 0x80, 0xff]);
    else if (kind === 5) changed.fill(0xff, at, at + count);
    else changed[at]! ^= 1 << dice.below(8);
  }
  return changed;
}

/** Changes the body of a chunk, moves it, or removes it. */
function forge(chunks: readonly Uint8Array[], dice: Random): Uint8Array[] {
  const forged = [...chunks];
  const at = dice.below(chunks.length);
  const chunk = chunks[at]!;
  const kind = dice.below(10);
  if (kind === 0) forged.splice(at, 1);
  else if (kind === 1) forged.splice(dice.below(chunks.length), 0, chunk);
  else forged[at] = chunkOf(typeOf(chunk), mutate(bodyOf(chunk), dice));
  return forged;
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

test(`${COUNT} altered files throw an error with a code, or play as far as they are intact`, async () => {
  const files = [
    await fullFile(),
    await fullFile({ everyTick: true, keyframes: 0 }),
    await fullFile({ checkpoints: 0, keyframes: 0.1 }),
    await eventFile(),
  ];
  const chunks = files.map(chunksOf);
  const games: readonly Simulation[] = [duel(), duel(), duel(), orders];
  const dice = random(new Uint32Array(4)).seed(SEED);
  const seen = { rejected: 0, done: 0, open: 0, truncated: 0, damaged: 0 };
  for (let i = 0; i < COUNT; i++) {
    const of = i % files.length;
    const file = files[of]!;
    // Random damage, and forgeries with a valid checksum.
    const bytes = i % 2 === 0 ? mutate(file, dice) : withChunks(file, forge(chunks[of]!, dice));
    try {
      const replay = readReplay(bytes);
      seen[replay.ending]++;
      if ((replay.message === "") !== (replay.ending === "done"))
        throw new Error("the message does not fit the ending");
      for (const { tick, player } of recordedCommands(replay))
        if (!(tick >= replay.first && tick < replay.last && player < replay.info.players))
          throw new Error("a command of another tick or player");
      for (const { tick, seat } of replay.seats)
        if (!(tick >= replay.first && tick < replay.last && seat < replay.info.players))
          throw new Error("a seat of another tick or player");
      const last = i % 5 < 2 ? [...inputRuns(replay)].at(-1) : undefined;
      if (last && last.to !== replay.last) throw new Error("the inputs end at another tick");
      if (i % PLAYED > 3) continue;
      const game = games[of]!;
      const player = replayPlayer(game, replay, { kernels: "js", rewind: false });
      for (let n = 0; n < 3; n++) player.seek(Math.min(replay.last, replay.first + dice.below(MAX_TICKS)));
      player.dispose();
      if (replay.last - replay.first < MAX_TICKS) verify(game, replay, { kernels: "js" });
    } catch (error) {
      seen.rejected++;
      if (!(isTickwiseError(error) && CODES.has(error.code)))
        throw new Error(`file ${i} of seed "${SEED}"`, { cause: error });
    }
  }
  // Every outcome occurred.
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(COUNT / 1000);
}, 120_000);
