import { Loop, type LoopOptions } from "../loop/index.js";
import { manualDriver, type ManualDriver } from "./manual-driver.js";

/** Creates and starts a loop with manual time: call `loop.advance`, or the methods of `loop.driver`. */
export function manualLoop(options: Omit<LoopOptions, "driver">): Loop & { readonly driver: ManualDriver } {
  const driver = manualDriver();
  const loop = new Loop({ ...options, driver });
  loop.start();
  return loop as Loop & { readonly driver: ManualDriver };
}
