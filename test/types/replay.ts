// Checked by tsc alone: each line below a @ts-expect-error must be refused by the types.
import { readReplay, record, replayPlayer, verify } from "../../src/replay/index.js";
import { axis, button, play, simulation, type Session } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { expectDeterministic, expectReplay } from "../../src/testing/index.js";

const game = simulation({
  name: "types",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: f64.lerp }),
  input: { jump: button, walk: axis(8) },
  effects: { thud: { force: f64 } },
  step(world, [a, b]) {
    world.x += a.walk + b.walk;
  },
});
const recorder = record(play(game).session, { meta: { build: 17 }, everyTick: true });
const bytes: Uint8Array = recorder.take();
const later: Promise<Uint8Array> = recorder.save();
const replay = readReplay(bytes);
const player = replayPlayer(game, replay, { diverged: ({ tick }) => tick + 1 });
const x: number = player.world.x + player.view(0.5).x;
player.takeOver(([first], { tick }) => {
  first!.walk = tick;
});
player.on("effect", ({ name, force }) => console.log(name, force));
const session: Session<typeof player.world> = player;
const again = record(player);
verify(game, replay, { against: game });
expectReplay(game, bytes);
expectReplay(game, replay);
expectDeterministic(game, { inputs: ([first]) => void (first!.jump = true) });
export const used: unknown[] = [later, x, session, again];

// @ts-expect-error There is no such field.
export const y = player.world.y;
// @ts-expect-error Nor such an input.
player.takeOver(([first]) => (first!.left = true));
// @ts-expect-error Bytes are read first.
verify(game, bytes);
// @ts-expect-error A file is no path.
expectReplay(game, "reports/one.twr");
// @ts-expect-error Seconds are a number.
record(player, { keyframes: "10" });
