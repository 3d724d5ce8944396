import { Loop } from "tickwise";
import { localSession } from "../../../src/sim/index.js";
import { sceneOf, type AnySession } from "../scenes/drawable.js";
import type { Keys } from "./keys.js";
import type { TimeSettings } from "./settings.js";

/** Plays a scene and keeps its history. */
export class Playback {
  readonly session: AnySession;
  readonly #settings: TimeSettings;
  readonly #loop: Loop;
  #alpha = 1;
  /** Whether only the script has played, so that a link can lead to any tick. */
  isScripted = true;

  constructor(settings: TimeSettings, keys: Keys) {
    const { scene, history } = settings;
    const { simulation, script } = sceneOf(scene);
    const session = localSession(simulation, {
      history: { seconds: history },
      inputs: (players, { tick }) => {
        if (settings.by === "script") return script(players, tick);
        this.isScripted = false;
        keys.play(scene, players[0]! as never);
      },
    });
    this.#settings = settings;
    this.session = session;
    this.#loop = new Loop({
      rate: [...simulation.rate],
      step: () => session.advance(),
      render: ({ alpha }) => {
        this.#alpha = alpha;
      },
    });
  }

  /** The blended state, forward or backward in time. */
  view(): object {
    return this.session.view(this.#alpha);
  }

  advance(seconds: number): void {
    this.#loop.advance(seconds);
  }

  /** Steps forward to a tick at once. */
  advanceTo(tick: number): void {
    while (this.session.tick < tick) this.session.advance();
    this.#alpha = 1;
  }

  /** Starts or ends a rewind. */
  rewind(isRewinding: boolean): void {
    if (isRewinding) this.session.rewind(Number(this.#settings.speed));
    else this.session.endRewind();
  }

  seek(tick: number): void {
    this.session.seek(tick);
  }

  dispose(): void {
    this.session.dispose();
  }
}
