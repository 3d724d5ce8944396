import type { InputValues } from "../../../src/sim/index.js";
import type { balls } from "../../../scenes/balls.js";
import type { platformer } from "../../../scenes/platformer.js";
import { isTyping } from "../controls.js";
import type { TimeSettings } from "./settings.js";

/** The keys that play, by what they do. */
const KEYS = {
  left: ["ArrowLeft", "KeyA"],
  right: ["ArrowRight", "KeyD"],
  up: ["ArrowUp", "KeyW"],
  down: ["ArrowDown", "KeyS"],
  act: ["Space"],
} as const;
const ALL: readonly string[] = Object.values(KEYS).flat();

type InputsOf<T> = T extends { readonly packing: { unpack(words: never): infer V } } ? V : never;

/** What keys do in each scene. */
const PLAYERS = {
  platformer(player: InputsOf<typeof platformer>, { left, right, up, act }: Down) {
    player.left = left;
    player.right = right;
    player.jump = up || act;
    player.stick = 0;
  },
  balls(player: InputsOf<typeof balls>, { left, right, up, down, act }: Down) {
    player.x = Number(right) - Number(left);
    player.y = Number(down) - Number(up);
    player.kick = act;
  },
};

type Down = Record<keyof typeof KEYS, boolean>;

/** The keys that are down now. */
export class Keys {
  readonly #down = new Set<string>();
  readonly #ending = new AbortController();

  /** Tells when one that plays was pressed; keys are the page's own while nothing is played. */
  constructor(isPlayed: () => boolean, pressed: () => void) {
    const { signal } = this.#ending;
    const onDown = (event: KeyboardEvent) => {
      const { code, target } = event;
      if (!ALL.includes(code) || isTyping(event) || !isPlayed()) return;
      // Space presses a button, arrows move a slider.
      if (code === "Space" && target instanceof HTMLButtonElement) return;
      if (code.startsWith("Arrow") && target instanceof HTMLInputElement) return;
      // The page does not scroll under a game.
      event.preventDefault();
      if (event.repeat) return;
      this.#down.add(code);
      pressed();
    };
    addEventListener("keydown", onDown, { signal });
    addEventListener("keyup", ({ code }) => this.#down.delete(code), { signal });
    addEventListener("blur", () => this.#down.clear(), { signal });
  }

  /** Writes what they do. */
  play(scene: TimeSettings["scene"], player: InputValues<never>): void {
    const isDown = (name: keyof typeof KEYS) => KEYS[name].some((code) => this.#down.has(code));
    PLAYERS[scene](player as never, {
      left: isDown("left"),
      right: isDown("right"),
      up: isDown("up"),
      down: isDown("down"),
      act: isDown("act"),
    });
  }

  dispose(): void {
    this.#ending.abort();
  }
}
