import type { Random } from "../math/index.js";
import type { FieldKind } from "./command-codec.js";
import { NO_COMMANDS, type CommandSpec, type PackedCommand } from "./commands.js";

const MAX_TEXT = 16;
const MAX_LIST = 8;
const CHANCE = 0.125;

/** Returns random commands: in about one of eight ticks, one of each player. */
export function randomCommands(spec: CommandSpec, players: number, dice: Random): readonly PackedCommand[] {
  if (spec.names.length === 0 || !dice.chance(CHANCE)) return NO_COMMANDS;
  return Array.from({ length: players }, (_, player) => {
    const [name, ...fields] = dice.pick(spec.description);
    const values = Object.fromEntries(fields.map(([field, ...kind]) => [field, randomValue(kind, dice)]));
    return { player, bytes: spec.encode(name, values) };
  });
}

function randomValue([kind, ...rest]: FieldKind, dice: Random): unknown {
  const max = rest[0] as number;
  const list = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: dice.below(Math.min(max, most) + 1) }, make);
  switch (kind) {
    case "text":
      return list(MAX_TEXT, () => String.fromCharCode(32 + dice.below(95))).join("");
    case "bytes":
      return Uint8Array.from(list(MAX_TEXT, () => dice.below(256)));
    case "many":
      return list(MAX_LIST, () => randomValue(rest.slice(1), dice));
    case "oneOf":
      return dice.below(rest.length);
    case "bool":
      return dice.chance(0.5);
    case "f64":
    case "f32":
      return 2000 * dice.float() - 1000;
    default:
      return randomWhole(kind as string, dice);
  }
}

/** Small numbers as often as large ones: many fields are indices. */
function randomWhole(kind: string, dice: Random): number {
  const bits = Number(kind.slice(1));
  const value = dice.u32() >>> (32 - (1 + dice.below(bits)));
  return kind.startsWith("u") ? value : value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
}
