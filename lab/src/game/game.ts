import { platformer } from "../../../scenes/platformer.js";
import { display, timeScale, type Driver } from "../../../src/index.js";
import type { InputLatch } from "../../../src/input/index.js";
import { readReplay, type Replay } from "../../../src/replay/index.js";
import { drive, type Drive, type Session } from "../../../src/sim/index.js";
import { Live } from "./live.js";
import type { GameSettings } from "./settings.js";
import type { GameEffect, GameWorld, Playthrough } from "./playthrough.js";
import { Watched } from "./watched.js";

/** Callbacks of a game. */
export interface GameEvents {
  /** Draws a blended state. `time` is its simulated time, `seconds` the virtual time since the last frame. */
  frame(view: GameWorld, time: number, seconds: number): void;
  /** Shows and plays an effect. Each effect is emitted once. */
  effect(effect: GameEffect): void;
}

/** The live game, the replay that may be shown instead, and the loop that drives either. */
export class Game {
  readonly #drive: Drive<Session<GameWorld, GameEffect>>;
  readonly #latch: InputLatch;
  readonly #events: GameEvents;
  readonly #settings: Pick<GameSettings, "speed" | "rewind">;
  #live: Live;
  #watched: Watched | undefined;

  constructor(
    latch: InputLatch,
    settings: Pick<GameSettings, "speed" | "rewind">,
    events: GameEvents,
    driver: Driver = display(),
  ) {
    this.#latch = latch;
    this.#settings = settings;
    this.#events = events;
    this.#live = new Live(latch);
    this.#drive = drive<Session<GameWorld, GameEffect>>(this.#live.session, {
      driver,
      effect: events.effect,
      render: (view, { alpha, delta }) => this.#draw(view, alpha, delta),
    });
  }

  /** What runs the live game or the replay. */
  get drive() {
    return this.#drive;
  }
  get loop() {
    return this.#drive.loop;
  }
  /** The replay if one is open, else the live game. */
  get current(): Playthrough {
    return this.#watched ?? this.#live;
  }
  get live(): Live {
    return this.#live;
  }
  /** The open replay, if any. */
  get watched(): Watched | undefined {
    return this.#watched;
  }

  /** Draws the current state again. */
  draw(): void {
    const { alpha } = this.loop;
    this.#draw(this.current.session.view(alpha), alpha, 0);
  }

  /** Runs or pauses the loop. Taps made while paused are discarded. */
  run(isRunning: boolean): void {
    const isReplaying = this.#watched && !this.current.rewinding;
    timeScale(this.loop).set(isReplaying ? Number(this.#settings.speed) : 1);
    if (isRunning !== this.loop.paused) return;
    if (isRunning) {
      this.#latch.forget();
      this.loop.resume();
    } else this.loop.pause();
  }

  rewind(isRewinding: boolean): void {
    if (isRewinding) this.current.rewind(Number(this.#settings.rewind));
    else {
      this.current.endRewind();
      this.#latch.forget();
    }
  }

  /** Goes one tick forward or back. */
  step(by: 1 | -1): void {
    const { current } = this;
    const tick = current.tick + by;
    if (tick >= current.first && tick <= current.last) current.seek(tick);
    else if (by > 0 && !this.#watched) current.session.advance();
  }

  /** Opens a replay file. Throws if it is invalid, and then changes nothing. */
  watch(bytes: Uint8Array, name: string): void {
    const watched = new Watched(readReplay(bytes), name);
    this.current.endRewind();
    this.#watched?.dispose();
    this.#watched = watched;
    this.#drive.use(watched.session);
  }

  /** Continues live from the tick that the replay shows. */
  takeOver(): void {
    if (this.#watched) this.continueFrom(this.#watched.replay, this.#watched.tick);
  }

  /** Continues live from a tick of a replay. */
  continueFrom(replay: Replay, tick: number): void {
    const live = new Live(this.#latch, replay, tick);
    this.#live.dispose();
    this.#live = live;
    this.close();
  }

  /** Closes the replay and returns to the live game. */
  close(): void {
    this.#watched?.dispose();
    this.#watched = undefined;
    this.#drive.use(this.#live.session);
    this.#latch.forget();
  }

  /** Starts a new game. */
  restart(): void {
    this.#live.dispose();
    this.#live = new Live(this.#latch);
    this.close();
  }

  dispose(): void {
    this.loop.stop();
    this.#watched?.dispose();
    this.#live.dispose();
  }

  #draw(view: GameWorld, alpha: number, seconds: number): void {
    const [numerator, denominator] = platformer.rate;
    this.#events.frame(view, ((this.current.tick - 1 + alpha) * denominator) / numerator, seconds);
  }
}
