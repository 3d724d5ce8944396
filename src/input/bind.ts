import { badValue, misuse, requireArguments, requireType, unknownName } from "../errors/index.js";
import type { InputDevice } from "./device.js";
import type { AxisNames, ButtonNames, InputFields } from "./fields.js";
import { InputLatch } from "./latch.js";
import type { Slot } from "./packing.js";

/** The names of a device's controls. */
export type ControlsOf<D> = D extends InputDevice<infer C> ? C : never;

/**
 * Maps each input to controls, as plain data: `{ jump: ["Space", "pad a"], move: ["-KeyA", "KeyD", "pad leftX"] }`. A
 * button is down while any of its controls is down; a stick counts as down beyond half of its range. An axis is the sum
 * of its controls, where a button that is down counts as 1. A `-` before a control inverts it.
 */
export type InputMapping<I extends InputFields, C extends string = string> = {
  readonly [K in ButtonNames<I> | AxisNames<I>]?: readonly (C | `-${C}`)[];
};

/** Devices that are bound to a latch. */
export interface Bindings {
  /** Reads devices that send no events. The latch calls this before the first step of each frame. */
  poll(): void;
  /** Stops the devices, removes their event listeners and releases everything they hold. */
  dispose(): void;
}

/**
 * A stick presses a button above the first position and releases it below the second, so that jitter presses it only
 * once.
 */
const PRESS = 0.5;
const RELEASE = 0.4;

/** A control that is mapped to an input. */
interface Link {
  readonly input: string;
  readonly sign: number;
  value: number;
  /** Whether it holds the button. */
  isDown: boolean;
  /** `latch.releases` at the press. A later `releaseAll` has already released the button. */
  releases: number;
}

/** Binds devices to a latch. Throws for inputs and controls that do not exist. */
export function bindInputs<I extends InputFields, const D extends readonly InputDevice[]>(
  latch: InputLatch<I>,
  mapping: InputMapping<NoInfer<I>, ControlsOf<NoInfer<D>[number]>>,
  devices: D,
): Bindings {
  requireArguments("bindInputs", arguments.length, 3);
  if (!(latch instanceof InputLatch))
    badValue("bindInputs: latch", "an InputLatch", latch, "inputLatch(game.packing)");
  requireType("bindInputs: mapping", mapping, "object", '{ jump: ["Space"] }');
  if (
    !Array.isArray(devices) ||
    devices.some((device) => typeof device?.start !== "function" || typeof device.has !== "function")
  )
    badValue("bindInputs: devices", "a list of devices", devices, "[keyboard()]");
  const { axes, controls } = linksOf(latch.packing.slots, mapping, devices);

  const report = (control: string, value: number, timestamp: number) => {
    const links = controls.get(control);
    if (!links) return;
    for (const link of links) {
      link.value = value * link.sign;
      const sum = axes.get(link.input);
      if (sum) latch.set(link.input as never, sumOf(sum) as never, timestamp);
      else if (link.isDown ? link.value < RELEASE : link.value > PRESS) {
        link.isDown = !link.isDown;
        if (link.isDown) {
          link.releases = latch.releases;
          latch.press(link.input as never, timestamp);
        } else if (link.releases === latch.releases) latch.release(link.input as never, timestamp);
      }
    }
  };

  const wanted = new Set(controls.keys());
  const running: ReturnType<InputDevice["start"]>[] = [];
  const poll = () => {
    for (let i = 0; i < running.length; i++) running[i]!.poll?.();
  };
  const endPolls = latch.onSample(poll);
  const dispose = () => {
    endPolls();
    for (const device of running.splice(0)) device.stop();
    for (const [control, [link]] of controls) if (link?.value) report(control, 0, -Infinity);
    controls.clear();
  };
  try {
    for (const device of devices) running.push(device.start(report, wanted));
  } catch (error) {
    dispose();
    throw error;
  }
  return { poll, dispose };
}

/** Resolves a mapping: the links of each axis, and the links of each control. */
function linksOf(
  slots: readonly Slot[],
  mapping: Readonly<Record<string, readonly string[] | undefined>>,
  devices: readonly InputDevice[],
) {
  const axes = new Map<string, Link[]>();
  const controls = new Map<string, Link[]>();
  const inputs = slots.filter(({ field }) => field.kind === "button" || field.kind === "axis");
  for (const [input, names] of Object.entries(mapping)) {
    const slot = inputs.find(({ name }) => name === input);
    if (!slot)
      unknownName(
        "bindInputs",
        "button or axis",
        input,
        inputs.map(({ name }) => name),
      );
    if (names === undefined) continue;
    if (!Array.isArray(names))
      badValue(`bindInputs: mapping.${input}`, "a list of controls", names, '["Space"]');
    const links: Link[] = [];
    for (const name of names as readonly unknown[]) {
      if (typeof name !== "string")
        badValue(`bindInputs: mapping.${input}`, "a list of names of controls", names, '["Space"]');
      const isInverted = name.startsWith("-");
      const control = isInverted ? name.slice(1) : name;
      if (!devices.some((device) => device.has(control)))
        misuse(
          "unknown-name",
          "bindInputs",
          `unknown control ${JSON.stringify(control)} for ${JSON.stringify(input)} (devices: ${devices.map((device) => device.name).join(", ") || "none"})`,
          fixFor(control, devices),
        );
      const link = { input, sign: isInverted ? -1 : 1, value: 0, isDown: false, releases: 0 };
      links.push(link);
      controls.set(control, [...(controls.get(control) ?? []), link]);
    }
    if (slot.field.kind === "axis") axes.set(input, links);
  }
  return { axes, controls };
}

/** Suggests the control that was probably meant: "Space" for "space", "KeyA" for "a", "ArrowLeft" for "arrowleft" or "left". */
function fixFor(control: string, devices: readonly InputDevice[]): string {
  for (const prefix of ["", "Key", "Arrow", "Digit", "pad "])
    for (const name of spellings(control)) {
      const meant = prefix + name;
      if (devices.some((device) => device.has(meant))) return `Did you mean ${JSON.stringify(meant)}?`;
    }
  return 'Try "KeyA" with keyboard(), or "pad a" with gamepads()';
}

/** Lists spellings of a name with at most two capital letters: the first one, and another. Devices do not list their controls. */
function* spellings(name: string): Generator<string> {
  const letters = name.toLowerCase().slice(0, 40);
  for (const word of [letters.slice(0, 1).toUpperCase() + letters.slice(1), letters]) {
    yield word;
    for (let i = 1; i < word.length; i++)
      yield word.slice(0, i) + word.slice(i, i + 1).toUpperCase() + word.slice(i + 1);
  }
}

function sumOf(links: readonly Link[]): number {
  let sum = 0;
  for (const { value } of links) sum += value;
  return sum;
}
