import type { InputValues } from "../../../src/sim/index.js";
import type { balls } from "../../../scenes/balls.js";
import type { platformer } from "../../../scenes/platformer.js";
import type { InputDevice } from "../../../src/input/index.js";
import { isTyping } from "../shortcuts/bind.js";
import type { TimeSettings } from "./settings.js";

/** Key codes and controls of touch pads, by action. A control with a minus is on its other side. */
const KEYS = {
  left: ["ArrowLeft", "KeyA", "touch left", "-stick x"],
  right: ["ArrowRight", "KeyD", "touch right", "stick x"],
  up: ["ArrowUp", "KeyW", "-stick y"],
  down: ["ArrowDown", "KeyS", "stick y"],
  act: ["Space", "touch jump", "stick dash"],
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

/** Tracks the keys, and the controls of touch pads, that are held down. */
export class Keys {
  readonly #down = new Set<string>();
  /** What went down since it was last read, so that a tap shorter than a tick counts. */
  readonly #tapped = new Set<string>();
  readonly #pads: { stop(): void }[];
  readonly #aborter = new AbortController();

  /** Calls `onPress` when a game key is pressed, or a pad touched. While inactive, keys are left to the page. */
  constructor(pads: readonly InputDevice[], isActive: () => boolean, onPress: () => void) {
    const { signal } = this.#aborter;
    const press = (control: string) => {
      this.#down.add(control);
      this.#tapped.add(control);
      onPress();
    };
    const onPad = (control: string, value: number) => {
      const [now, other] = value < 0 ? [`-${control}`, control] : [control, `-${control}`];
      this.#down.delete(other);
      if (value === 0) this.#down.delete(now);
      else if (isActive() && !this.#down.has(now)) press(now);
    };
    const wanted = new Set(ALL);
    this.#pads = pads.map((pad) => pad.start(onPad, wanted));
    const onDown = (event: KeyboardEvent) => {
      const { code, target } = event;
      if (!ALL.includes(code) || isTyping(event) || !isActive()) return;
      // Space presses a focused button, arrows move a focused slider.
      if (code === "Space" && target instanceof HTMLButtonElement) return;
      if (code.startsWith("Arrow") && target instanceof HTMLInputElement) return;
      // Keep the page from scrolling.
      event.preventDefault();
      if (event.repeat) return;
      press(code);
    };
    addEventListener("keydown", onDown, { signal });
    addEventListener("keyup", ({ code }) => this.#down.delete(code), { signal });
    addEventListener("blur", () => this.#down.clear(), { signal });
  }

  /** Writes the player's inputs. */
  play(scene: TimeSettings["scene"], player: InputValues<never>): void {
    const isDown = (name: keyof typeof KEYS) =>
      KEYS[name].some((code) => this.#down.has(code) || this.#tapped.has(code));
    PLAYERS[scene](player as never, {
      left: isDown("left"),
      right: isDown("right"),
      up: isDown("up"),
      down: isDown("down"),
      act: isDown("act"),
    });
    this.#tapped.clear();
  }

  dispose(): void {
    this.#aborter.abort();
    for (const pad of this.#pads) pad.stop();
  }
}
