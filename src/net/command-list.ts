// The commands of a tick as bytes, one after the other:
//
//   player 1 byte, or 255 and 2 bytes for players from 255 on · length 4 · the command
import type { PackedCommand } from "../sim/commands.js";
import type { AnySimulation } from "../sim/index.js";

/** Most bytes before a command. */
export const ENTRY_HEAD = 7;
/** Players from this one on take two more bytes. */
const WIDE = 255;

const headOf = (player: number): number => (player < WIDE ? 5 : ENTRY_HEAD);

/** Returns the length of a list of commands in bytes. */
export const listLength = (commands: readonly PackedCommand[]): number =>
  commands.reduce((sum, { player, bytes }) => sum + headOf(player) + bytes.length, 0);

/** Writes commands to the rest of a message. */
export function writeCommands(message: Uint8Array, from: number, commands: readonly PackedCommand[]): void {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  let at = from;
  for (const { player, bytes } of commands) {
    const head = headOf(player);
    message[at] = Math.min(player, WIDE);
    if (player >= WIDE) view.setUint16(at + 1, player);
    view.setUint32(at + head - 4, bytes.length);
    message.set(bytes, at + head);
    at += head + bytes.length;
  }
}

/** Reads commands from the rest of a message. Returns undefined unless there are 1 to `maxCount`, and all are valid. */
export function readCommands(
  message: Uint8Array,
  from: number,
  { players, commands: spec }: AnySimulation,
  maxCount: number,
): PackedCommand[] | undefined {
  if (message.length <= from) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const commands: PackedCommand[] = [];
  let at = from;
  while (at < message.length) {
    const head = headOf(message[at]!);
    if (at + head > message.length || commands.length >= maxCount) return undefined;
    const player = head < ENTRY_HEAD ? message[at]! : view.getUint16(at + 1);
    const end = at + head + view.getUint32(at + head - 4);
    if (player >= players || headOf(player) !== head || end > message.length) return undefined;
    const bytes = message.slice(at + head, end);
    if (!spec.isValid(bytes)) return undefined;
    commands.push({ player, bytes });
    at = end;
  }
  return commands;
}
