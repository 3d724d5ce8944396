import { browserDriver, Loop, type Driver } from "tickwise";
import { platformer } from "../../../scenes/platformer.js";
import type { InputLatch } from "../../../src/input/index.js";
import { readReplay, type Replay } from "../../../src/replay/index.js";
import { Live } from "./live.js";
import type { GameSettings } from "./settings.js";
import type { GameEffect, GameWorld, Story } from "./story.js";
import { Watched } from "./watched.js";

/** What a game tells of itself. */
export interface GameEvents {
  /** To be drawn: a state between two others, at so many seconds of its time, and the seconds since the last picture. */
  frame(view: GameWorld, time: number, seconds: number): void;
  /** To be seen and heard, once. */
  effect(effect: GameEffect): void;
}

/** The game that is played, the replay that is watched in its place, and the loop that drives either. */
export class Game {
  readonly loop: Loop;
  readonly #latch: InputLatch;
  readonly #events: GameEvents;
  readonly #settings: Pick<GameSettings, "speed" | "rewind">;
  #live: Live;
  #watched: Watched | undefined;

  constructor(
    latch: InputLatch,
    settings: Pick<GameSettings, "speed" | "rewind">,
    events: GameEvents,
    driver: Driver = browserDriver(),
  ) {
    this.#latch = latch;
    this.#settings = settings;
    this.#events = events;
    this.#live = new Live(latch, events.effect);
    const place = { due: 1, frameStart: 0, frameEnd: 0 };
    this.loop = new Loop({
      rate: [...platformer.rate],
      driver,
      step: () => {
        place.due = this.loop.due;
        place.frameStart = this.loop.frameStart;
        place.frameEnd = this.loop.frameEnd;
        this.story.advance(place);
      },
      render: ({ alpha, delta }) => this.#draw(alpha, delta),
    });
  }

  get story(): Story {
    return this.#watched ?? this.#live;
  }
  get live(): Live {
    return this.#live;
  }
  /** The replay that is watched; none while one plays. */
  get watched(): Watched | undefined {
    return this.#watched;
  }

  /** Draws what there is now. */
  draw(): void {
    this.#draw(this.loop.alpha, 0);
  }

  /** Lets time pass, or not. What was tapped meanwhile is not done later. */
  run(isRunning: boolean): void {
    this.loop.timeScale = this.#watched && !this.story.rewinding ? Number(this.#settings.speed) : 1;
    if (isRunning !== this.loop.paused) return;
    if (isRunning) {
      this.#latch.forget();
      this.loop.resume();
    } else this.loop.pause();
  }

  rewind(isBack: boolean): void {
    if (isBack) this.story.rewind(Number(this.#settings.rewind));
    else {
      this.story.resume();
      this.#latch.forget();
    }
  }

  /** A state further, or one back. */
  step(by: 1 | -1): void {
    const { story } = this;
    const tick = story.tick + by;
    if (tick >= story.first && tick <= story.last) story.go(tick);
    else if (by > 0 && !this.#watched) story.advance({ due: 1, frameStart: Infinity, frameEnd: Infinity });
  }

  /** Watches a file; throws what is wrong with it, and changes nothing then. */
  watch(bytes: Uint8Array, name: string): void {
    const watched = new Watched(readReplay(bytes), name, this.#events.effect);
    this.story.resume();
    this.#watched?.dispose();
    this.#watched = watched;
  }

  /** Goes on live from the state that is shown of the replay. */
  takeOver(): void {
    if (this.#watched) this.goOn(this.#watched.replay, this.#watched.tick);
  }

  /** Goes on live from a state of a replay. */
  goOn(replay: Replay, tick: number): void {
    const live = new Live(this.#latch, this.#events.effect, replay, tick);
    this.#live.dispose();
    this.#live = live;
    this.close();
  }

  /** Goes back to the game that is played. */
  close(): void {
    this.#watched?.dispose();
    this.#watched = undefined;
    this.#latch.forget();
  }

  /** A new game. */
  restart(): void {
    this.#live.dispose();
    this.#live = new Live(this.#latch, this.#events.effect);
    this.close();
  }

  dispose(): void {
    this.loop.stop();
    this.#watched?.dispose();
    this.#live.dispose();
  }

  #draw(alpha: number, seconds: number): void {
    const { story } = this;
    const [numerator, denominator] = platformer.rate;
    this.#events.frame(story.view(alpha), ((story.tick - 1 + alpha) * denominator) / numerator, seconds);
  }
}
