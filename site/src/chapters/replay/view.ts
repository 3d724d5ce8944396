import { Loop } from "../../../../src/index.js";
import { replayPlayer } from "../../../../src/replay/index.js";
import { localSession, type ViewOf } from "../../../../src/sim/index.js";
import { COINS } from "../../../../scenes/level.js";
import { platformer } from "../../../../scenes/platformer.js";
import type { FrameSource } from "../../figure/frames.js";
import { blendAt, RATE, type Recording, type TimedKeys } from "./recording.js";

/** Numbers per view in a picture: see `ViewPart`. */
export const VIEW_SIZE = 20;
type PlatformerView = ViewOf<typeof platformer>;

/** Where the parts of a view are in its numbers. Then follow the platforms: all x, then all y. */
export const ViewPart = {
  x: 0,
  y: 1,
  vx: 2,
  vy: 3,
  facing: 4,
  grounded: 5,
  wall: 6,
  flag: 7,
  /** A bit per coin that is left. */
  coins: 8,
  seconds: 9,
  recordedX: 10,
  recordedY: 11,
  /** Whether the state is the recorded one, bit for bit. */
  isSame: 12,
  fps: 13,
  platforms: 14,
} as const;

/** A display that plays the recording. */
export class View {
  readonly frames: FrameSource;
  /** What is shown. */
  readonly numbers = new Float64Array(VIEW_SIZE);
  readonly #recording: Recording;
  readonly #session;
  readonly #loop: Loop;
  readonly #rewind: () => void;
  /** When the recording began to play. */
  #start = 0;
  #shown: PlatformerView;
  /** Ticks since the start of the recording, as shown: a fraction. */
  #at = 0;

  /**
   * `isByTick`: whether each tick takes the inputs of the same tick in the recording. Otherwise, it takes those of the same time. This
   * display refreshes `late` steps after the one on which the recording was made.
   */
  constructor(
    recording: Recording,
    frames: FrameSource,
    isByTick: boolean,
    late: number,
    onStep: () => void,
  ) {
    this.frames = frames;
    this.#recording = recording;
    const { replay, start } = recording;
    if (isByTick) {
      const player = replayPlayer(platformer, replay, { rewind: false });
      this.#rewind = () => player.seek(replay.first);
      this.#session = player;
    } else {
      const session = localSession(platformer, {
        inputs: ([player]) => {
          const { left, right, jump } = this.#keysAt(this.frames.time - this.#start - late / RATE);
          player.left = left;
          player.right = right;
          player.jump = jump;
        },
      });
      this.#rewind = () => session.load(start);
      this.#session = session;
    }
    this.#shown = this.#session.world;
    this.#loop = new Loop({
      rate: RATE,
      step: () => {
        if (this.#session.tick === replay.last) return;
        this.#session.advance();
        onStep();
      },
      render: ({ alpha }) => {
        this.#shown = this.#session.view(alpha);
        this.#at = Math.max(0, this.#session.tick - replay.first - 1 + alpha);
      },
    });
    this.restart(0);
  }

  /** Plays from the start. */
  restart(time: number): void {
    this.#start = time;
    this.#rewind();
    this.#loop.reset();
    this.#shown = this.#session.view(1);
    this.#at = 0;
    this.#write();
  }

  frame(): void {
    this.#loop.advance(this.frames.next());
    this.#write();
  }

  #write(): void {
    const { numbers } = this;
    const { player, platforms, coins, flag } = this.#shown;
    const { tick } = this.#session;
    const { replay, hashes, x, y } = this.#recording;
    numbers[ViewPart.x] = player.x;
    numbers[ViewPart.y] = player.y;
    numbers[ViewPart.vx] = player.vx;
    numbers[ViewPart.vy] = player.vy;
    numbers[ViewPart.facing] = player.facing;
    numbers[ViewPart.grounded] = player.grounded ? 1 : 0;
    numbers[ViewPart.wall] = player.wall;
    numbers[ViewPart.flag] = flag;
    let left = 0;
    for (const coin of coins)
      left += 2 ** COINS.findIndex((other) => other.x === coin.x && other.y === coin.y);
    numbers[ViewPart.coins] = left;
    numbers[ViewPart.seconds] = this.#at / RATE;
    numbers[ViewPart.recordedX] = blendAt(x, this.#at);
    numbers[ViewPart.recordedY] = blendAt(y, this.#at);
    numbers[ViewPart.isSame] = this.#session.hash().join() === hashes[tick - replay.first] ? 1 : 0;
    numbers[ViewPart.fps] = this.frames.fps;
    numbers.set(platforms.x, ViewPart.platforms);
    numbers.set(platforms.y, ViewPart.platforms + platforms.x.length);
  }

  #keysAt(time: number): TimedKeys {
    const { keys } = this.#recording;
    let i = 0;
    while (i + 1 < keys.length && keys[i + 1]!.time <= time) i++;
    return keys[i]!;
  }
}
