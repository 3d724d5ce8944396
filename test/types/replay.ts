// Checked by tsc alone: each line below a @ts-expect-error must be a type error.
import {
  playReplay,
  readReplay,
  readReplayInfo,
  record,
  replayPlayer,
  verify,
  type Replay,
  type ReplayInfo,
  type VerifyResult,
} from "../../src/replay/index.js";
import { axis, button, drive, play, simulation, type Session } from "../../src/sim/index.js";
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
// `readReplay` accepts all of these, and a Blob accepts the bytes of a recorder.
const blob = new Blob([recorder.take(), recorder.bytes(), await recorder.save()]);
export const states = new Blob([play(game).session.bytes(), replayPlayer(game, replay).bytes()]);
const read: Replay[] = [
  readReplay(bytes.buffer),
  readReplay(new ArrayBuffer(8)),
  readReplay(new DataView(new ArrayBuffer(8))),
  readReplay(new Float32Array(8)),
  readReplay(Buffer.from(bytes)),
  await readReplay(blob),
  await readReplay(new File([blob], "one.twr")),
];
const titles: ReplayInfo[] = [readReplayInfo(new ArrayBuffer(8)), await readReplayInfo(blob)];
export const wrong: string = describe(verify(game, replay));
function describe(result: VerifyResult): string {
  if (result.ok) return result.note ?? `${result.compared}`;
  if (result.reason === "damaged" || result.reason === "no-checkpoints") return result.message;
  const tick: number = result.tick;
  return `${result.reason} at ${tick}: ${result.differences.length}`;
}
const player = replayPlayer(game, replay, { diverged: ({ tick, keyframe }) => keyframe ?? tick + 1 });
const x: number = player.world.x + player.view(0.5).x;
player.takeOver(([first], { tick }) => {
  first.walk = tick;
});
player.on("effect", ({ name, force }) => console.log(name, force));
const session: Session<typeof player.world> = player;
const again = record(player);
verify(game, replay, { against: game });
drive(player, { render: (view) => void (view.x + 1), effect: ({ force }) => void (force + 1) });
playReplay(game, bytes, { render: (view) => void (view.x + 1), effect: ({ force }) => void (force + 1) });
expectReplay(game, bytes);
expectReplay(game, new ArrayBuffer(8));
expectReplay(game, replay);
expectDeterministic(game, { inputs: ([first]) => void (first.jump = true) });
export const used: unknown[] = [later, x, session, again, read, titles];

// @ts-expect-error no such field
export const y = player.world.y;
// @ts-expect-error no such input
player.takeOver(([first]) => (first.left = true));
// @ts-expect-error there are two players
player.takeOver(([a, b, c]) => void [a, b, c]);
// @ts-expect-error `readReplay` must read the bytes first
verify(game, bytes);
// @ts-expect-error a path is not a file
expectReplay(game, "reports/one.twr");
// @ts-expect-error seconds are a number
record(player, { keyframes: "10" });
// @ts-expect-error the promise must be awaited first
readReplay(later);
// @ts-expect-error a blob is read asynchronously
verify(game, readReplay(blob));
// @ts-expect-error a path is not a file
readReplay("reports/one.twr");
