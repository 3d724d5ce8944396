/**
 * Sound in time with a loop: effects that start at their exact moment, music that follows shown time, and a driver on the audio
 * clock for rhythm games.
 *
 * @packageDocumentation
 */

export { audioClock, type AudioClock, type AudioClockOptions, type AudioSubject } from "./audio-clock.js";
export { audioDriver, type AudioDriverOptions } from "./audio-driver.js";
export type { AudioClockContext } from "./context-reader.js";
export { playMusic, type Music, type MusicOptions } from "./music.js";
export type { MusicContext } from "./voice.js";
