import { hasDisplay, watchDisplay } from "./browser.js";
import { driverOf, type Driver } from "./driver.js";
import { scheduledDriver } from "./schedule.js";
import { timerAlarm } from "./timer.js";

/**
 * Creates the driver of a loop that was passed none: for the display if there is one, else for a timer. Made of their
 * parts, so that bundlers can drop the option checks.
 */
export function defaultDriver(): Driver {
  return hasDisplay() ? driverOf(watchDisplay, "display") : scheduledDriver(undefined, timerAlarm);
}
