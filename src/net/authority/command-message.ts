// The commands of one tick between a client and its server: the tick, then the commands.
import type { PackedCommand } from "../../sim/commands.js";
import type { AnySimulation } from "../../sim/index.js";
import { listLength, readCommands, writeCommands } from "../command-list.js";
import { isTick } from "../membership/roster.js";

const HEAD = 8;
/** Most commands in a message, and their bytes. */
export const MAX_IN_MESSAGE = 1024;
export const MAX_COMMAND_BYTES = 2 ** 17;

/** Returns the length of a message with these commands, in bytes. */
export const commandBytes = (commands: readonly PackedCommand[]): number => HEAD + listLength(commands);

export function commandMessage(tick: number, commands: readonly PackedCommand[]): Uint8Array {
  const message = new Uint8Array(commandBytes(commands));
  new DataView(message.buffer).setFloat64(0, tick);
  writeCommands(message, HEAD, commands);
  return message;
}

/** Reads a message. Returns undefined unless all of it is valid. */
export function readCommandMessage(
  bytes: Uint8Array,
  simulation: AnySimulation,
): { readonly tick: number; readonly commands: readonly PackedCommand[] } | undefined {
  const commands = readCommands(bytes, HEAD, simulation, MAX_IN_MESSAGE);
  if (!commands) return undefined;
  const tick = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
  return isTick(tick) ? { tick, commands } : undefined;
}
