export { Books } from "./books.js";
export { DisplayClock } from "./display-clock.js";
export { DisplayCount } from "./display-count.js";
export { requireKnown } from "./known.js";
export { mulDiv, remainder } from "./mul-div.js";
export { nearest } from "./nearest.js";
export { ramp, type Ramp } from "./ramp.js";
export { exactRate, type ExactRate, type Rate } from "./rate.js";
export {
  isPromise,
  refuse,
  requireFunction,
  requireNumber,
  requireSynchronous,
  requireType,
  requireWhole,
} from "./refuse.js";
export type { Span } from "./span.js";
export { LONGEST_SETTING, SECOND } from "./units.js";
export { VirtualClock } from "./virtual-clock.js";
