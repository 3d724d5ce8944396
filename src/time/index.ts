export { Books } from "./books.js";
export { mulDiv, remainder } from "./mul-div.js";
export { ramp, type Ramp } from "./ramp.js";
export { exactRate, SECOND, type ExactRate, type Rate } from "./rate.js";
export { refuse, requireFunction, requireNumber, requireType, requireWhole } from "./refuse.js";
export type { Span } from "./span.js";
export { LONGEST_SETTING } from "./scale.js";
export { VirtualClock } from "./virtual-clock.js";
