// Devices without a page, with Node's EventTarget and Event. test/browser/input.test.ts tests them in a browser.
import { describe, expect, test } from "vitest";
import { bindInputs } from "./bind.js";
import type { InputDevice, ReportControl } from "./device.js";
import { gamepads } from "./devices/gamepads.js";
import { keyboard } from "./devices/keyboard.js";
import { pointer } from "./devices/pointer.js";
import { touch } from "./devices/touch.js";
import { axis, button, int } from "./fields.js";
import { inputLatch } from "./latch.js";
import { Packing } from "./packing.js";

const packing = new Packing({ left: button, jump: button, move: axis(8), aim: axis(8), weapon: int(0, 3) });
const words = new Uint32Array(packing.words);
const ALONE = { tick: 0, peek: false, due: 1, frameStart: Infinity, frameEnd: Infinity };

const newLatch = () => inputLatch(packing);
function step(latch: ReturnType<typeof newLatch>) {
  latch.sample(words, 0, ALONE);
  return packing.unpack(words);
}

/** A window that counts its listeners. */
class FakeWindow extends EventTarget {
  listeners = 0;
  innerWidth = 200;
  innerHeight = 100;
  pads: (FakePad | null)[] = [];
  navigator = { getGamepads: () => this.pads };
  override addEventListener(...args: Parameters<EventTarget["addEventListener"]>) {
    this.listeners++;
    super.addEventListener(...args);
  }
  override removeEventListener(...args: Parameters<EventTarget["removeEventListener"]>) {
    this.listeners--;
    super.removeEventListener(...args);
  }
  /** Dispatches an event with these properties. Returns false if its default action was prevented. */
  send(type: string, properties: object = {}): boolean {
    const event = new Event(type, { cancelable: true });
    for (const [name, value] of Object.entries(properties)) Object.defineProperty(event, name, { value });
    return this.dispatchEvent(event);
  }
}
const key = (code: string, rest: object = {}) => ({ code, timeStamp: 1, ...rest });

/** A device with two controls that the test moves. */
function dial(): InputDevice<"dial" | "knob"> & { report: ReportControl; polls: number; stops: number } {
  const device = {
    name: "dial",
    report: (() => {}) as ReportControl,
    polls: 0,
    stops: 0,
    has: (control: string): control is "dial" | "knob" => control === "dial" || control === "knob",
    start(report: ReportControl) {
      device.report = report;
      return { poll: () => void device.polls++, stop: () => void device.stops++ };
    },
  };
  return device;
}

