export { timerAlarm, type Alarm, type AlarmMaker } from "./alarm.js";
export { systemNow, systemTimeOrigin, systemWall } from "./clock.js";
export { consoleWarn } from "./console.js";
export { engineName } from "./engine-name.js";
export { longFramesSince, type LongFrame, type LongScript } from "./long-frames.js";
export { alarmsOf, realScheduler, type Scheduler } from "./scheduler.js";
export { recordSpan, requireUserTiming } from "./user-timing.js";
export { workerAlarm } from "./worker-alarm.js";
