/** Rings once after the milliseconds that it is set to, each time it is set. */
export interface Alarm {
  set(milliseconds: number): void;
  end(): void;
}

/** Creates an alarm that calls `ring`. */
export type AlarmMaker = (ring: () => void) => Alarm;

/** Creates an alarm by the timers of the platform, which are up to a millisecond late. */
export function timerAlarm(ring: () => void): Alarm {
  let timer: ReturnType<typeof setTimeout>;
  const end = () => clearTimeout(timer);
  return {
    end,
    set(milliseconds) {
      end();
      // Timers drop fractions of a millisecond: one that rang too soon would have to be set again.
      timer = setTimeout(ring, Math.ceil(milliseconds));
    },
  };
}
