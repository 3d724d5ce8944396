// What music needs of Web Audio. The nodes of every `AudioContext` fit, and programs without the types of the DOM compile.

/** What an `AudioBuffer` has. */
export interface SoundBuffer {
  /** In seconds. */
  readonly duration: number;
}

/** What an `AudioNode` has. */
export interface SoundNode {
  connect(destination: SoundNode): SoundNode;
  disconnect(): void;
}

/** What an `AudioParam` has. */
export interface SoundParam {
  value: number;
  setValueAtTime(value: number, time: number): unknown;
  linearRampToValueAtTime(value: number, time: number): unknown;
}

/** What a `GainNode` has. */
export interface SoundGain extends SoundNode {
  readonly gain: SoundParam;
}

/** What an `AudioBufferSourceNode` has. */
export interface SoundSource extends SoundNode {
  buffer: SoundBuffer | null;
  loop: boolean;
  readonly playbackRate: SoundParam;
  onended: unknown;
  start(time: number, offset?: number): void;
  stop(time?: number): void;
}
