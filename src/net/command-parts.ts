// Commands in unreliable messages, which are repeated until they are acknowledged: a lost reliable message would hold up all later
// ones for a round trip. One message holds the commands of a tick, or a part of them:
//
//   id of the member 4 · tick 8 · size of the whole 2 · offset 2 · the bytes
import { COMMAND_PART } from "./messages.js";

const HEAD = 16;
const PART = 1000;
/** Longer ones only travel as reliable messages. */
export const MAX_PARTED = 4 * PART;
/** Most ticks whose parts are kept. */
const MAX_UNFINISHED = 64;

/** Calls `send` with the messages that carry the commands of a tick. */
export function sendParts(
  id: number,
  tick: number,
  commands: Uint8Array,
  send: (message: Uint8Array) => void,
): void {
  for (let offset = 0; offset < commands.length; offset += PART) {
    const part = commands.subarray(offset, offset + PART);
    const message = new Uint8Array(1 + HEAD + part.length);
    const view = new DataView(message.buffer, 1);
    message[0] = COMMAND_PART;
    view.setUint32(0, id);
    view.setFloat64(4, tick);
    view.setUint16(12, commands.length);
    view.setUint16(14, offset);
    message.set(part, 1 + HEAD);
    send(message);
  }
}

/** A part of the commands of a tick. */
export interface CommandPart {
  readonly id: number;
  readonly tick: number;
  readonly total: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Reads a message without its type. Returns undefined if it is malformed. */
export function readPart(body: Uint8Array): CommandPart | undefined {
  if (body.length <= HEAD) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const tick = view.getFloat64(4);
  const total = view.getUint16(12);
  const offset = view.getUint16(14);
  const isValid =
    Number.isSafeInteger(tick) &&
    tick >= 0 &&
    total <= MAX_PARTED &&
    offset % PART === 0 &&
    body.length - HEAD === Math.min(PART, total - offset);
  return isValid ? { id: view.getUint32(0), tick, total, offset, bytes: body.subarray(HEAD) } : undefined;
}

/** Puts parts together. */
export class PartCollector {
  readonly #unfinished = new Map<string, { readonly bytes: Uint8Array; readonly missing: Set<number> }>();

  /** Takes a part. Returns the whole once it is complete. */
  add({ id, tick, total, offset, bytes }: CommandPart): Uint8Array | undefined {
    if (total === bytes.length) return bytes;
    const key = `${id} ${tick} ${total}`;
    let whole = this.#unfinished.get(key);
    if (!whole) {
      whole = { bytes: new Uint8Array(total), missing: new Set() };
      for (let at = 0; at < total; at += PART) whole.missing.add(at);
      this.#unfinished.set(key, whole);
      // The oldest one makes room.
      if (this.#unfinished.size > MAX_UNFINISHED)
        this.#unfinished.delete(this.#unfinished.keys().next().value!);
    }
    whole.bytes.set(bytes, offset);
    whole.missing.delete(offset);
    if (whole.missing.size > 0) return undefined;
    this.#unfinished.delete(key);
    return whole.bytes;
  }
}
