import { badValue, requireArguments, requireOptions, requireType } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, whenLeft, targetOf, viewOf } from "./listen.js";
import { isWithin, positionIn } from "./position.js";
import type { InputTarget } from "./target.js";

/** A rectangle of the target: left, top, right and bottom, each from 0 to 1. */
export type TouchZone = readonly [left: number, top: number, right: number, bottom: number];

/** Any finger; the position of the first finger, from -1 to 1; or a finger that went down in a zone. */
export type TouchControl<Z extends string = never> = "touch" | "touch x" | "touch y" | `touch ${Z}`;

/** Options of `touch`. `Z` is the union of the names of its zones. */
export interface TouchOptions<Z extends string = never> {
  /**
   * Parts of the target that act as buttons: `{ jump: [0.5, 0, 1, 1] }` makes the right half the control "touch jump".
   */
  readonly zones?: Readonly<Record<Z, TouchZone>> | undefined;
}

interface Finger {
  readonly id: number;
  readonly controls: readonly string[];
}

const OPTIONS = Object.keys({ zones: 1 } satisfies Record<keyof TouchOptions, 1>);

/**
 * Reads any number of fingers on an element, or on the window by default. A finger belongs to the zones in which it
 * went down, until it is lifted. Lifts all fingers when the focus is lost or the page is hidden. Style the element with
 * `touch-action: none`, or the page scrolls.
 */
export function touch<const Z extends string = never>(
  target?: InputTarget,
  options: TouchOptions<Z> = {},
): InputDevice<TouchControl<Z>> {
  requireArguments("touch", arguments.length, 2);
  const eventTarget = targetOf("touch", target);
  requireOptions("touch", options, OPTIONS, "{ zones: { jump: [0.5, 0, 1, 1] } }");
  const zones = zonesOf(options.zones ?? {});
  const names = new Set(["touch", "touch x", "touch y", ...zones.map(({ control }) => control)]);
  return {
    name: "touch",
    has: (control): control is TouchControl<Z> => names.has(control),
    start(report) {
      /** In the order in which they went down. The first one sets the position. */
      let fingers: Finger[] = [];
      const count = (control: string) => fingers.filter(({ controls }) => controls.includes(control)).length;
      const lift = (id: number, timestamp: number) => {
        const finger = fingers.find((other) => other.id === id);
        if (!finger) return;
        fingers = fingers.filter((other) => other !== finger);
        for (const control of finger.controls) if (count(control) === 0) report(control, 0, timestamp);
      };
      const onPointer = (event: PointerEvent) => {
        const { type, pointerType, pointerId: id, timeStamp } = event;
        if (pointerType !== "touch") return;
        if (type === "pointerup" || type === "pointercancel") return lift(id, timeStamp);
        const { x, y } = positionIn(eventTarget, event);
        if (type === "pointerdown" && isWithin(event, eventTarget)) {
          lift(id, timeStamp);
          const controls = zones
            .filter((zone) => zone.contains((x + 1) / 2, (y + 1) / 2))
            .map(({ control }) => control);
          fingers.push({ id, controls: ["touch", ...controls] });
          for (const control of fingers.at(-1)!.controls)
            if (count(control) === 1) report(control, 1, timeStamp);
        }
        if (fingers[0]?.id !== id) return;
        report("touch x", x, timeStamp);
        report("touch y", y, timeStamp);
      };
      const types = ["pointerdown", "pointermove", "pointerup", "pointercancel"];
      const removers = [
        listen(viewOf(eventTarget), types, onPointer, { capture: true }),
        whenLeft(eventTarget, (timestamp) => {
          for (const { id } of fingers) lift(id, timestamp);
        }),
      ];
      return { stop: () => removers.forEach((remove) => remove()) };
    },
  };
}

function zonesOf(zones: Readonly<Record<string, TouchZone>>) {
  requireType("touch: zones", zones, "object", "{ jump: [0.5, 0, 1, 1] }");
  return Object.entries(zones).map(([name, zone]) => {
    const isZone = Array.isArray(zone) && zone.length === 4 && zone.every((side) => side >= 0 && side <= 1);
    if (["x", "y"].includes(name))
      badValue("touch: a zone's name", `another than "x" and "y", which are the position`, name, "jump");
    if (!isZone || zone[0] >= zone[2] || zone[1] >= zone[3])
      badValue(`touch: zones.${name}`, "[left, top, right, bottom], from 0 to 1", zone, "[0.5, 0, 1, 1]");
    const [left, top, right, bottom] = zone;
    return {
      control: `touch ${name}`,
      contains: (x: number, y: number) => x >= left && x <= right && y >= top && y <= bottom,
    };
  });
}
