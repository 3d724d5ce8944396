// A stick for touch screens. It is where the first finger goes down; a tap with a second finger is a button.
import type { InputDevice } from "tickwise/input";

type Control = "stick x" | "stick y" | "stick tap";
const CONTROLS: readonly string[] = ["stick x", "stick y", "stick tap"] satisfies Control[];

/** Pixels from the centre to full tilt. */
const REACH = 60;

export function touchStick(element: HTMLElement): InputDevice<Control> {
  return {
    name: "touch stick",
    has: (control): control is Control => CONTROLS.includes(control),
    start(report) {
      let finger: { id: number; x: number; y: number } | undefined;
      const tilt = (x: number, y: number, time: number) => {
        const length = Math.max(REACH, Math.hypot(x, y));
        report("stick x", x / length, time);
        report("stick y", y / length, time);
      };
      const stop = new AbortController();
      const listen = (type: "pointerdown" | "pointermove" | "pointerup" | "pointercancel") =>
        element.addEventListener(type, onPointer, { signal: stop.signal });
      const onPointer = ({ type, pointerType, pointerId: id, clientX, clientY, timeStamp }: PointerEvent) => {
        if (pointerType !== "touch") return;
        const isDown = type === "pointerdown";
        if (isDown && finger === undefined) finger = { id, x: clientX, y: clientY };
        else if (finger?.id === id) {
          if (type === "pointermove") return tilt(clientX - finger.x, clientY - finger.y, timeStamp);
          finger = undefined;
          tilt(0, 0, timeStamp);
        } else if (type !== "pointermove") report("stick tap", isDown ? 1 : 0, timeStamp);
      };
      for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const) listen(type);
      return { stop: () => stop.abort() };
    },
  };
}
