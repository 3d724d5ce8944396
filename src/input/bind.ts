import { badValue, requireType } from "../errors/index.js";
import type { InputDevice } from "./device.js";
import type { AxisNames, ButtonNames, InputFields } from "./fields.js";
import { InputLatch } from "./latch.js";
import type { Slot } from "./packing.js";

/** What a device has. */
export type ControlsOf<D> = D extends InputDevice<infer C> ? C : never;

/**
 * Which controls an input has, as plain data: `{ jump: ["Space", "pad a"], move: ["-KeyA", "KeyD", "pad leftX"] }`. A
 * button is down while any of its controls is, a stick from half of its way on; an axis is the sum of its controls, where a
 * button that is down is 1. A `-` before a control turns it round.
 */
export type InputMapping<I extends InputFields, C extends string = string> = {
  readonly [K in ButtonNames<I> | AxisNames<I>]?: readonly (C | `-${C}`)[];
};

/** Devices that speak to a latch. */
export interface Bindings {
  /** Asks devices that do not speak by themselves. A latch does so before the first step of each frame. */
  poll(): void;
  /** Ends it: lets go of all that was held, and leaves nothing behind. */
  dispose(): void;
}

/** How far a stick must go to hold a button, and to let it go: further apart than it trembles. */
const PRESS = 0.5;
const RELEASE = 0.4;

/** A control of an input. */
interface Link {
  readonly input: string;
  readonly sign: number;
  value: number;
  /** Whether it holds the button, and since which time that all were made to let go. */
  isDown: boolean;
  since: number;
}

/** Lets devices speak to a latch, by a mapping. Names that nobody has are refused. */
export function bindInputs<I extends InputFields, const D extends readonly InputDevice[]>(
  latch: InputLatch<I>,
  mapping: InputMapping<NoInfer<I>, ControlsOf<NoInfer<D>[number]>>,
  devices: D,
): Bindings {
  if (!(latch instanceof InputLatch))
    badValue("bindInputs: latch", "a latch", latch, "inputLatch(game.packing)");
  requireType("bindInputs: mapping", mapping, "object", '{ jump: ["Space"] }');
  if (!Array.isArray(devices) || devices.some((device) => typeof device?.start !== "function"))
    badValue("bindInputs: devices", "a list of devices", devices, "[keyboard()]");
  const { axes, controls } = linksOf(latch.packing.slots, mapping, devices);

  const tell = (control: string, value: number, timestamp: number) => {
    const links = controls.get(control);
    if (!links) return;
    for (const link of links) {
      link.value = value * link.sign;
      const sum = axes.get(link.input);
      if (sum) latch.set(link.input as never, sumOf(sum) as never, timestamp);
      else if (link.isDown ? link.value < RELEASE : link.value > PRESS) {
        link.isDown = !link.isDown;
        if (link.isDown) {
          link.since = latch.letGo;
          latch.press(link.input as never, timestamp);
        } else if (link.since === latch.letGo) latch.release(link.input as never, timestamp);
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
    for (const [control, [link]] of controls) if (link?.value) tell(control, 0, -Infinity);
    controls.clear();
  };
  try {
    for (const device of devices) running.push(device.start(tell, wanted));
  } catch (error) {
    dispose();
    throw error;
  }
  return { poll, dispose };
}

/** The links of each axis, and those of each control. */
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
    if (!slot) {
      const list = inputs.map(({ name }) => name);
      badValue("bindInputs: mapping", `of buttons and axes: ${list.join(", ")}`, input, list[0] ?? "button");
    }
    if (names === undefined) continue;
    if (!Array.isArray(names))
      badValue(`bindInputs: mapping.${input}`, "a list of controls", names, '["Space"]');
    const links: Link[] = [];
    for (const name of names as readonly unknown[]) {
      const isTurned = typeof name === "string" && name.startsWith("-");
      const control = isTurned ? name.slice(1) : (name as string);
      if (typeof name !== "string" || !devices.some((device) => device.has(control)))
        badValue(
          `bindInputs: mapping.${input}`,
          `of controls of ${devices.map((device) => device.name).join(", ") || "some device"}`,
          name,
          '"KeyA" with keyboard(), "pad a" with gamepads()',
        );
      const link = { input, sign: isTurned ? -1 : 1, value: 0, isDown: false, since: 0 };
      links.push(link);
      controls.set(control, [...(controls.get(control) ?? []), link]);
    }
    if (slot.field.kind === "axis") axes.set(input, links);
  }
  return { axes, controls };
}

function sumOf(links: readonly Link[]): number {
  let sum = 0;
  for (const { value } of links) sum += value;
  return sum;
}
