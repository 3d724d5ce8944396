import { badValue, requireNumber, requireOptions, requireType } from "../errors/index.js";
import type { AudioClock } from "./clock-types.js";
import type { AudioClockContext } from "./context-reader.js";
import { FollowingMusic } from "./following-music.js";
import type { Music, MusicOptions } from "./music-types.js";
import type { SoundBuffer } from "./sound-nodes.js";
import type { MusicContext } from "./voice.js";

/** Plays a buffer in time with the shown time of a clock's loop: it stays in time through lost time, slow motion and pauses. */
export function playMusic(
  clock: AudioClock<AudioClockContext & MusicContext>,
  buffer: SoundBuffer,
  options: MusicOptions = {},
): Music {
  requireOptions(
    "playMusic",
    options,
    Object.keys({
      at: 1,
      repeat: 1,
      destination: 1,
      slowMotion: 1,
      fade: 1,
    } satisfies Record<keyof MusicOptions, 1>),
    "{ repeat: false }",
  );
  const { at, repeat = true, slowMotion = "bend", fade = 0.03 } = options;
  if (typeof clock?.shownAt !== "function")
    badValue("playMusic: clock", "an audio clock", clock, "audioClock(context, loop)");
  if (!(buffer?.duration > 0))
    badValue("playMusic: buffer", "an AudioBuffer", buffer, "await context.decodeAudioData(bytes)");
  if (at !== undefined) requireNumber("playMusic: at", at, 0, 1e9, 0);
  requireType("playMusic: repeat", repeat, "boolean", true);
  if (options.destination !== undefined)
    requireType(
      "playMusic: destination.connect",
      options.destination?.connect,
      "function",
      "context.destination",
    );
  requireNumber("playMusic: fade", fade, 0.005, 1, 0.03);
  if (slowMotion !== "bend" && slowMotion !== "keep")
    badValue("playMusic: slowMotion", '"bend" or "keep"', slowMotion, '"keep"');
  return new FollowingMusic(clock, buffer, { ...options, repeat, slowMotion, fade });
}
