export { browserDriver, type BrowserOptions } from "./browser.js";
export { defaultDriver } from "./default.js";
export type { Driver, DriverHost, DriverNotice, OnFrame } from "./driver.js";
export { systemNow } from "./schedule.js";
export { timerDriver, type TimerOptions } from "./timer.js";
