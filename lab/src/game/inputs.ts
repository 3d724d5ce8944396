import { platformer } from "../../../scenes/platformer.js";
import {
  bindInputs,
  gamepads,
  inputLatch,
  keyboard,
  touch,
  type Bindings,
} from "../../../src/input/index.js";
import { gameKeys } from "./keys.js";
import { ZONES } from "./pad.js";

export const newLatch = () => inputLatch(platformer.packing);

/** Keys, gamepads and the buttons for fingers, by what they do. */
export function bindGame(
  latch: ReturnType<typeof newLatch>,
  pad: HTMLElement,
  isPlayed: () => boolean,
): Bindings {
  return bindInputs(
    latch,
    {
      left: ["ArrowLeft", "KeyA", "pad left", "touch left"],
      right: ["ArrowRight", "KeyD", "pad right", "touch right"],
      jump: ["Space", "ArrowUp", "KeyW", "pad a", "touch jump"],
      stick: ["pad leftX"],
    },
    [
      keyboard(gameKeys(isPlayed), { preventDefault: true }),
      touch(pad, { zones: ZONES }),
      // Pages that are not served securely have none.
      gamepads({ target: "getGamepads" in navigator ? window : NO_PADS }),
    ],
  );
}

const NO_PADS = {
  navigator: { getGamepads: () => [] },
  addEventListener() {},
  removeEventListener() {},
};
