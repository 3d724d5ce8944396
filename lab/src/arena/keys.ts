import { hasTouch } from "../game-keys.js";
import { isTyping } from "../shortcuts/bind.js";
import type { ArenaInputs } from "./inputs.js";

interface KeySet {
  readonly left: string;
  readonly right: string;
  readonly up: string;
  readonly down: string;
  readonly dash: string;
}

/** The keys of the seats that the visitor can play. */
const KEYS: readonly KeySet[] = [
  { left: "KeyA", right: "KeyD", up: "KeyW", down: "KeyS", dash: "Space" },
  { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown", dash: "Enter" },
];

/** How the keys of a seat are called, for the visitor; undefined if only a bot plays it. */
const KEY_NAMES: readonly (string | undefined)[] = ["W A S D, Space to dash", "arrow keys, Enter to dash"];

/** Says who plays a seat. */
export function describePlayer(seat: number, isPlayed: boolean): string {
  const keys = hasTouch() ? undefined : KEY_NAMES[seat];
  if (isPlayed) return `you: ${keys}`;
  return keys ? `bot until you press ${keys}` : "bot";
}

/** Tracks the keys of two players at one keyboard. */
export class PlayerKeys {
  readonly #down = new Set<string>();
  /** Keys that went down since they were last read, so that a tap shorter than a tick counts. */
  readonly #tapped = new Set<string>();
  readonly #played = new Set<number>();
  readonly #aborter = new AbortController();

  /** Calls `onTakeOver` when a seat's keys are used for the first time. While inactive, keys are left to the page. */
  constructor(isActive: () => boolean, onTakeOver: (seat: number) => void) {
    const { signal } = this.#aborter;
    const onDown = (event: KeyboardEvent) => {
      const { code, target } = event;
      const seat = KEYS.findIndex((keys) => Object.values(keys).includes(code));
      if (seat < 0 || isTyping(event) || !isActive()) return;
      // Space and Enter press a focused button, link or checkbox, arrows move a focused slider.
      const isPress = code === "Space" || code === "Enter";
      if (isPress && target instanceof Element && target.closest("button, a, summary, input[type=checkbox]"))
        return;
      if (code.startsWith("Arrow") && target instanceof HTMLInputElement) return;
      // Keep the page from scrolling.
      event.preventDefault();
      if (event.repeat) return;
      this.#down.add(code);
      this.#tapped.add(code);
      if (this.#played.has(seat)) return;
      this.#played.add(seat);
      onTakeOver(seat);
    };
    addEventListener("keydown", onDown, { signal });
    addEventListener("keyup", ({ code }) => this.#down.delete(code), { signal });
    addEventListener("blur", () => this.#down.clear(), { signal });
  }

  /** Whether the visitor plays a seat. */
  plays(seat: number): boolean {
    return this.#played.has(seat);
  }

  /** Writes the inputs of a seat; returns false if the visitor does not play it. */
  play(seat: number, player: ArenaInputs): boolean {
    const keys = KEYS[seat];
    if (!keys || !this.#played.has(seat)) return false;
    const { left, right, up, down, dash } = keys;
    const read = (code: string) => Number(this.#tapped.delete(code) || this.#down.has(code));
    player.x = read(right) - read(left);
    player.y = read(down) - read(up);
    player.dash = read(dash) === 1;
    return true;
  }

  /** Leaves all seats to bots. */
  release(): void {
    this.#played.clear();
    this.#tapped.clear();
  }

  dispose(): void {
    this.#aborter.abort();
  }
}