describe("bindInputs", () => {
  test("an input is down while any of its controls is", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { left: ["KeyA", "ArrowLeft"] }, [keyboard(window)]);
    window.send("keydown", key("KeyA"));
    window.send("keydown", key("ArrowLeft"));
    window.send("keyup", key("KeyA"));
    expect([step(latch).left, step(latch).left]).toEqual([true, true]);
    window.send("keyup", key("ArrowLeft"));
    expect(step(latch).left).toBe(false);
  });

  test("after releaseAll, releasing an old key does not release a newer press", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { left: ["KeyA", "ArrowLeft"] }, [keyboard(window)]);
    window.send("keydown", key("KeyA"));
    window.send("keydown", key("ArrowLeft"));
    expect(step(latch).left).toBe(true);
    latch.releaseAll();
    expect(step(latch).left).toBe(false);
    window.send("keyup", key("KeyA"));
    window.send("keydown", key("KeyA"));
    expect(step(latch).left).toBe(true);
    window.send("keyup", key("ArrowLeft"));
    expect(step(latch).left).toBe(true);
    window.send("keyup", key("KeyA"));
    expect(step(latch).left).toBe(false);
  });

  test("an axis is the sum of its controls, and a minus inverts one", () => {
    const window = new FakeWindow();
    const device = dial();
    const latch = newLatch();
    bindInputs(latch, { move: ["-KeyA", "KeyD", "dial"], aim: ["-dial"] }, [keyboard(window), device]);
    window.send("keydown", key("KeyA"));
    expect(step(latch).move).toBe(-1);
    window.send("keydown", key("KeyD"));
    expect(step(latch).move).toBe(0);
    device.report("dial", 1, 5);
    expect(step(latch)).toMatchObject({ move: 1, aim: -1 });
    window.send("keyup", key("KeyA"));
    expect(step(latch).move).toBe(1);
  });

  test("a key that activates the focused button goes to the page, not to the game", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { jump: ["Space"], left: ["KeyA"] }, [keyboard(window, { preventDefault: true })]);
    const focused = { composedPath: () => [{ tagName: "BUTTON" }] };
    expect(window.send("keydown", key("Space", focused))).toBe(true);
    expect(window.send("keydown", key("KeyA", focused))).toBe(false);
    expect(step(latch)).toMatchObject({ jump: false, left: true });
    expect(window.send("keydown", key("Space"))).toBe(false);
    expect(step(latch).jump).toBe(true);
  });

  test("works on a page without gamepads", () => {
    const window = Object.assign(new FakeWindow(), { navigator: {} });
    const latch = newLatch();
    bindInputs(latch, { jump: ["pad a"] }, [gamepads({ target: window })]).poll();
    expect(step(latch).jump).toBe(false);
  });

  test("a stick presses a button beyond half of its range, once, despite jitter", () => {
    const device = dial();
    const latch = newLatch();
    bindInputs(latch, { left: ["-dial"], jump: ["dial"] }, [device]);
    const seen = [0.45, 0.55, 0.45, 0.51, 0.39, -1, 0].map((value) => {
      device.report("dial", value, 5);
      const { left, jump } = step(latch);
      return `${Number(left)}${Number(jump)}`;
    });
    expect(seen).toEqual(["00", "01", "01", "01", "00", "10", "00"]);
  });

  test("polls devices before each frame; dispose stops them and releases what they hold", () => {
    const device = dial();
    const latch = newLatch();
    const bindings = bindInputs(latch, { jump: ["dial"], move: ["knob"] }, [device]);
    device.report("dial", 1, 5);
    device.report("knob", 0.5, 5);
    expect(step(latch)).toMatchObject({ jump: true, move: 64 / 127 });
    bindings.poll();
    expect(device.polls).toBe(2);
    bindings.dispose();
    bindings.dispose();
    device.report("dial", 1, 6);
    expect(step(latch)).toMatchObject({ jump: false, move: 0 });
    expect([device.polls, device.stops]).toEqual([2, 1]);
  });

  test("stops the other devices if one fails to start", () => {
    const device = dial();
    const broken = { ...dial(), start: () => expect.fail("no device") as never };
    expect(() => bindInputs(newLatch(), { jump: ["dial"] }, [device, broken])).toThrow("no device");
    expect(device.stops).toBe(1);
  });

  const window = new FakeWindow();
  test.each<[unknown, string]>([
    [{ fly: ["KeyA"] }, 'bindInputs: unknown button or axis "fly". Known: left, jump, move, aim.'],
    [{ weapon: ["KeyA"] }, 'bindInputs: unknown button or axis "weapon". Known: left, jump, move, aim.'],
    [
      { jump: ["space"] },
      'bindInputs: unknown control "space" for "jump" (devices: keyboard, gamepads). Did you mean "Space"?',
    ],
    ...(
      [
        ["a", "KeyA"],
        ["arrowleft", "ArrowLeft"],
        ["LEFT", "ArrowLeft"],
        ["7", "Digit7"],
        ["pad leftx", "pad leftX"],
        ["Pad A", "pad a"],
      ] as const
    ).map(([typed, meant]): [unknown, string] => [
      { jump: [typed] },
      `bindInputs: unknown control "${typed}" for "jump" (devices: keyboard, gamepads). Did you mean "${meant}"?`,
    ]),
    [
      { jump: ["pointer left"] },
      'bindInputs: unknown control "pointer left" for "jump" (devices: keyboard, gamepads). Try "KeyA" with keyboard(), or "pad a" with gamepads().',
    ],
    [{ jump: "Space" }, 'bindInputs: mapping.jump must be a list of controls, got "Space". Try ["Space"].'],
  ])("%j throws, and leaves no listener behind", (mapping, message) => {
    const devices = [keyboard(window), gamepads({ target: window })];
    expect(() => bindInputs(newLatch(), mapping as never, devices)).toThrow(message);
    expect(window.listeners).toBe(0);
  });
});

