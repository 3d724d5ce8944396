// Checked by tsc only: which inputs a latch accepts, and which controls a mapping may name.
import {
  axis,
  bindInputs,
  button,
  fraction,
  gamepads,
  inputLatch,
  int,
  keyboard,
  pointer,
  touch,
  type InputDevice,
  type InputMapping,
  type KeyControl,
} from "../../src/input/index.js";
import { localSession, simulation } from "../../src/sim/index.js";
import { layout, u32 } from "../../src/state/index.js";

const game = simulation({
  name: "devices",
  version: 1,
  rate: 60,
  state: layout({ score: u32 }),
  input: { jump: button, fire: button, aim: axis(8), weapon: int(1, 4), fireAt: fraction(8) },
  step(world, [player]) {
    world.score += player.fireAt;
    // @ts-expect-error only buttons have `pressed`
    void player.pressed.fireAt;
  },
});
const latch = inputLatch(game.packing, { fractions: { fireAt: { of: "fire", edge: "release" } } });
localSession(game, { inputs: latch });
localSession(game, { inputs: [latch, undefined] });

latch.press("jump");
latch.release("jump", 5);
latch.set("aim", 0.5, 5);
latch.set("weapon", 2);
latch.releaseAll();

// @ts-expect-error an axis is not a button
latch.press("aim");
// @ts-expect-error no such button
latch.press("fly");
// @ts-expect-error a button is pressed, not set
latch.set("jump", 1);
// @ts-expect-error the latch writes fractions itself
latch.set("fireAt", 0.5);
// @ts-expect-error an axis is a number
latch.set("aim", true);
// @ts-expect-error a timestamp is a number
latch.press("jump", new Date());
// @ts-expect-error takes a packing, not fields
inputLatch({ jump: button });
// @ts-expect-error an axis is not a fraction
inputLatch(game.packing, { fractions: { aim: { of: "fire" } } });
// @ts-expect-error a fraction times a button
inputLatch(game.packing, { fractions: { fireAt: { of: "aim" } } });
// @ts-expect-error no such edge
inputLatch(game.packing, { fractions: { fireAt: { of: "fire", edge: "up" } } });

bindInputs(latch, { jump: ["Space", "pad a", "pointer left"], aim: ["-KeyA", "KeyD", "-pad leftY"] }, [
  keyboard(window, { preventDefault: true }),
  pointer(document.body),
  gamepads({ index: 0, deadZone: 0.2 }),
]);
bindInputs(latch, { jump: ["touch go", "touch"] }, [touch(window, { zones: { go: [0, 0, 1, 1] } })]);
const mapping: InputMapping<{ jump: typeof button }, KeyControl> = { jump: ["F12", "Numpad0"] };
bindInputs(latch, mapping, [keyboard()]);

// @ts-expect-error no such key
bindInputs(latch, { jump: ["space"] }, [keyboard()]);
// @ts-expect-error no gamepads among the devices
bindInputs(latch, { jump: ["pad a"] }, [keyboard()]);
// @ts-expect-error no such zone
bindInputs(latch, { jump: ["touch stop"] }, [touch(window, { zones: { go: [0, 0, 1, 1] } })]);
// @ts-expect-error no such input
bindInputs(latch, { fly: ["Space"] }, [keyboard()]);
// @ts-expect-error an int has no controls
bindInputs(latch, { weapon: ["Space"] }, [keyboard()]);
// @ts-expect-error must be a list
bindInputs(latch, { jump: "Space" }, [keyboard()]);
// @ts-expect-error a zone has four sides
touch(window, { zones: { go: [0, 0, 1] } });
// @ts-expect-error not a selector
keyboard("canvas");

declare const pedal: InputDevice<"pedal">;
bindInputs(latch, { aim: ["pedal", "-pad l2"] }, [pedal, gamepads()]);
// @ts-expect-error the pedal has one control
bindInputs(latch, { aim: ["clutch"] }, [pedal]);
