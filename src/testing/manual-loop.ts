import { Loop, type LoopOptions } from "../loop/index.js";
import { manualDriver, type ManualDriver } from "./manual-driver.js";

/** A started loop whose time passes only when told: by `loop.advance`, or by its driver. */
export function manualLoop(options: Omit<LoopOptions, "driver">): Loop & { readonly driver: ManualDriver } {
  const driver = manualDriver();
  const loop = new Loop({ ...options, driver });
  loop.start();
  return Object.assign(loop, { driver });
}
