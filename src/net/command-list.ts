// The commands of a tick as bytes, one after the other:
//
//   player 1 byte · length 4 · the command
import type { PackedCommand } from "../sim/commands.js";
import type { AnySimulation } from "../sim/index.js";

/** Bytes before each command. */
export const ENTRY_HEAD = 5;

/** Returns the length of a list of commands in bytes. */
export const listLength = (commands: readonly PackedCommand[]): number =>
  commands.reduce((sum, { bytes }) => sum + ENTRY_HEAD + bytes.length, 0);

/** Writes commands to the rest of a message. */
export function writeCommands(message: Uint8Array, from: number, commands: readonly PackedCommand[]): void {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  let at = from;
  for (const { player, bytes } of commands) {
    message[at] = player;
    view.setUint32(at + 1, bytes.length);
    message.set(bytes, at + ENTRY_HEAD);
    at += ENTRY_HEAD + bytes.length;
  }
}

/** Reads commands from the rest of a message. Returns undefined unless there are 1 to `maxCount`, and all are valid. */
export function readCommands(
  message: Uint8Array,
  from: number,
  { players, commands: spec }: AnySimulation,
  maxCount: number,
): PackedCommand[] | undefined {
  if (message.length < from + ENTRY_HEAD) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const commands: PackedCommand[] = [];
  let at = from;
  while (at < message.length) {
    if (at + ENTRY_HEAD > message.length || commands.length >= maxCount) return undefined;
    const player = message[at]!;
    const end = at + ENTRY_HEAD + view.getUint32(at + 1);
    if (player >= players || end > message.length) return undefined;
    const bytes = message.slice(at + ENTRY_HEAD, end);
    if (!spec.isValid(bytes)) return undefined;
    commands.push({ player, bytes });
    at = end;
  }
  return commands;
}
