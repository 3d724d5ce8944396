/** Chords of one second each, as notes in hertz from low to high. */
const CHORDS = [
  [110, 220, 261.63, 329.63],
  [87.31, 174.61, 220, 261.63],
  [130.81, 196, 261.63, 329.63],
  [98, 196, 246.94, 293.66],
] as const;
/** Which note of the chord each eighth plays. */
const PATTERN = [0, 2, 3, 2, 1, 3, 2, 3];
const EIGHTH = 0.125;
const VOLUME = 0.05;

/** Synthesizes a tune that repeats without a gap. */
export function tuneOf(context: BaseAudioContext): AudioBuffer {
  const { sampleRate } = context;
  const buffer = context.createBuffer(1, CHORDS.length * sampleRate, sampleRate);
  const samples = buffer.getChannelData(0);
  for (const [bar, chord] of CHORDS.entries())
    for (const [eighth, note] of PATTERN.entries())
      addNote(samples, sampleRate, bar + eighth * EIGHTH, chord[note]!);
  return buffer;
}

/** Adds a plucked note, which may ring into the beginning of the next repetition. */
function addNote(samples: Float32Array, sampleRate: number, at: number, hertz: number): void {
  const start = Math.round(at * sampleRate);
  for (let i = 0; i < sampleRate * 0.6; i++) {
    const seconds = i / sampleRate;
    const attack = Math.min(1, seconds / 0.004);
    const loudness = VOLUME * attack * Math.exp(-7 * seconds);
    const phase = 2 * Math.PI * hertz * seconds;
    samples[(start + i) % samples.length]! += loudness * (Math.sin(phase) + 0.3 * Math.sin(2 * phase));
  }
}
