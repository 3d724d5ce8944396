import { runFrames, type AlarmMaker } from "../../../drivers/index.js";
import { systemNow } from "../../../drivers/index.js";
import type { FrameSource } from "./driver.js";

/** Frames on a schedule that follows the loop's rate, or has a rate of its own. */
export function scheduledFrames(frameRate: number | undefined, makeAlarm: AlarmMaker): FrameSource {
  return {
    now: systemNow,
    begin(frame, loop) {
      let end = () => {};
      const restart = () => {
        end();
        end = runFrames(frame, loop!.rate, frameRate, makeAlarm);
      };
      restart();
      const off = loop!.on("rate", restart);
      return () => {
        off();
        end();
      };
    },
  };
}
