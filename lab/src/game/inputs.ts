import { platformer } from "../../../scenes/platformer.js";
import {
  bindInputs,
  gamepads,
  inputLatch,
  keyboard,
  touch,
  type Bindings,
} from "../../../src/input/index.js";
import { gameKeys } from "../game-keys.js";
import { ZONES } from "./pad.js";

export const newLatch = () => inputLatch(platformer.packing);

/** Binds keys, gamepads and the touch pad to the game's actions. */
export function bindGame(
  latch: ReturnType<typeof newLatch>,
  pad: HTMLElement,
  isActive: () => boolean,
): Bindings {
  return bindInputs(
    latch,
    {
      left: ["ArrowLeft", "KeyA", "pad left", "touch left"],
      right: ["ArrowRight", "KeyD", "pad right", "touch right"],
      jump: ["Space", "ArrowUp", "KeyW", "pad a", "touch jump"],
      stick: ["pad leftX"],
    },
    [keyboard(gameKeys(isActive), { preventDefault: true }), touch(pad, { zones: ZONES }), gamepads()],
  );
}