describe("keyboard", () => {
  test("ignores repeats, and reports when a key went down", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { jump: ["Space"] }, [keyboard(window)]);
    window.send("keydown", key("Space", { timeStamp: 1060 }));
    window.send("keydown", key("Space", { timeStamp: 1065, repeat: true }));
    window.send("keydown", key("Space", { timeStamp: 1066 }));
    expect(latch.waiting).toBe(1);
    const request = { ...ALONE, frameStart: 1000, frameEnd: 1100 };
    latch.sample(words, 0, { ...request, due: 2 });
    expect(packing.unpack(words).jump).toBe(false);
    latch.sample(words, 0, request);
    expect(packing.unpack(words).jump).toBe(true);
  });

  test.each(["blur", "pagehide", "visibilitychange"])("releases all keys on %s", (type) => {
    const window = new FakeWindow();
    Object.assign(window, { visibilityState: "hidden" });
    const latch = newLatch();
    bindInputs(latch, { jump: ["Space"], move: ["KeyD"] }, [keyboard(window)]);
    window.send("keydown", key("Space"));
    window.send("keydown", key("KeyD"));
    expect(step(latch)).toMatchObject({ jump: true, move: 1 });
    window.send(type);
    expect(step(latch)).toMatchObject({ jump: false, move: 0 });
    // The key is still down and repeats, but it was released.
    window.send("keydown", key("Space", { repeat: true }));
    window.send("keyup", key("Space"));
    expect(step(latch).jump).toBe(false);
    window.send("keydown", key("Space"));
    expect(step(latch).jump).toBe(true);
  });

  test("releases all keys when Meta goes up, as macOS sends no keyup for the others", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { jump: ["Space"] }, [keyboard(window)]);
    window.send("keydown", key("Space", { metaKey: true }));
    window.send("keyup", key("MetaLeft"));
    expect([step(latch).jump, step(latch).jump]).toEqual([true, false]);
  });

  test("prevents default actions only if asked to, for mapped keys, and not for shortcuts", () => {
    const window = new FakeWindow();
    bindInputs(newLatch(), { jump: ["Space"] }, [keyboard(window)]);
    expect(window.send("keydown", key("Space"))).toBe(true);
    const other = new FakeWindow();
    bindInputs(newLatch(), { jump: ["Space"] }, [keyboard(other, { preventDefault: true })]);
    expect(other.send("keydown", key("Space"))).toBe(false);
    expect(other.send("keydown", key("Space", { repeat: true }))).toBe(false);
    expect(other.send("keydown", key("Space", { ctrlKey: true }))).toBe(true);
    expect(other.send("keydown", key("Tab"))).toBe(true);
  });

  test("has the keys of KeyboardEvent.code, and no others", () => {
    const { has } = keyboard(new FakeWindow());
    for (const code of ["KeyA", "Digit0", "F1", "F12", "F24", "Numpad5", "NumpadAdd", "BracketLeft", "Space"])
      expect(has(code), code).toBe(true);
    for (const code of ["a", "KeyÄ", "F0", "F25", "Keya", "Left", " ", "", "Space "])
      expect(has(code), code).toBe(false);
  });

  test("throws without a window", () => {
    expect(() => keyboard()).toThrow(
      "keyboard: there is no window to listen to. Pass a target, or call latch.press(name) yourself.",
    );
  });
});

describe("pointer", () => {
  const at = (buttons: number, rest: object = {}) => ({
    isPrimary: true,
    pointerType: "mouse",
    button: -1,
    buttons,
    clientX: 100,
    clientY: 50,
    timeStamp: 1,
    ...rest,
  });

  test("has buttons, also while another one is down, and a position", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    const mapping = {
      jump: ["pointer left"],
      left: ["pointer right"],
      aim: ["pointer x"],
      move: ["pointer y"],
    } as const;
    bindInputs(latch, mapping, [pointer(window)]);
    window.send("pointerdown", at(1, { button: 0 }));
    expect(step(latch)).toMatchObject({ jump: true, left: false, aim: 0, move: 0 });
    window.send("pointermove", at(3, { button: 2, clientX: 200, clientY: 0 }));
    expect(step(latch)).toMatchObject({ jump: true, left: true, aim: 1, move: -1 });
    window.send("pointermove", at(2, { button: 0, clientX: 900 }));
    expect(step(latch)).toMatchObject({ jump: false, left: true, aim: 1, move: 0 });
    window.send("pointerup", at(0));
    expect(step(latch)).toMatchObject({ left: false, aim: 0 });
  });

  test("ignores further fingers, and releases on pointercancel and blur", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { jump: ["pointer left"] }, [pointer(window)]);
    window.send("pointerdown", at(1, { button: 0, isPrimary: false }));
    expect(latch.waiting).toBe(0);
    for (const type of ["pointercancel", "blur"]) {
      window.send("pointerdown", at(1, { button: 0 }));
      window.send(type, at(1));
      expect([step(latch).jump, step(latch).jump]).toEqual([true, false]);
      // It is still down and moves, but it was released.
      window.send("pointermove", at(1));
      expect(step(latch).jump).toBe(false);
    }
  });

  test("ignores a button that was pressed elsewhere and dragged in", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { jump: ["pointer left"], left: ["pointer right"] }, [pointer(window)]);
    window.send("pointermove", at(1));
    window.send("pointermove", at(3, { button: 2 }));
    expect(step(latch)).toMatchObject({ jump: false, left: true });
  });

  test("prevents the context menu only if asked to", () => {
    const [window, other] = [new FakeWindow(), new FakeWindow()];
    bindInputs(newLatch(), { jump: ["pointer right"] }, [pointer(window)]);
    bindInputs(newLatch(), { jump: ["pointer right"] }, [pointer(other, { preventDefault: true })]);
    expect([window.send("contextmenu"), other.send("contextmenu")]).toEqual([true, false]);
  });
});

