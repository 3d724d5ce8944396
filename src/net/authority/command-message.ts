// The commands of one tick as bytes: the tick, then each with its player and its length.
import type { PackedCommand } from "../../sim/commands.js";
import type { AnySimulation } from "../../sim/index.js";

const HEAD = 8;
const ENTRY_HEAD = 5;
/** Most commands in a message, and their bytes. */
export const MAX_IN_MESSAGE = 1024;
export const MAX_COMMAND_BYTES = 2 ** 17;

/** The bytes of a message with these commands. */
export const commandBytes = (commands: readonly PackedCommand[]): number =>
  commands.reduce((sum, { bytes }) => sum + ENTRY_HEAD + bytes.length, HEAD);

export function commandMessage(tick: number, commands: readonly PackedCommand[]): Uint8Array {
  const message = new Uint8Array(commandBytes(commands));
  const view = new DataView(message.buffer);
  view.setFloat64(0, tick);
  let at = HEAD;
  for (const { player, bytes } of commands) {
    message[at] = player;
    view.setUint32(at + 1, bytes.length);
    message.set(bytes, at + ENTRY_HEAD);
    at += ENTRY_HEAD + bytes.length;
  }
  return message;
}

/** Reads a message. Returns undefined unless all of it is valid. */
export function readCommandMessage(
  bytes: Uint8Array,
  { players, commands: spec }: AnySimulation,
): { readonly tick: number; readonly commands: readonly PackedCommand[] } | undefined {
  if (bytes.length < HEAD + ENTRY_HEAD) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tick = view.getFloat64(0);
  if (!Number.isSafeInteger(tick) || tick < 0) return undefined;
  const commands: PackedCommand[] = [];
  let at = HEAD;
  while (at < bytes.length) {
    if (at + ENTRY_HEAD > bytes.length || commands.length >= MAX_IN_MESSAGE) return undefined;
    const player = bytes[at]!;
    const end = at + ENTRY_HEAD + view.getUint32(at + 1);
    if (player >= players || end > bytes.length) return undefined;
    const command = bytes.slice(at + ENTRY_HEAD, end);
    if (!spec.isValid(command)) return undefined;
    commands.push({ player, bytes: command });
    at = end;
  }
  return { tick, commands };
}
