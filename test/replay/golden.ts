// The golden replays: what was recorded with a version of the format, and must be read for ever.
import { crc32 } from "../../src/replay/crc32.js";
import { record, verify, type Replay } from "../../src/replay/index.js";
import { duel, duelSession } from "./duel.js";
import { fullFile } from "./files.js";

/**
 * How those of this version are made. They stay as they are: for what is new, add another. Those without "layout" were
 * written before the head had the fields of the state.
 */
export const MAKERS: Record<string, () => Promise<Uint8Array>> = {
  /** A chunk of every kind, states deflated. */
  "v1-layout-full": () => fullFile(),
  /** From the start, a hash in every tick, states as they are. */
  "v1-layout-every-tick": async () => {
    const session = duelSession("golden");
    const recorder = record(session, {
      everyTick: true,
      keyframes: 1,
      meta: { names: ["Ada", "Bo 🎲"], build: 1 },
    });
    session.skip(100);
    return recorder.bytes();
  },
  /** What an autosave leaves of a page that crashed: no end. */
  "v1-layout-autosave": async () => {
    const session = duelSession(-7);
    const recorder = record(session);
    const pieces: Uint8Array[] = [];
    for (let i = 0; i < 5; i++) {
      session.skip(150);
      pieces.push(recorder.take());
    }
    return new Uint8Array(Buffer.concat(pieces));
  },
};

/** What must be read in one, for ever: whatever becomes of states and of what steps do. */
export function summaryOf(replay: Replay) {
  const { info, first, last, ending, message, keyframes, checkpoints } = replay;
  const cursor = replay.inputs();
  let inputs = 0;
  for (let tick = first; tick < last; tick++) {
    cursor.seek(tick);
    inputs = crc32(new Uint8Array(cursor.words.buffer), 0, cursor.words.byteLength, inputs);
  }
  const { packing, ...rest } = info;
  const slots = packing.slots.map(({ name, field, word, shift }) => [
    name,
    field.kind,
    field.bits,
    word,
    shift,
  ]);
  return {
    info: { ...rest, inputs: slots },
    start: first,
    end: last,
    ending,
    message,
    inputs,
    keyframes: keyframes.map((frame) => [frame.tick, frame.size, crc32(replay.stateOf(frame))]),
    checkpoints: checkpoints.ticks,
  };
}

/** The hash that it comes to, or what is wrong. */
export function hashOf(replay: Replay): string {
  const result = verify(duel(), replay);
  return result.ok ? result.hash.join() : result.message;
}
