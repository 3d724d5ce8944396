import type { GameEffect } from "./playthrough.js";

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

/** Synthesizes a short, quiet sound per effect. */
export class Sounds {
  #audio: AudioContext | undefined;

  play({ name }: GameEffect): void {
    // Browsers block audio until the visitor interacts with the page.
    if (!navigator.userActivation?.hasBeenActive) return;
    const audio = (this.#audio ??= new AudioContext());
    let at = audio.currentTime;
    for (const [from, to, seconds] of NOTES[name]) {
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.type = "triangle";
      tone.frequency.setValueAtTime(from, at);
      tone.frequency.exponentialRampToValueAtTime(to, at + seconds);
      gain.gain.setValueAtTime(VOLUME, at);
      gain.gain.exponentialRampToValueAtTime(1e-4, at + seconds);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + seconds);
      at += seconds;
    }
  }

  dispose(): void {
    void this.#audio?.close();
  }
}
