// From devices to the inputs of a player. Every press reaches exactly one step, however short it was.
import { bindInputs, gamepads, inputLatch, keyboard } from "tickwise/input";
import { game } from "./game.ts";
import { touchStick } from "./touch-stick.ts";

export function bindControls(canvas: HTMLCanvasElement) {
  const latch = inputLatch(game.packing);
  bindInputs(
    latch,
    {
      x: ["-ArrowLeft", "ArrowRight", "-KeyA", "KeyD", "stick x", "pad leftX", "-pad left", "pad right"],
      y: ["-ArrowUp", "ArrowDown", "-KeyW", "KeyS", "stick y", "pad leftY", "-pad up", "pad down"],
      dash: ["Space", "stick tap", "pad a"],
    },
    [keyboard(window, { preventDefault: true }), touchStick(canvas), gamepads({ deadZone: 0.2 })],
  );
  return latch;
}
