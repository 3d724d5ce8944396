import { audioClock, playMusic, type AudioClock, type Music } from "../../../src/audio/index.js";
import type { Drive, Session } from "../../../src/sim/index.js";
import type { GameEffect, GameWorld } from "./playthrough.js";
import type { GameSettings } from "./settings.js";
import { tuneOf } from "./tune.js";

/** A glide between two frequencies, in hertz. */
type Note = readonly [from: number, to: number, seconds: number];

const NOTES: Readonly<Record<GameEffect["name"], readonly Note[]>> = {
  jump: [[300, 540, 0.11]],
  land: [[130, 70, 0.07]],
  coin: [
    [988, 988, 0.06],
    [1319, 1319, 0.14],
  ],
  fall: [[320, 70, 0.32]],
  flag: [
    [523, 523, 0.08],
    [659, 659, 0.08],
    [784, 784, 0.16],
  ],
  exit: [
    [523, 523, 0.09],
    [659, 659, 0.09],
    [784, 784, 0.09],
    [1047, 1047, 0.25],
  ],
};
const VOLUME = 0.04;
/** Seconds until the sound is switched on or off, and how fast it then changes, so that it does not click. */
const AHEAD = 0.03;
const FADE = 0.005;

/** What sounds once the visitor has used the page. */
interface Output {
  readonly context: AudioContext;
  readonly clock: AudioClock<AudioContext>;
  readonly volume: GainNode;
  music: Music | undefined;
}

/** Plays a short, quiet sound per effect, at the moment that the picture shows it, and a tune that follows the game. */
export class Sounds {
  readonly #drive: Drive<Session<GameWorld, GameEffect>>;
  #mode: GameSettings["sound"] = "off";
  #output: Output | undefined;
  readonly #aborter = new AbortController();

  constructor(drive: Drive<Session<GameWorld, GameEffect>>) {
    this.#drive = drive;
    const { signal } = this.#aborter;
    for (const type of ["keydown", "pointerdown", "pointerup"])
      addEventListener(type, () => this.#open(), { signal });
  }

  get mode(): GameSettings["sound"] {
    return this.#mode;
  }
  set mode(mode: GameSettings["sound"]) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#open();
    if (this.#output) this.#apply(this.#output);
  }

  play(effect: GameEffect): void {
    this.#open();
    if (!this.#output || this.#mode === "off") return;
    const { context, clock, volume } = this.#output;
    // A context that has just been opened needs a moment. One that was suspended would play everything on return.
    const at = clock.isRunning || context.currentTime > 0 ? clock.timeOfEffect(effect) : 0;
    if (at < Infinity) playNotes(context, volume, NOTES[effect.name], at);
  }

  dispose(): void {
    this.#aborter.abort();
    this.#output?.music?.dispose();
    this.#output?.clock.dispose();
    void this.#output?.context.close();
  }

  /** Opens the output once the visitor wants sound and has used the page, as browsers block it before. */
  #open(): void {
    if (this.#output || this.#mode === "off" || !navigator.userActivation?.hasBeenActive) return;
    const context = new AudioContext();
    const volume = context.createGain();
    volume.connect(context.destination);
    this.#output = { context, volume, clock: audioClock(context, this.#drive), music: undefined };
    this.#apply(this.#output);
  }

  #apply(output: Output): void {
    const { context, clock, volume } = output;
    volume.gain.setTargetAtTime(this.#mode === "off" ? 0 : 1, context.currentTime + AHEAD, FADE);
    if (this.#mode === "music") output.music ??= playMusic(clock, tuneOf(context), { destination: volume });
    else {
      output.music?.dispose();
      output.music = undefined;
    }
  }
}

/** Plays notes one after the other. */
function playNotes(context: AudioContext, output: AudioNode, notes: readonly Note[], at: number): void {
  for (const [from, to, seconds] of notes) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(from, at);
    tone.frequency.exponentialRampToValueAtTime(to, at + seconds);
    gain.gain.setValueAtTime(VOLUME, at);
    gain.gain.exponentialRampToValueAtTime(1e-4, at + seconds);
    tone.connect(gain).connect(output);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}
