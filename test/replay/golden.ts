// The golden replays: recordings of each version of the format, which every later version must read.
import { crc32 } from "../../src/replay/crc32.js";
import {
  record,
  recordedCommands,
  verify,
  type RecordedCommand,
  type Replay,
} from "../../src/replay/index.js";
import type { Simulation } from "../../src/sim/index.js";
import { duel, duelSession } from "./duel.js";
import { fullFile } from "./files.js";
import { orders, ScriptedSession, scriptOf } from "./orders.js";

/**
 * Records the golden replays of this version. Never change these; add new ones for new features. Those without "layout" were
 * written before the metadata had the fields of the state.
 */
export const MAKERS: Record<string, () => Promise<Uint8Array>> = {
  /** Chunks of every type, with deflated states. */
  "v1-layout-full": () => fullFile(),
  /** From the initial state, with a hash in every tick and plain states. */
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
  /** The autosave of a page that crashed: it has no end. */
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
  /** Commands, and seats that change. */
  "v1-events": async () => {
    const session = new ScriptedSession(scriptOf("golden", 300));
    const recorder = record(session, { checkpoints: 0.5, keyframes: 2 });
    session.play(300);
    return recorder.bytes();
  },
};

/** The game of a golden replay. */
export const gameOf = ({ info }: Replay): Simulation => (info.name === orders.name ? orders : duel());

/** Everything that must be read from a golden replay, even by versions that can no longer play it. */
export function summaryOf(replay: Replay) {
  const { info, first, last, ending, keyframes, checkpoints } = replay;
  const cursor = replay.inputs();
  let inputs = 0;
  for (let tick = first; tick < last; tick++) {
    cursor.seek(tick);
    inputs = crc32(new Uint8Array(cursor.words.buffer), 0, cursor.words.byteLength, inputs);
  }
  const { packing, commands, ...rest } = info;
  const slots = packing.slots.map(({ name, field, word, shift }) => [
    name,
    field.kind,
    field.bits,
    word,
    shift,
  ]);
  return {
    info: { ...rest, inputs: slots, commands: commands?.description },
    start: first,
    end: last,
    ending,
    inputs,
    // Left out of the summaries of games without commands.
    commands: commands && checksumOf(recordedCommands(replay)),
    seats: commands && replay.seats,
    keyframes: keyframes.map((frame) => [frame.tick, frame.size, crc32(replay.stateOf(frame))]),
    checkpoints: checkpoints.ticks,
  };
}

/** A checksum of all commands with their values. */
function checksumOf(commands: Iterable<RecordedCommand>): number {
  const text = JSON.stringify([...commands], (_, value: unknown) =>
    value instanceof Uint8Array ? [...value] : value,
  );
  return crc32(new TextEncoder().encode(text));
}

/** Parses a golden summary. Its message is left out, as the wording of messages may change. */
export function parseSummary(json: string): { read: ReturnType<typeof summaryOf>; hash: string } {
  const { read, hash } = JSON.parse(json);
  const { message: _, ...rest } = read;
  return { read: rest, hash };
}

/** The hash of the last state, or the message of the verification. */
export function hashOf(replay: Replay): string {
  const result = verify(gameOf(replay), replay);
  return result.ok ? result.hash.join() : result.message;
}
