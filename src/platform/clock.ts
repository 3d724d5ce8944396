/** The monotonic clock of the platform, in milliseconds. */
export const systemNow = () => performance.now();

/** When `systemNow` was 0, in milliseconds since 1970. Threads have different ones. */
export const systemTimeOrigin = () => performance.timeOrigin;

/** The wall time, in milliseconds since 1970. It may jump when somebody sets the clock. */
export const systemWall = () => Date.now();
