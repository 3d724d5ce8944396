/**
 * Sound in time with a loop: effects that start at their exact moment, music that follows shown time, and a clock for
 * rhythm games.
 *
 * @packageDocumentation
 */

export { audioClock } from "./audio-clock.js";
export { audioTime, type AudioTimeOptions } from "./audio-time.js";
export type { AudioClock, AudioClockOptions, AudioSubject } from "./clock-types.js";
export type { AudioClockContext } from "./context-reader.js";
export { playMusic } from "./music.js";
export type { Music, MusicOptions } from "./music-types.js";
export type { SoundBuffer, SoundGain, SoundNode, SoundParam, SoundSource } from "./sound-nodes.js";
export type { MusicContext } from "./voice.js";
