// Checks the chunks of things that happen in few ticks: commands (CMDS) and seats that change (SEAT).
import { MAX_COMMANDS, type CommandSpec } from "../sim/commands.js";
import { decodeText } from "../sim/utf8.js";
import { fault, type Chunk, type Fault } from "./chunk.js";
import { EventReader, type EventChunks } from "./event-chunks.js";
import { MAX_CHUNK_TICKS, MAX_NAME } from "./format.js";
import { ByteReader } from "./varint.js";

/** Adds a chunk of commands, if all of them are valid. Those of a tick are in order of the players. */
export function addCommands(
  bytes: Uint8Array,
  chunk: Chunk,
  chunks: EventChunks,
  end: number,
  players: number,
  spec: CommandSpec | undefined,
): Fault | undefined {
  let player = 0;
  let count = 0;
  return addEvents(bytes, chunk, chunks, end, (event, isSameTick) => {
    count = isSameTick ? count + 1 : 1;
    const isInOrder = !isSameTick || event.seat >= player;
    player = event.seat;
    if (!isInOrder || event.isFlagged || player >= players || count > MAX_COMMANDS) return false;
    return spec !== undefined && spec.isValid(bytes.subarray(event.from, event.to));
  });
}

/** Adds a chunk of seats that change, if all of them are valid. */
export function addSeats(
  bytes: Uint8Array,
  chunk: Chunk,
  chunks: EventChunks,
  end: number,
  players: number,
): Fault | undefined {
  return addEvents(
    bytes,
    chunk,
    chunks,
    end,
    ({ seat, from, to }) =>
      seat < players && to - from <= MAX_NAME && decodeText(bytes.slice(from, to)) !== undefined,
  );
}

/**
 * Adds a chunk of events, if all of them are valid. They precede the inputs of their ticks, so that a truncated file never has
 * inputs without them: none may be of a tick before `end`, where the inputs end so far.
 */
function addEvents(
  bytes: Uint8Array,
  { type, at, from, to }: Chunk,
  chunks: EventChunks,
  end: number,
  isValid: (event: EventReader, isSameTick: boolean) => boolean,
): Fault | undefined {
  const event = new EventReader(new ByteReader(bytes, from, to));
  const min = Math.max(end, chunks.last + 1);
  let first = -1;
  let before = -1;
  do {
    if (!event.next()) return fault("damaged", at, `${type} chunk with an invalid event`);
    const { tick } = event;
    if (tick < min || tick >= end + MAX_CHUNK_TICKS)
      return fault("damaged", at, `${type} chunk with an event of tick ${tick}, which is out of order`);
    if (!isValid(event, tick === before))
      return fault("damaged", at, `${type} chunk with an invalid event of tick ${tick}`);
    if (first < 0) first = tick;
    before = tick;
  } while (!event.isLast);
  chunks.add(at, first, before);
  return undefined;
}
