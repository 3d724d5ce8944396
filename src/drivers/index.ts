export { browserDriver, type BrowserOptions } from "./browser.js";
export { defaultDriver } from "./default.js";
export {
  systemNow,
  systemTimeOrigin,
  systemWall,
  type Driver,
  type DriverHost,
  type DriverNotice,
  type OnFrame,
} from "./driver.js";
export { longFramesSince, type LongFrame, type LongScript } from "./long-frames.js";
export { runFrames, type Alarm, type AlarmMaker } from "./schedule.js";
export { alarmsOf, realScheduler, type Scheduler } from "./scheduler.js";
export { stepDriver, type StepDriver } from "./step-driver.js";
export { timerAlarm, timerDriver, type TimerOptions } from "./timer.js";
export { workerAlarm } from "./worker-alarm.js";
export { engineName } from "./engine-name.js";
export { recordSpan, requireUserTiming } from "./user-timing.js";
