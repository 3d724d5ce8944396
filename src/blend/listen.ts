import { badValue, requireOptions } from "../errors/index.js";
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
  const listeners = [
    loop.on("enterStep", smoother.enter.bind(smoother)),
    loop.on("leaveStep", smoother.leave.bind(smoother)),
    loop.on("beforeRender", smoother.draw.bind(smoother)),
    loop.on("reset", smoother.forget.bind(smoother)),
  ];
  ends.set(view, () => {
    for (const end of listeners) end();
    smoother.end();
  });
}

const OPTIONS = Object.keys({ ahead: 1 } satisfies Record<keyof SmoothOptions, 1>);

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
  requireOptions(call, options, [...OPTIONS, ...more], "{ ahead: extrapolate(1) }");
  const { ahead } = options as SmoothOptions;
  if (ahead !== undefined && typeof ahead?.motion !== "function")
    badValue(`${call}: ahead`, "what extrapolate returns", ahead, "extrapolate(1)");
}

/** Stops updating a view of `smooth`, `smoothAll` or `smoothColumns`. It keeps its last values. */
export function dispose(view: object): void {
  const end = typeof view === "object" && view !== null ? ends.get(view) : undefined;
  if (!end)
    badValue("dispose: view", "a result of smooth, smoothAll or smoothColumns", view, "dispose(shown)");
  end();
}
