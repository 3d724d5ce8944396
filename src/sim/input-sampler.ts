import type {
  InputFields,
  InputRequest,
  InputSource,
  InputValues,
  Packing,
  StepTiming,
} from "../input/index.js";
import type { Fields } from "../state/index.js";
import { badValue } from "../errors/index.js";
import { writersOf } from "./inputs.js";
import type { AnySimulation } from "./simulation.js";

/** A step without a frame. */
export const ALONE: StepTiming = { due: 1, frameStart: Infinity, frameEnd: Infinity };

/** Writes what players do: `players[0].left = keys.has("KeyA")`. What is not written stays as it was. */
export type WriteInputs<I extends InputFields> = (
  players: readonly InputValues<I>[],
  request: InputRequest,
) => void;

/** A function that writes what all players do, or what each player's inputs come from. */
export type InputsFrom<I extends InputFields> =
  | WriteInputs<I>
  | InputSource
  | readonly (InputSource | undefined)[]
  | undefined;

/** Asks for what players do, a tick at a time. */
export class InputSampler<I extends InputFields> {
  readonly #packing: Packing;
  readonly #words: Uint32Array;
  readonly #players: readonly InputValues<I>[];
  readonly #width: number;
  readonly #request = { tick: 0, peek: false, ...ALONE };
  #ask: (request: InputRequest) => void;
  #isAsking = false;

  constructor(call: string, { packing, players }: AnySimulation<Fields, I>, inputs: InputsFrom<I>) {
    this.#packing = packing;
    this.#width = packing.words;
    this.#words = new Uint32Array(players * packing.words);
    this.#players = writersOf(packing, players, this.#words);
    this.#ask = this.#samplerOf(call, inputs);
  }

  /** Whether somebody is being asked: a step has begun. */
  get isSampling(): boolean {
    return this.#isAsking;
  }

  /** Asks others from now on. */
  setSource(call: string, inputs: InputsFrom<I>): void {
    this.#ask = this.#samplerOf(call, inputs);
  }

  /** The words of all players; they are there until it asks again. */
  sample(tick: number, peek: boolean, { due, frameStart, frameEnd, duration = 0 }: StepTiming): Uint32Array {
    const request = this.#request;
    request.tick = tick;
    request.peek = peek;
    request.due = due;
    request.frameStart = frameStart;
    request.frameEnd = frameEnd;
    request.duration = duration;
    this.#isAsking = true;
    try {
      this.#ask(request);
    } finally {
      this.#isAsking = false;
    }
    return this.#words;
  }

  #samplerOf(call: string, inputs: InputsFrom<I>): (request: InputRequest) => void {
    if (inputs === undefined) return () => {};
    if (typeof inputs === "function") return (request) => inputs(this.#players, request);
    const sources = Array.isArray(inputs) ? (inputs as (InputSource | undefined)[]) : [inputs as InputSource];
    if (sources.length > this.#players.length)
      badValue(call, `of at most ${this.#players.length} players`, sources.length, "a source for each");
    for (const source of sources)
      if (source !== undefined && typeof source?.sample !== "function")
        badValue(call, "a function or a source of inputs", source, "(players) => {}");
      else if (source?.packing && source.packing.title !== this.#packing.title)
        badValue(call, "of this simulation's inputs", "a latch for others", "inputLatch(game.packing)");
    // One bot may play for several players, but the presses of a latch would all go to the first.
    sources.forEach((source, player) => {
      const first = sources.indexOf(source);
      if (source?.onePlayer && first < player)
        badValue(
          call,
          "a latch for each player",
          `one for players ${first} and ${player}`,
          "inputLatch(game.packing) for each",
        );
    });
    return (request) => {
      for (let player = 0; player < sources.length; player++)
        sources[player]?.sample(this.#words, player * this.#width, request);
    };
  }
}
