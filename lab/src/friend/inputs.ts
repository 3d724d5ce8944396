import { arena } from "../../../scenes/arena.js";
import { bindInputs, gamepads, inputLatch, keyboard, type Bindings } from "../../../src/input/index.js";
import { gameKeys } from "../game-keys.js";
import type { Stick } from "./stick.js";

export const newLatch = () => inputLatch(arena.packing);

/** Binds keys, gamepads and the touch stick to the game's actions. */
export const bindArena = (latch: ReturnType<typeof newLatch>, stick: Stick): Bindings =>
  bindInputs(
    latch,
    {
      x: ["-KeyA", "KeyD", "-ArrowLeft", "ArrowRight", "pad leftX", "stick x"],
      y: ["-KeyW", "KeyS", "-ArrowUp", "ArrowDown", "pad leftY", "stick y"],
      dash: ["Space", "Enter", "pad a", "stick dash"],
    },
    [
      keyboard(
        gameKeys(() => true),
        { preventDefault: true },
      ),
      gamepads(),
      stick.device,
    ],
  );
