import { requireNumber, requireType, requireWhole } from "../errors/index.js";
import { speedOf, timestampOf, type Display, type Loop } from "../loop/index.js";
import { AudioTime } from "./audio-time.js";
import type { AudioClock, AudioSubject } from "./clock-types.js";
import { ContextReader, type AudioClockContext } from "./context-reader.js";

/** Seconds between the picture and its sound, besides the latency of the output: a frame at 60 Hz, and what callbacks take. */
const SLACK = 0.025;
/** Seconds or samples by which sums may be off. */
const ROUNDING = 1e-6;

/** An audio clock of a loop. */
export class LoopAudioClock<C extends AudioClockContext> implements AudioClock<C> {
  late = 0;
  readonly #own: ContextReader;
  #driver: Loop["driver"];
  readonly #off: () => void;

  constructor(
    readonly context: C,
    readonly loop: Loop,
    private readonly subject: AudioSubject,
    private readonly setDelay: number | undefined,
    extraLatency: number,
  ) {
    this.#driver = loop.driver;
    this.#own = new ContextReader(context, extraLatency);
    this.#off = loop.on("beforeRender", () => void this.#read());
  }

  get isRunning(): boolean {
    return this.#read().isRunning;
  }
  get delay(): number {
    return this.setDelay ?? (this.#isAudioDriven ? 0 : this.latency + SLACK);
  }
  get latency(): number {
    return this.#reader.line.latency;
  }
  get drift(): number {
    return this.#reader.line.drift;
  }

  timeOf(tick: number): number {
    requireWhole("AudioClock.timeOf: tick", tick, 0, "clock.loop.tick");
    return this.#startOf(tick);
  }

  timeOfEffect(effect: { readonly tick: number }, fraction = 1): number {
    requireType("AudioClock.timeOfEffect: effect", effect, "object", "{ tick: loop.tick }");
    requireWhole("AudioClock.timeOfEffect: tick", effect.tick, 0, 0);
    requireNumber("AudioClock.timeOfEffect: fraction", fraction, 0, 1, 0.5);
    const { loop, subject } = this;
    // The ticks of a session differ from those of its loop after a seek, a load or a stall.
    const { tick } = "session" in subject ? subject.session : loop;
    return this.#startOf(loop.tick + (effect.tick - tick + fraction));
  }

  timeOfShown(seconds: number): number {
    requireNumber("AudioClock.timeOfShown: seconds", seconds, 0, 1e9, "clock.loop.frame.shownTime");
    // From the current tick, as the rate may have been another before.
    const { loop } = this;
    return this.#startOf(loop.tick + (seconds - loop.time) / loop.dt);
  }

  shownAt(contextTime: number): number {
    requireNumber("AudioClock.shownAt: contextTime", contextTime, -1e9, 1e9, "clock.context.currentTime");
    const { loop } = this;
    const time = contextTime - this.delay;
    const timestamp = this.#isAudioDriven ? time * 1000 : this.#read().line.timestampAt(time);
    const { frame } = loop;
    return frame.shownTime + ((timestamp - frame.timestamp) / 1000) * speedOf(loop);
  }

  timeAt(timestamp: number): number {
    requireNumber("AudioClock.timeAt: timestamp", timestamp, -1e15, 1e15, "event.timeStamp");
    return this.#read().line.timeAt(timestamp);
  }

  timestampAt(contextTime: number): number {
    requireNumber("AudioClock.timestampAt: contextTime", contextTime, -1e9, 1e9, "clock.context.currentTime");
    return this.#read().line.timestampAt(contextTime);
  }

  dispose(): void {
    this.#off();
  }

  /** The reader of the loop's display, if its clock follows this context. */
  get #reader(): ContextReader {
    const clock = (this.loop.driver as Display | undefined)?.options?.clock;
    return clock instanceof AudioTime && clock.reader.context === this.context ? clock.reader : this.#own;
  }

  get #isAudioDriven(): boolean {
    return this.#reader !== this.#own;
  }

  #read(): ContextReader {
    const { driver, frame } = this.loop;
    // Another driver may have another clock.
    if (driver !== this.#driver) this.#own.clear();
    this.#driver = driver;
    // A display reads its own clock in each frame.
    if (!this.#isAudioDriven) this.#own.read(driver?.now() ?? frame.timestamp);
    return this.#reader;
  }

  /** Returns when the sound of a tick starts, which may have a fraction. */
  #startOf(tick: number): number {
    const { loop, context } = this;
    const { isRunning, line } = this.#read();
    const { shownTime, timestamp: frameEnd } = loop.frame;
    const isShown = loop.time + (tick - loop.tick) * loop.dt <= shownTime + ROUNDING;
    const timestamp = this.#timestampOf(Math.max(0, tick));
    // What is already shown was so in this frame at the latest, even if time has stopped since.
    const moment = isShown ? Math.min(timestamp, frameEnd) : timestamp;
    if (!isRunning || moment === Infinity) return Infinity;
    const heard = this.#isAudioDriven ? moment / 1000 : line.timeAt(moment);
    const sample = Math.round((heard + this.delay) * context.sampleRate);
    const first = Math.ceil(context.currentTime * context.sampleRate - ROUNDING);
    if (sample < first) this.late++;
    return Math.max(sample, first) / context.sampleRate;
  }

  #timestampOf(tick: number): number {
    const whole = Math.floor(tick);
    const from = timestampOf(this.loop, whole);
    const part = tick - whole;
    return part === 0 || from === Infinity ? from : from + part * (timestampOf(this.loop, whole + 1) - from);
  }
}
