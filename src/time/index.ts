export { TimeLedger } from "./time-ledger.js";
export { DisplayClock } from "./display-clock.js";
export { DisplayCount } from "./display-count.js";
export { mulDiv, remainder } from "./mul-div.js";
export { ramp, type Ramp } from "./ramp.js";
export { exactRate, type ExactRate, type Rate } from "./rate.js";
export type { Span } from "./span.js";
export { MAX_SETTING, SECOND } from "./units.js";
export { TimeScale } from "./time-scale.js";
