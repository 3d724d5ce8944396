// A game with commands and absent seats, and a session that plays it: players leave and come back, and others take their seats.
import { random } from "../../src/math/index.js";
import type { Recordable } from "../../src/replay/index.js";
import { bytesOf } from "../../src/sim/bytes.js";
import { NO_COMMANDS, type PackedCommand } from "../../src/sim/commands.js";
import { button, bytes, int, many, simulation, text, type ConfirmedTick } from "../../src/sim/index.js";
import { Run } from "../../src/sim/run.js";
import { bool, f32, f64, i8, layout, list, oneOf, u16, u32 } from "../../src/state/index.js";

const Kind = oneOf("wall", "tower", "gate");

export const orders = simulation({
  name: "orders",
  version: 1,
  rate: 60,
  players: 3,
  state: layout({ mix: u32, absences: u32, x: f64.lerp, built: list(3, u16), said: list(3, u32) }),
  input: { go: button, gear: int(0, 7) },
  commands: {
    build: { x: u16, y: i8, kind: Kind, isFree: bool },
    say: { words: text(40) },
    select: { units: many(300, u16), weights: many(4, f32) },
    upload: { map: bytes(500) },
    halt: {},
  },
  effects: { said: { player: u32, letters: u32 } },
  absent(player, { seat, tick, world, random: dice }) {
    player.go = (tick + seat) % 4 === 0;
    player.gear = (world.mix + dice.below(3)) % 8;
  },
  step(world, inputs, { commands, random: dice, emit }) {
    const mix = (value: number) => (world.mix = Math.imul(world.mix ^ value, 0x9e3779b1) >>> 0);
    inputs.forEach(({ go, gear, held, absent }, player) => {
      mix(Number(go) + 2 * gear + 16 * held.go + 64 * player);
      if (absent) world.absences += 1 + player;
      if (go) world.x += gear;
    });
    for (const command of commands) {
      mix(command.player);
      switch (command.name) {
        case "build":
          world.built[command.player]! += command.isFree ? 1 : 2;
          mix(command.x * 1000 + command.y * 3 + command.kind);
          break;
        case "say":
          world.said[command.player]! += command.words.length;
          emit("said", { player: command.player, letters: command.words.length });
          break;
        case "select":
          for (const unit of command.units) mix(unit);
          for (const weight of command.weights) world.x += weight;
          break;
        case "upload":
          for (const byte of command.map) mix(byte);
          break;
        case "halt":
          world.x = dice.float();
      }
    }
  },
});

/** A random command. */
export function randomOrder(dice: ReturnType<typeof random>): Uint8Array {
  const spec = orders.commands;
  switch (dice.below(5)) {
    case 0:
      return spec.encode("build", {
        x: dice.below(65_536),
        y: dice.below(256) - 128,
        kind: dice.below(3),
        isFree: dice.chance(0.5),
      });
    case 1:
      return spec.encode("say", { words: "größer 🎲 ".slice(0, dice.below(10)).replace(/\ud83c$/, "") });
    case 2:
      return spec.encode("select", {
        units: Array.from({ length: dice.below(20) }, () => dice.below(65_536)),
        weights: Array.from({ length: dice.below(5) }, () => dice.float()),
      });
    case 3:
      return spec.encode("upload", {
        map: Uint8Array.from({ length: dice.below(500) }, () => dice.below(256)),
      });
    default:
      return spec.encode("halt");
  }
}

/** What each tick of a game is given. It depends only on the seed. */
export interface Script {
  readonly words: readonly Uint32Array[];
  readonly commands: readonly (readonly PackedCommand[])[];
  readonly absent: readonly Uint8Array[];
  readonly names: readonly (readonly string[])[];
}

/** Random inputs that are held for a while; a command now and then, sometimes several; players who come and go. */
export function scriptOf(seed: string, ticks: number): Script {
  const dice = random(new Uint32Array(4)).seed(seed);
  const players = 3;
  const words = new Uint32Array(players);
  const absent = new Uint8Array(players);
  let names = ["Ada", "", "Bo 🎲"];
  const script = { words: [], commands: [], absent: [], names: [] } as {
    -readonly [K in keyof Script]: Script[K][number][];
  };
  for (let tick = 0; tick < ticks; tick++) {
    for (let player = 0; player < players; player++) {
      if (dice.chance(0.1)) words[player] = dice.below(16);
      if (!dice.chance(0.03)) continue;
      absent[player] = 1 - absent[player]!;
      if (absent[player] === 0 && dice.chance(0.5))
        names = names.map((name, seat) => (seat === player ? `guest ${tick}` : name));
    }
    const commands: PackedCommand[] = [];
    if (dice.chance(0.2))
      for (let player = 0; player < players; player++)
        for (let i = dice.below(3); i > 0 && absent[player] === 0; i--)
          commands.push({ player, bytes: randomOrder(dice) });
    script.words.push(words.slice());
    script.commands.push(commands.length > 0 ? commands : NO_COMMANDS);
    script.absent.push(absent.slice());
    script.names.push(names);
  }
  return script;
}

/** Plays a script. It is a session as far as a recorder needs one. */
export class ScriptedSession implements Recordable {
  readonly simulation = orders;
  readonly seed = "orders";
  readonly run = new Run(orders, 0, { seed: this.seed });
  readonly #script: Script;
  readonly #listeners: { readonly event: string; readonly listener: (info: never) => void }[] = [];

  constructor(script: Script) {
    this.#script = script;
  }

  get tick() {
    return this.run.tick;
  }
  get confirmed() {
    return this.run.tick;
  }
  get seatNames() {
    return this.#script.names[Math.max(0, this.tick - 1)]!;
  }
  hash(out?: [number, number]) {
    return this.run.hash(out);
  }
  bytes() {
    return bytesOf(orders, this.run, true);
  }
  on(event: string, listener: (info: never) => void) {
    this.#listeners.push({ event, listener });
    return () => {};
  }

  play(ticks: number): this {
    const { run } = this;
    for (let i = 0; i < ticks; i++) {
      const { tick } = run;
      run.words.set(this.#script.words[tick]!);
      run.commands = this.#script.commands[tick]!;
      run.absent.set(this.#script.absent[tick]!);
      run.step();
      const info: ConfirmedTick = {
        tick,
        words: run.words,
        commands: run.commands,
        absent: run.absent,
        hash: (out) => run.hash(out),
        bytes: () => this.bytes(),
      };
      for (const { event, listener } of this.#listeners) if (event === "confirmed") listener(info as never);
    }
    return this;
  }
}
