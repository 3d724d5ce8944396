// Cuts a part out of a recording. Not in index.ts, as only the command line uses it so far.
import { chunkOf } from "./chunk.js";
import { EventWriter } from "./event-writer.js";
import { readHead } from "./head.js";
import { InputWriter } from "./input-writer.js";
import { deflated, keyframeChunk, type Keyframe } from "./keyframe.js";
import { readReplay, type Replay } from "./replay.js";
import { SeatWriter } from "./seat-writer.js";
import { varints } from "./varint.js";

/** Ticks after which an input chunk is closed, as in a recorder. */
const CHUNK_TICKS = 600;

/** Returns the recorded state of a tick, if the file has one. */
export function keyframeAt({ startState, keyframes }: Replay, tick: number): Keyframe | undefined {
  return startState?.tick === tick ? startState : keyframes.find((frame) => frame.tick === tick);
}

/**
 * Returns a new file with the ticks between the states `from` and `to`. `state` holds the bytes of state `from`. It may be
 * undefined only if `from` is the initial state of the simulation.
 */
export async function cut(
  bytes: Uint8Array,
  from: number,
  to: number,
  state: Uint8Array | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const replay = readReplay(bytes);
  const { players, packing } = replay.info;
  const chunks = [bytes.subarray(0, readHead("cut", bytes).end)];
  if (state) chunks.push(await deflated(keyframeChunk("STRT", from, state)));
  const cursor = replay.inputs();
  const [commands, seats] = [replay.commands(), replay.seatCursor()];
  const [commandWriter, seatWriter] = [new EventWriter(), new SeatWriter(players)];
  const writer = new InputWriter(players * packing.words);
  const states = new Map(replay.keyframes.map((frame) => [frame.tick, frame]));
  writer.begin(from);
  let hashed = from;
  for (let tick = from; tick < to; tick++) {
    cursor.seek(tick);
    seats.seek(tick);
    writer.add(cursor.words);
    for (const command of commands.at(tick)) commandWriter.add(tick, command.player, command.bytes);
    seatWriter.add(tick, seats.absent, seats.names);
    const end = tick + 1;
    const frame = states.get(end);
    const isFull = writer.isFull || commandWriter.isFull;
    if (!(frame || isFull || writer.ticks >= CHUNK_TICKS || end === to)) continue;
    for (const [type, events] of [
      ["SEAT", seatWriter.events],
      ["CMDS", commandWriter],
    ] as const) {
      if (!events.isEmpty) chunks.push(chunkOf(type, events.body()));
      events.begin();
    }
    chunks.push(chunkOf("INPT", ...writer.body()), ...hashChunks(replay, hashed, end));
    if (frame) chunks.push(await deflated(keyframeChunk("KEYF", end, replay.stateOf(frame))));
    hashed = end + 1;
    writer.begin(end);
  }
  chunks.push(chunkOf("DONE", varints(to)));
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Encodes the hashes of the states `from` to `to`, inclusive: one chunk for each sequence at equal intervals. */
function hashChunks({ checkpoints }: Replay, from: number, to: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const isShort = (index: number) => checkpoints.wordsOf(index)[1] === -1;
  for (let first = checkpoints.from(from); checkpoints.tickOf(first) <= to;) {
    const tick = checkpoints.tickOf(first);
    // NaN after the last one.
    const every = Math.max(1, checkpoints.tickOf(first + 1) - tick || 1);
    let next = first + 1;
    while (
      checkpoints.tickOf(next) <= to &&
      checkpoints.tickOf(next) - checkpoints.tickOf(next - 1) === every &&
      isShort(next) === isShort(first)
    )
      next++;
    const words: number[] = [];
    for (let i = first; i < next; i++) words.push(...checkpoints.wordsOf(i).slice(0, isShort(first) ? 1 : 2));
    const body = new DataView(new ArrayBuffer(4 * words.length));
    words.forEach((word, i) => body.setUint32(4 * i, word, true));
    const head = [...varints(tick, every), isShort(first) ? 4 : 8];
    chunks.push(chunkOf("CHEK", Uint8Array.from(head), new Uint8Array(body.buffer)));
    first = next;
  }
  return chunks;
}
