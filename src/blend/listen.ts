import { badValue, requireNumber, requireOptions } from "../errors/index.js";
import type { BlendFactor, StepLength } from "./batch.js";
import type { SmoothLoop, SmoothOptions } from "./types.js";

/** @internal Smooths objects or columns. */
export interface Smoother {
  /** Called when a step begins. */
  enter(step: StepLength): void;
  /** Called when a step ends. */
  leave(step: StepLength): void;
  /** Fills the views for a frame. */
  draw(factor: BlendFactor): void;
  /** Discards earlier states. */
  forget(): void;
  end(): void;
}

const ends = new WeakMap<object, () => void>();

/** @internal Fills a view before each frame of a loop. */
export function listen(loop: SmoothLoop, view: object, smoother: Smoother): void {
  const factor: BlendFactor = { t: 0.5 };
  const listeners = [
    loop.on("enterStep", (step) => smoother.enter(step)),
    loop.on("leaveStep", (step) => smoother.leave(step)),
    loop.on("beforeRender", ({ alpha }) => {
      factor.t = alpha;
      smoother.draw(factor);
    }),
    loop.on("reset", () => smoother.forget()),
  ];
  ends.set(view, () => {
    for (const end of listeners) end();
    smoother.end();
  });
}

const OPTIONS = Object.keys({ extrapolate: 1 } satisfies Record<keyof SmoothOptions, 1>);

/** @internal Checks the loop and the options. `more` are the names of further options. */
export function checkCall(
  call: string,
  loop: unknown,
  options: unknown,
  more: readonly string[] = [],
): asserts options is SmoothOptions {
  const { on, advance, view } = (loop ?? {}) as Partial<Record<"on" | "advance" | "view", unknown>>;
  // A session has listeners too, but for other events.
  const isSession = typeof advance === "function" && typeof view === "function";
  if (typeof on !== "function" || isSession)
    badValue(
      `${call}: loop`,
      "a Loop or a Beat",
      loop,
      isSession
        ? "drive(session).loop, or session.view(alpha), which is smooth already"
        : "new Loop({ rate: 60 })",
    );
  requireOptions(call, options, [...OPTIONS, ...more], "{ extrapolate: 1 }");
  const { extrapolate } = options as SmoothOptions;
  if (extrapolate !== undefined) requireNumber(`${call}: extrapolate`, extrapolate, 0, 1, 1);
}

/** Stops updating a view of `smooth`, `smoothAll` or `smoothColumns`. It keeps its last values. */
export function dispose(view: object): void {
  const end = typeof view === "object" && view !== null ? ends.get(view) : undefined;
  if (!end)
    badValue("dispose: view", "a result of smooth, smoothAll or smoothColumns", view, "dispose(shown)");
  end();
}
