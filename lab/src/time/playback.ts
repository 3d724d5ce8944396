import { Loop } from "tickwise";
import { localSession } from "../../../src/sim/index.js";
import { sceneOf, type AnySession } from "../scenes/drawable.js";
import type { Keys } from "./keys.js";
import type { TimeSettings } from "./settings.js";

/** A scene that is played, with its past. */
export class Playback {
  readonly session: AnySession;
  readonly #settings: TimeSettings;
  readonly #loop: Loop;
  #alpha = 1;
  /** Whether the script alone has played: then any moment can be found again by its tick. */
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

  /** What is shown: between two states, forward and back. */
  view(): object {
    return this.session.view(this.#alpha);
  }

  /** Lets so much time pass. */
  advance(seconds: number): void {
    this.#loop.advance(seconds);
  }

  /** Steps up to a state, at once. */
  reach(tick: number): void {
    while (this.session.tick < tick) this.session.advance();
    this.#alpha = 1;
  }

  /** Goes back from now on, or forward again. */
  rewind(isBack: boolean): void {
    if (isBack) this.session.rewind(Number(this.#settings.speed));
    else this.session.endRewind();
  }

  jump(tick: number): void {
    this.session.seek(tick);
  }

  dispose(): void {
    this.session.dispose();
  }
}
