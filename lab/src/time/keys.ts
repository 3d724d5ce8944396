import type { InputValues } from "../../../src/sim/index.js";
import type { balls } from "../../../scenes/balls.js";
import type { platformer } from "../../../scenes/platformer.js";
import { isTyping } from "../shortcuts/bind.js";
import type { TimeSettings } from "./settings.js";

/** Key codes by action. */
const KEYS = {
  left: ["ArrowLeft", "KeyA"],
  right: ["ArrowRight", "KeyD"],
  up: ["ArrowUp", "KeyW"],
  down: ["ArrowDown", "KeyS"],
  act: ["Space"],
} as const;
const ALL: readonly string[] = Object.values(KEYS).flat();

type InputsOf<T> = T extends { readonly packing: { unpack(words: never): infer V } } ? V : never;

/** Writes the actions of each scene's player. */
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

/** Tracks the keys that are held down. */
export class Keys {
  readonly #down = new Set<string>();
  readonly #aborter = new AbortController();

  /** Calls `onPress` when a game key is pressed. While inactive, keys are left to the page. */
  constructor(isActive: () => boolean, onPress: () => void) {
    const { signal } = this.#aborter;
    const onDown = (event: KeyboardEvent) => {
      const { code, target } = event;
      if (!ALL.includes(code) || isTyping(event) || !isActive()) return;
      // Space presses a focused button, arrows move a focused slider.
      if (code === "Space" && target instanceof HTMLButtonElement) return;
      if (code.startsWith("Arrow") && target instanceof HTMLInputElement) return;
      // Keep the page from scrolling.
      event.preventDefault();
      if (event.repeat) return;
      this.#down.add(code);
      onPress();
    };
    addEventListener("keydown", onDown, { signal });
    addEventListener("keyup", ({ code }) => this.#down.delete(code), { signal });
    addEventListener("blur", () => this.#down.clear(), { signal });
  }

  /** Writes the player's inputs. */
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
    this.#aborter.abort();
  }
}
