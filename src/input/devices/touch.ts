import { badValue, requireType } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, onAway, targetOf, viewOf } from "./listen.js";
import { isWithin, placeIn } from "./place.js";
import type { InputTarget } from "./target.js";

/** A part of the target: left, top, right, bottom, each from 0 to 1. */
export type TouchZone = readonly [left: number, top: number, right: number, bottom: number];

/** Any finger; where the first one is, from -1 to 1; a finger that came down in a zone. */
export type TouchControl<Z extends string = never> = "touch" | "touch x" | "touch y" | `touch ${Z}`;

/** Options of `touch`. `Z` is the names of its zones. */
export interface TouchOptions<Z extends string = never> {
  /** Parts of the target that are buttons: `{ jump: [0.5, 0, 1, 1] }` is the right half, and its control "touch jump". */
  readonly zones?: Readonly<Record<Z, TouchZone>> | undefined;
}

interface Finger {
  readonly id: number;
  readonly controls: readonly string[];
}

/**
 * Fingers on an element, or on the window by default: as many as there are. A finger belongs to the zones where it came
 * down, until it is lifted. All are lifted when the focus goes, or the page is hidden. Give the element the style
 * `touch-action: none`, or the page scrolls.
 */
export function touch<const Z extends string = never>(
  target?: InputTarget,
  options: TouchOptions<Z> = {},
): InputDevice<TouchControl<Z>> {
  const place = targetOf("touch", target);
  requireType("touch: options", options, "object", "{ zones: { jump: [0.5, 0, 1, 1] } }");
  const zones = zonesOf(options.zones ?? {});
  const names = new Set(["touch", "touch x", "touch y", ...zones.map(({ control }) => control)]);
  return {
    name: "touch",
    has: (control): control is TouchControl<Z> => names.has(control),
    start(tell) {
      /** The first one is where the touch is. */
      let fingers: Finger[] = [];
      const count = (control: string) => fingers.filter(({ controls }) => controls.includes(control)).length;
      const lift = (id: number, timestamp: number) => {
        const finger = fingers.find((other) => other.id === id);
        if (!finger) return;
        fingers = fingers.filter((other) => other !== finger);
        for (const control of finger.controls) if (count(control) === 0) tell(control, 0, timestamp);
      };
      const onPointer = (event: PointerEvent) => {
        const { type, pointerType, pointerId: id, timeStamp } = event;
        if (pointerType !== "touch") return;
        if (type === "pointerup" || type === "pointercancel") return lift(id, timeStamp);
        const { x, y } = placeIn(place, event);
        if (type === "pointerdown" && isWithin(event, place)) {
          lift(id, timeStamp);
          const controls = zones
            .filter((zone) => zone.holds((x + 1) / 2, (y + 1) / 2))
            .map(({ control }) => control);
          fingers.push({ id, controls: ["touch", ...controls] });
          for (const control of fingers.at(-1)!.controls)
            if (count(control) === 1) tell(control, 1, timeStamp);
        }
        if (fingers[0]?.id !== id) return;
        tell("touch x", x, timeStamp);
        tell("touch y", y, timeStamp);
      };
      const types = ["pointerdown", "pointermove", "pointerup", "pointercancel"];
      const ends = [
        listen(viewOf(place), types, onPointer, { capture: true }),
        onAway(place, (timestamp) => {
          for (const { id } of fingers) lift(id, timestamp);
        }),
      ];
      return { stop: () => ends.forEach((end) => end()) };
    },
  };
}

function zonesOf(zones: Readonly<Record<string, TouchZone>>) {
  requireType("touch: zones", zones, "object", "{ jump: [0.5, 0, 1, 1] }");
  return Object.entries(zones).map(([name, zone]) => {
    const isZone = Array.isArray(zone) && zone.length === 4 && zone.every((side) => side >= 0 && side <= 1);
    if (!isZone || zone[0] >= zone[2] || zone[1] >= zone[3] || ["x", "y"].includes(name))
      badValue(`touch: zones.${name}`, "left, top, right, bottom, from 0 to 1", zone, "[0.5, 0, 1, 1]");
    const [left, top, right, bottom] = zone;
    return {
      control: `touch ${name}`,
      holds: (x: number, y: number) => x >= left && x <= right && y >= top && y <= bottom,
    };
  });
}
