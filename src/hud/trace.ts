import { recordSpan, requireUserTiming, systemNow } from "../platform/index.js";
import { requireArguments, requireOptions, requireType } from "../errors/index.js";
import { onOverload } from "../loop/index.js";
import { loopOf, type HudSubject } from "./subject.js";

/** Options of `traceLoop`. */
export interface TraceOptions {
  /** The track of Chrome's performance panel that shows the spans. Default: "Tickwise". */
  track?: string | undefined;
  /**
   * Whether the spans stay in the performance timeline, for `performance.getEntriesByType("measure")`. It has no limit, so
   * the memory grows with each frame. Default: false; profilers and observers get them anyway.
   */
  keep?: boolean | undefined;
}

type Kind = "step" | "render" | "overload";

/** Colours of Chrome's performance panel. */
const COLOURS: Readonly<Record<Kind, string>> = { step: "primary", render: "secondary", overload: "error" };

/**
 * Records a User Timing span for each step, each drawing and each overload, named after its tick: `step 120`, `render 121`,
 * `overload 121`. The browser's performance panel shows them. Returns the function that ends it.
 */
export function traceLoop(loop: HudSubject, options: TraceOptions = {}): () => void {
  requireArguments("traceLoop", arguments.length, 2);
  const its = loopOf("traceLoop", loop);
  const names = Object.keys({ track: 1, keep: 1 } satisfies Record<keyof TraceOptions, 1>);
  requireOptions("traceLoop", options, names, "{ keep: true }");
  const { track = "Tickwise", keep = false } = options;
  requireType("traceLoop: track", track, "string", '"Physics"');
  requireType("traceLoop: keep", keep, "boolean", true);
  requireUserTiming("traceLoop");

  let start = 0;
  const begin = () => void (start = systemNow());
  const record = (kind: Kind, from: number, figures: Readonly<Record<string, number>>, end = systemNow()) => {
    const properties = Object.entries(figures).map(([name, value]) => [name, String(value)]);
    const devtools = { dataType: "track-entry", track, color: COLOURS[kind], properties };
    recordSpan({ name: `${kind} ${figures.tick}`, start: from, end, detail: { ...figures, devtools } }, keep);
  };
  const removers = [
    its.on("beforeStep", begin),
    its.on("afterStep", ({ tick, time }) => record("step", start, { tick, time })),
    its.on("beforeRender", begin),
    its.on("render", ({ tick, steps, alpha }) => record("render", start, { tick, steps, alpha })),
    onOverload(its, (info) => {
      const now = systemNow();
      // As long as the time that the frame had to simulate.
      record("overload", now - its.frame.realDelta * 1e3, { ...info }, now);
    }),
  ];
  return () => removers.forEach((remove) => remove());
}
