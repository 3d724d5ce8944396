import { chunkAt, chunkOf, isFault } from "../../src/replay/chunk.js";
import { CHUNK_HEAD, FILE_HEAD } from "../../src/replay/format.js";
import { record, verify, type RecordOptions, type Replay } from "../../src/replay/index.js";
import { localSession, type AnySimulation } from "../../src/sim/index.js";
import { duel, fidgets } from "./duel.js";
import { ScriptedSession, scriptOf } from "./orders.js";

/** A file with chunks of every type: recorded from a later state, and with a seek back between two pieces. */
export async function fullFile(
  options: RecordOptions = { checkpoints: 10 / 60, keyframes: 0.5 },
): Promise<Uint8Array> {
  const session = localSession(duel(), { seed: 3, history: { seconds: 5 }, inputs: fidgets(3) });
  session.skip(5);
  const recorder = record(session, options);
  session.skip(75);
  recorder.take();
  session.seek(50);
  session.skip(60);
  const bytes = await recorder.save();
  session.dispose();
  return bytes;
}

/** A file with commands and seats that change, recorded from the beginning. */
export async function eventFile(): Promise<Uint8Array> {
  const session = new ScriptedSession(scriptOf("file", 100));
  const recorder = record(session, { checkpoints: 10 / 60, keyframes: 0.5 });
  session.play(60);
  recorder.take();
  session.play(40);
  return recorder.save();
}

/** The bytes of each chunk of a file. */
export function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = FILE_HEAD; at < bytes.length;) {
    const chunk = chunkAt(bytes, at);
    if (isFault(chunk)) throw new Error(chunk.message);
    chunks.push(bytes.slice(at, chunk.to));
    at = chunk.to;
  }
  return chunks;
}

export const typeOf = (chunk: Uint8Array) => String.fromCharCode(...chunk.subarray(0, 4));
export const bodyOf = (chunk: Uint8Array) => chunk.slice(CHUNK_HEAD);

/** The file with other chunks. */
export const withChunks = (bytes: Uint8Array, chunks: readonly Uint8Array[]) =>
  new Uint8Array(Buffer.concat([bytes.subarray(0, FILE_HEAD), ...chunks]));

/** The file with another body of one chunk, and the right checksum. */
export const withBody = (bytes: Uint8Array, index: number, body: Uint8Array) =>
  withChunks(
    bytes,
    chunksOf(bytes).map((chunk, i) => (i === index ? chunkOf(typeOf(chunk), body) : chunk)),
  );

/** The message of a verification; "" also if the only problem is that no checkpoints were recorded. */
export function wrongWith(simulation: AnySimulation, replay: Replay): string {
  const result = verify(simulation, replay);
  if (result.ok) return "";
  return result.reason === "no-checkpoints" && replay.checkpoints.count === 0 ? "" : result.message;
}
