import { badValue, requireNumber, requireType } from "../errors/index.js";
import type { Picture } from "./batch.js";
import type { SmoothLoop, SmoothOptions } from "./types.js";

/** What smooths something of a loop's states. */
export interface Smoother {
  /** A step begins, or ends. */
  enter(): void;
  leave(): void;
  /** Fills the views for a frame: between the previous state (0) and the current one (1), or beyond. */
  draw(at: Picture): void;
  /** The states before no longer count. */
  forget(): void;
  end(): void;
}

const ends = new WeakMap<object, () => void>();

/** Lets a loop fill a view, from now on. */
export function listen(loop: SmoothLoop, options: SmoothOptions, view: object, smoother: Smoother): void {
  const { extrapolate: ahead = 0 } = options;
  const picture: Picture = { t: 0.5 };
  const listeners = [
    loop.on("enterStep", () => smoother.enter()),
    loop.on("leaveStep", () => smoother.leave()),
    loop.on("beforeRender", ({ alpha }) => {
      picture.t = alpha + ahead;
      smoother.draw(picture);
    }),
    loop.on("reset", () => smoother.forget()),
  ];
  ends.set(view, () => {
    for (const end of listeners) end();
    smoother.end();
  });
}

export function checkCall(call: string, loop: unknown, options: unknown): asserts options is SmoothOptions {
  requireType(
    `${call}: loop.on`,
    (loop as SmoothLoop | null | undefined)?.on,
    "function",
    "new Loop({ rate: 60 })",
  );
  requireType(`${call}: options`, options, "object", "{ extrapolate: 1 }");
  const { extrapolate } = options as SmoothOptions;
  if (extrapolate !== undefined) requireNumber(`${call}: extrapolate`, extrapolate, 0, 1, 1);
}

/** Ends what `smooth`, `smoothAll` or `smoothColumns` began: the view keeps what it shows. */
export function dispose(view: object): void {
  const end = typeof view === "object" && view !== null ? ends.get(view) : undefined;
  if (!end)
    badValue("dispose: view", "what smooth, smoothAll or smoothColumns returned", view, "dispose(shown)");
  end();
}