describe("touch", () => {
  const finger = (pointerId: number, clientX: number, rest: object = {}) => ({
    pointerId,
    clientX,
    clientY: 50,
    pointerType: "touch",
    timeStamp: 1,
    ...rest,
  });

  test("a zone is down while a finger that went down in it stays", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    const zones = { go: [0, 0, 0.5, 1], jump: [0.5, 0, 1, 1] } as const;
    bindInputs(latch, { left: ["touch go"], jump: ["touch jump"], aim: ["touch x"] }, [
      touch(window, { zones }),
    ]);
    window.send("pointerdown", finger(1, 50));
    expect(step(latch)).toMatchObject({ left: true, jump: false, aim: -64 / 127 });
    window.send("pointerdown", finger(2, 150));
    window.send("pointerdown", finger(3, 160));
    window.send("pointermove", finger(1, 150));
    expect(step(latch)).toMatchObject({ left: true, jump: true, aim: 64 / 127 });
    window.send("pointerup", finger(2, 150));
    expect(step(latch).jump).toBe(true);
    window.send("pointercancel", finger(3, 150));
    expect(step(latch)).toMatchObject({ left: true, jump: false });
    window.send("blur");
    expect(step(latch).left).toBe(false);
  });

  test("any finger counts as a touch, and a mouse does not", () => {
    const window = new FakeWindow();
    const latch = newLatch();
    bindInputs(latch, { jump: ["touch"] }, [touch(window)]);
    window.send("pointerdown", finger(1, 50, { pointerType: "mouse" }));
    expect(step(latch).jump).toBe(false);
    window.send("pointerdown", finger(1, 50));
    window.send("pointerdown", finger(2, 50));
    window.send("pointerup", finger(1, 50));
    expect(step(latch).jump).toBe(true);
    window.send("pointerup", finger(2, 50));
    expect(step(latch).jump).toBe(false);
  });
});

interface FakePad {
  index: number;
  connected: boolean;
  timestamp: number;
  axes: number[];
  buttons: { pressed: boolean; value: number }[];
}
const newPad = (index = 0): FakePad => ({
  index,
  connected: true,
  timestamp: 1000,
  axes: [0, 0, 0, 0],
  buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })),
});

