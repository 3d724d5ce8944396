import { badValue, requireNumber, requireOptions } from "../errors/index.js";
import type { AudioClock, AudioClockOptions, AudioSubject } from "./clock-types.js";
import { requireContext, type AudioClockContext } from "./context-reader.js";
import { LoopAudioClock } from "./loop-audio-clock.js";

/** Creates a clock that maps ticks and shown time of a loop to the time of an `AudioContext`. */
export function audioClock<C extends AudioClockContext>(
  context: C,
  subject: AudioSubject,
  options: AudioClockOptions = {},
): AudioClock<C> {
  requireOptions(
    "audioClock",
    options,
    Object.keys({ delay: 1, extraLatency: 1 } satisfies Record<keyof AudioClockOptions, 1>),
    "{ delay: 0.05 }",
  );
  requireContext("audioClock", context);
  const loop = subject !== null && typeof subject === "object" && "loop" in subject ? subject.loop : subject;
  if (typeof loop?.use !== "function")
    badValue("audioClock: loop", "a Loop, or what drive returned", subject, "new Loop({ rate: 60 })");
  if (options.delay !== undefined) requireNumber("audioClock: delay", options.delay, -1, 1, 0.05);
  const { extraLatency = 0 } = options;
  requireNumber("audioClock: extraLatency", extraLatency, 0, 1, 0.1);
  return new LoopAudioClock(context, loop, subject, options.delay, extraLatency);
}
