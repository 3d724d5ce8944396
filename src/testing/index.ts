export { manualDriver, type ManualDriver } from "./manual-driver.js";
export { manualLoop } from "./manual-loop.js";