describe("gamepads", () => {
  const hold = (pad: FakePad, i: number, value: number, pressed = value > 0.3) =>
    (pad.buttons[i] = { pressed, value });

  test("are polled once per frame, and keep their timestamps", () => {
    const window = new FakeWindow();
    const pad = newPad();
    window.pads = [null, pad];
    const latch = newLatch();
    bindInputs(latch, { jump: ["pad a"], left: ["pad left", "-pad leftX"] }, [gamepads({ target: window })]);
    expect(step(latch).jump).toBe(false);
    hold(pad, 0, 1);
    pad.timestamp = 1080;
    const request = { ...ALONE, frameStart: 1000, frameEnd: 1100 };
    latch.sample(words, 0, { ...request, due: 2 });
    expect(packing.unpack(words).jump).toBe(false);
    latch.sample(words, 0, request);
    expect(packing.unpack(words).jump).toBe(true);
    hold(pad, 0, 0);
    pad.axes[0] = -0.8;
    expect(step(latch)).toMatchObject({ jump: false, left: true });
  });

  test("the dead zone is round, and values rise evenly beyond it", () => {
    const window = new FakeWindow();
    const pad = newPad();
    window.pads = [pad];
    const latch = newLatch();
    bindInputs(latch, { move: ["pad leftX"], aim: ["pad leftY"] }, [
      gamepads({ target: window, deadZone: 0.2 }),
    ]);
    const seen = (x: number, y: number) => {
      pad.axes = [x, y, 0, 0];
      const { move, aim } = step(latch);
      return [move, aim].map((value) => Math.round(value * 100) / 100);
    };
    expect(seen(0.19, 0)).toEqual([0, 0]);
    expect(seen(0.14, 0.14)).toEqual([0, 0]);
    expect(seen(0.6, 0)).toEqual([0.5, 0]);
    expect(seen(1, 0.1)).toEqual([0.99, 0.1]);
    expect(seen(-1, 0)).toEqual([-1, 0]);
    expect(seen(1, 1)).toEqual([0.71, 0.71]);
    expect(seen(NaN, 0)).toEqual([0, 0]);
  });

  test("a trigger is an axis, and a button when the pad reports it as pressed", () => {
    const window = new FakeWindow();
    const pad = newPad();
    window.pads = [pad];
    const latch = newLatch();
    bindInputs(latch, { move: ["pad r2"], jump: ["pad r2"] }, [gamepads({ target: window })]);
    hold(pad, 7, 0.25, false);
    expect(step(latch)).toMatchObject({ move: 32 / 127, jump: false });
    hold(pad, 7, 0.45, true);
    expect(step(latch).jump).toBe(true);
  });

  test("a pad releases everything when it is unplugged, and works again later", () => {
    const window = new FakeWindow();
    const pad = newPad();
    window.pads = [pad];
    hold(pad, 0, 1);
    const latch = newLatch();
    bindInputs(latch, { jump: ["pad a"] }, [gamepads({ target: window })]);
    expect(step(latch).jump).toBe(true);
    window.pads = [null];
    window.send("gamepaddisconnected");
    expect(latch.waiting).toBe(1);
    expect(step(latch).jump).toBe(false);
    window.pads = [pad];
    window.send("gamepadconnected");
    expect(step(latch).jump).toBe(true);
  });

  test("nothing is held without the focus", () => {
    const window = new FakeWindow();
    const pad = newPad();
    window.pads = [pad];
    hold(pad, 0, 1);
    const latch = newLatch();
    bindInputs(latch, { jump: ["pad a"] }, [gamepads({ target: window })]);
    expect(step(latch).jump).toBe(true);
    window.send("blur");
    expect([step(latch).jump, step(latch).jump]).toEqual([false, false]);
    window.send("focus");
    expect(step(latch).jump).toBe(true);
  });

  test("index selects a pad; without it, all pads are merged", () => {
    const window = new FakeWindow();
    window.pads = [newPad(0), newPad(1)];
    hold(window.pads[1]!, 0, 1);
    const latches = [{ index: 0 }, { index: 1 }, {}].map((options) => {
      const latch = newLatch();
      bindInputs(latch, { jump: ["pad a"] }, [gamepads({ ...options, target: window })]);
      return latch;
    });
    expect(latches.map((latch) => step(latch).jump)).toEqual([false, true, true]);
  });
});

test("dispose removes the listeners of all devices", () => {
  const window = new FakeWindow();
  const devices = [
    keyboard(window, { preventDefault: true }),
    pointer(window, { preventDefault: true }),
    touch(window),
    gamepads({ target: window }),
  ];
  expect(window.listeners).toBe(0);
  const bindings = bindInputs(newLatch(), { jump: ["Space", "pointer left", "touch", "pad a"] }, devices);
  expect(window.listeners).toBeGreaterThan(10);
  bindings.dispose();
  expect(window.listeners).toBe(0);
});

test.each<[string, () => unknown, string]>([
  ["keyboard", () => keyboard(new FakeWindow(), { prevent: true } as never), "prevent"],
  ["pointer", () => pointer(new FakeWindow(), { prevent: true } as never), "prevent"],
  ["touch", () => touch(new FakeWindow(), { zone: {} } as never), "zone"],
  ["gamepads", () => gamepads({ deadzone: 0.2 } as never), "deadzone"],
])("%s rejects an unknown option", (call, act, option) => {
  expect(act).toThrow(
    expect.objectContaining({ code: "unknown-option", call, problem: `unknown option "${option}"` }),
  );
});

test.each<[string, (...args: never[]) => unknown, unknown[]]>([
  ["bindInputs", bindInputs, [newLatch(), {}, [], {}]],
  ["keyboard", keyboard, [new FakeWindow(), {}, {}]],
  ["pointer", pointer, [new FakeWindow(), {}, {}]],
  ["touch", touch, [new FakeWindow(), {}, {}]],
  ["gamepads", gamepads, [{ target: new FakeWindow() }, {}]],
])("%s rejects an extra argument", (call, act, args) => {
  expect(() => Reflect.apply(act, undefined, args)).toThrow(
    expect.objectContaining({ code: "unknown-option", call }),
  );
});

test("a zone cannot have the name of a coordinate", () => {
  expect(() => touch(new FakeWindow(), { zones: { x: [0, 0, 1, 1] } })).toThrow(
    'touch: a zone\'s name must be another than "x" and "y", which are the position, got "x". Try jump.',
  );
});
