// Commands and absent seats, as the compiler sees them.
import { readReplay, record, replayPlayer } from "../../src/replay/index.js";
import {
  button,
  bytes,
  int,
  localSession,
  many,
  play,
  simulation,
  syncTest,
  text,
  type AnySimulation,
  type CommandOf,
  type Simulation,
  type StepContext,
} from "../../src/sim/index.js";
import { bool, f64, id, layout, oneOf, table, u16, u32, u8, vec2 } from "../../src/state/index.js";

const Kind = oneOf("wall", "tower");

const game = simulation({
  name: "commands",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ score: u32, units: table(10, { x: f64 }) }),
  input: { go: button, gear: int(1, 3) },
  commands: {
    build: { x: u16, y: u16, kind: Kind, isFree: bool },
    chat: { text: text(200) },
    select: { units: many(100, id), flags: many(8, bool) },
    upload: { map: bytes(1000) },
    surrender: {},
  },
  absent(player, { seat, tick, world, random }) {
    player.go = tick % 2 === 0 && random.chance(0.5);
    player.gear = seat + world.units.count;
    // @ts-expect-error: there is no such input
    player.jump = true;
    // @ts-expect-error: a bot does not write the world
    world.score = 1;
    // @ts-expect-error: a bot does not write the world
    world.units.add({});
  },
  step(world, [first], { commands }) {
    const isAbsent: boolean = first.absent;
    // @ts-expect-error: it is read-only
    first.absent = isAbsent;
    for (const command of commands) {
      const { player }: { player: number } = command;
      switch (command.name) {
        case "build": {
          const { x, kind, isFree }: { x: number; kind: typeof Kind.wall; isFree: boolean } = command;
          if (kind === Kind.tower && isFree) world.score += x + player;
          // @ts-expect-error: the text of another command
          void command.text;
          break;
        }
        case "chat": {
          const said: string = command.text;
          world.score += said.length;
          break;
        }
        case "select":
          for (const unit of command.units) world.score += world.units.row(unit);
          // @ts-expect-error: a step does not change its commands
          command.units.push(0);
          break;
        case "upload": {
          const map: Uint8Array = command.map;
          world.score += map.length;
          break;
        }
        case "surrender":
          break;
        // @ts-expect-error: there is no such command
        case "dance":
      }
    }
    // @ts-expect-error: the list is read-only
    commands.push(commands[0]!);
  },
});

const session = localSession(game);
session.command("build", { x: 1, y: 2, kind: Kind.wall, isFree: false });
session.command("build", { x: 1, y: 2, kind: Kind.wall, isFree: false }, { player: 1 });
session.command("chat", { text: "hi" });
session.command("select", { units: [], flags: [true] });
session.command("upload", { map: new Uint8Array(3) });
session.command("surrender");
session.command("surrender", {}, { player: 1 });
// @ts-expect-error: it has fields
session.command("chat");
// @ts-expect-error: a number is missing
session.command("build", { x: 1, y: 2, kind: Kind.wall });
// @ts-expect-error: a plain number is not a choice
session.command("build", { x: 1, y: 2, kind: 0, isFree: true });
// @ts-expect-error: there is no such command
session.command("dance");
// @ts-expect-error: a text is no number
session.command("build", { x: "1", y: 2, kind: Kind.wall, isFree: true });
// @ts-expect-error: there is no such option
session.command("surrender", {}, { seat: 1 });

play(game).session.command("chat", { text: "hi" });
const player = replayPlayer(game, readReplay(record(session).bytes()));
player.command("chat", { text: "hi" });
// @ts-expect-error: there is no such command
player.command("dance");

syncTest(game, {
  commands(tick, command) {
    if (tick === 3) command("chat", { text: "hi" }, { player: 1 });
    // @ts-expect-error: there is no such command
    command("dance");
  },
});

type GameCommand = CommandOf<typeof game>;
export const chat: GameCommand = { name: "chat", player: 0, text: "hi" };
// @ts-expect-error: a text is missing
export const empty: GameCommand = { name: "chat", player: 0 };
export const names: GameCommand["name"][] = ["build", "chat", "select", "upload", "surrender"];

// Any list of numbers can be issued.
simulation({
  name: "lists",
  version: 1,
  rate: 60,
  state: layout({ n: u8 }),
  commands: { select: { units: many(4, u16) } },
  step() {},
}) satisfies Simulation;
localSession(
  simulation({
    name: "lists",
    version: 1,
    rate: 60,
    state: layout({ n: u8 }),
    commands: { select: { units: many(4, u16) } },
    step(world, _, { commands }) {
      for (const { units } of commands) world.n += units[0] ?? 0;
    },
  }),
).command("select", { units: new Uint16Array(2) });

const silent = simulation({
  name: "silent",
  version: 1,
  rate: 60,
  state: layout({ n: u8 }),
  input: { go: button, gear: int(1, 3) },
  absent: { gear: 2 },
  step(_, __, { commands }) {
    const none: readonly never[] = commands;
    void none;
  },
});
// @ts-expect-error: it has no commands
localSession(silent).command("chat", { text: "hi" });

simulation({
  name: "wrong",
  version: 1,
  rate: 60,
  state: layout({ n: u8 }),
  input: { go: button },
  // @ts-expect-error: there is no such input
  absent: { jump: true },
  step() {},
});

simulation({
  name: "wrong",
  version: 1,
  rate: 60,
  state: layout({ n: u8 }),
  // @ts-expect-error: a vector is no single number
  commands: { move: { to: vec2 } },
  step() {},
});

// Simulations with commands fit the general types, and helpers can take the context.
export const all: (Simulation | AnySimulation)[] = [game, silent];
export function log({ tick, commands }: StepContext): void {
  for (const { name, player: by } of commands) console.log(tick, name, by);
}
export function logGame(context: StepContext<{}, {}, NonNullable<typeof game.options.commands>>): void {
  log(context);
}
