import { Loop, type LoopOptions } from "../loop/index.js";
import { manualDriver, type ManualDriver } from "./manual-driver.js";

/** Creates and starts a loop with manual time: call `loop.advance`, or the methods of `loop.driver`. */
export function manualLoop(options: LoopOptions): Loop & { readonly driver: ManualDriver } {
  const loop = new Loop(options);
  loop.start(manualDriver());
  return loop as Loop & { readonly driver: ManualDriver };
}
