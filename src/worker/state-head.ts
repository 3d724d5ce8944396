// What comes with each state that a worker publishes: figures, as doubles. Times are milliseconds of the worker's clock.

/** Counts the states of a ring. */
export const HEAD_NUMBER = 0;
/** Which start of the session it belongs to, so that a state of an earlier one is never shown. */
export const HEAD_START = 1;
/** The moment that the state stands for: it is shown as it is then. Infinity while the simulation is paused. */
export const HEAD_MOMENT = 2;
/** How long the picture takes from the state before to this one. */
export const HEAD_SPAN = 3;
/** How far the picture has got from the state before to this one when that begins: 0, unless the speed changed in between. */
export const HEAD_FROM = 4;
/** The state is shown from this moment on, that of the last revision: before it, the states that were replaced are shown. -Infinity before the first revision. */
export const HEAD_SINCE = 5;
/** The number of the state; with a fraction while the simulation rewinds. */
export const HEAD_TICK = 6;
/** The timeline of the state, by which blends are faster. */
export const HEAD_TIMELINE = 7;
/** When it could be drawn. */
export const HEAD_READY = 8;
/** Counts how often the simulation jumped to another tick. */
export const HEAD_JUMPS = 9;
/** The oldest and the newest state in the history. */
export const HEAD_FIRST = 10;
export const HEAD_LAST = 11;
export const HEAD_FLAGS = 12;

export const HEAD_DOUBLES = 13;

// Flags.
/** A step that is thrown away: what the next state will be, if the inputs stay as they are. */
export const IS_SPECULATED = 1;
/** Replaces states of later moments, from `HEAD_SINCE` on. */
export const IS_REVISION = 2;
export const IS_REWINDING = 4;
