import { hasDisplay, watchDisplay } from "./browser.js";
import { driverOf, type Driver } from "./driver.js";
import { scheduledDriver } from "./schedule.js";
import { timerAlarm } from "./timer.js";

/**
 * The driver of a loop that was given none: the display where there is one, else a timer. Made of their
 * parts: a program that gives no options need not ship the checks of them.
 */
export function defaultDriver(): Driver {
  return hasDisplay() ? driverOf(watchDisplay, "display") : scheduledDriver(undefined, timerAlarm);
}
