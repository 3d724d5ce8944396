import { requireFunction } from "../../errors/index.js";
import type { OverloadInfo, Writable } from "../info.js";
import type { Loop } from "../loop.js";
import type { FrameTime } from "../part.js";
import { requireLoop } from "./one-per-loop.js";

/** Calls a listener when a frame could not simulate all of its time. Returns the function that removes it. */
export function onOverload(loop: Loop, listener: (info: OverloadInfo) => void): () => void {
  requireLoop("onOverload", loop);
  requireFunction("onOverload: listener", listener);
  const info: Writable<OverloadInfo> = { tick: 0, lost: 0.5, clamped: 0.5, skipped: 0 };
  let isOverloaded = false;
  info.lost = info.clamped = 0;
  return loop.use({
    lose({ units, real }: FrameTime) {
      isOverloaded = true;
      if (real > 0) info.clamped += units / loop.kernel.second;
      else info.skipped += units / loop.kernel.step;
    },
    lost({ units }: FrameTime) {
      info.lost += units / loop.kernel.second;
    },
    frame() {
      if (!isOverloaded) return;
      info.tick = loop.tick;
      isOverloaded = false;
      try {
        listener(info);
      } finally {
        info.lost = info.clamped = info.skipped = 0;
      }
    },
  });
}
