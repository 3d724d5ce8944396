import { badValue, misuse, requireSynchronous } from "../errors/index.js";
import type {
  InputFields,
  InputRequest,
  InputSource,
  InputValues,
  Packing,
  StepTiming,
} from "../input/index.js";
import type { Fields } from "../state/index.js";
import { writersOf } from "./inputs.js";
import type { PlayerTuple } from "./player-tuple.js";
import type { AnySimulation } from "./simulation.js";

/** The timing of a step that no frame asked for. */
export const NO_FRAME: StepTiming = { due: 1, frameStart: Infinity, frameEnd: Infinity };

/** Writes what players do: `player.left = keys.has("KeyA")`. A value that is not written stays as it was. */
export type WriteInputs<I extends InputFields, P extends number = number> = (
  players: PlayerTuple<InputValues<I>, P>,
  request: InputRequest,
) => void;

/** Where inputs come from: a function that writes those of all players, one source, or one source per player. */
export type InputsFrom<I extends InputFields, P extends number = number> =
  | WriteInputs<I, P>
  | InputSource
  | readonly (InputSource | undefined)[]
  | undefined;

/** Samples the inputs of all players before each step. */
export class InputSampler<I extends InputFields, P extends number = number> {
  readonly #packing: Packing;
  readonly #words: Uint32Array;
  readonly #players: readonly InputValues<I>[];
  readonly #request = { tick: 0, peek: false, ...NO_FRAME };
  #sample: (request: InputRequest) => void;
  #isSampling = false;

  constructor(call: string, { packing, players }: AnySimulation<Fields, I>, inputs: InputsFrom<I, P>) {
    this.#packing = packing;
    this.#words = new Uint32Array(players * packing.words);
    this.#players = writersOf(packing, players, this.#words);
    this.#sample = this.#samplerOf(call, inputs);
  }

  /** Whether a source is being sampled right now. */
  get isSampling(): boolean {
    return this.#isSampling;
  }

  /** Samples another source from now on. */
  setSource(call: string, inputs: InputsFrom<I, P>): void {
    this.#sample = this.#samplerOf(call, inputs);
  }

  /** Returns the packed inputs of all players. The array is reused. `peek` consumes no presses. */
  sample(tick: number, peek: boolean, { due, frameStart, frameEnd, duration = 0 }: StepTiming): Uint32Array {
    const request = this.#request;
    request.tick = tick;
    request.peek = peek;
    request.due = due;
    request.frameStart = frameStart;
    request.frameEnd = frameEnd;
    request.duration = duration;
    this.#isSampling = true;
    try {
      this.#sample(request);
    } finally {
      this.#isSampling = false;
    }
    return this.#words;
  }

  #samplerOf(call: string, inputs: InputsFrom<I, P>): (request: InputRequest) => void {
    if (inputs === undefined) return () => {};
    if (typeof inputs === "function") {
      const write = inputs as unknown as WriteInputs<I>;
      return (request) => {
        const returned: unknown = write(this.#players, request);
        if (returned !== undefined) requireWritten(call, returned, this.#players);
      };
    }
    const isList = Array.isArray(inputs);
    const sources = (isList ? inputs : [inputs]) as readonly (InputSource | undefined)[];
    this.#checkSources(call, sources, isList);
    const width = this.#packing.words;
    return (request) => {
      for (let player = 0; player < sources.length; player++)
        sources[player]?.sample(this.#words, player * width, request);
    };
  }

  #checkSources(call: string, sources: readonly (InputSource | undefined)[], isList: boolean): void {
    const players = this.#players.length;
    if (isList && sources.length !== players)
      badValue(
        `${call}.length`,
        `${players}, one source per player`,
        sources.length,
        `[${exampleList(players)}], with undefined for a player who does nothing`,
      );
    sources.forEach((source, player) => {
      if (source === undefined) return;
      if (typeof source?.sample !== "function")
        badValue(call, "a function or a source of inputs", source, "([player]) => {}");
      const [name = call] = call.split(": ");
      if (source.packing && source.packing.title !== this.#packing.title)
        misuse("in-use", name, "this latch belongs to another simulation", "Try inputLatch(game.packing)");
      if (!isList && players > 1 && !source.allPlayers)
        badValue(
          call,
          `a list with a source for each of the ${players} players`,
          source,
          `[${exampleList(players)}]`,
        );
      // One bot may play for several players, but the presses of a latch would all go to the first.
      const first = sources.indexOf(source);
      if (source.onePlayer && first < player)
        misuse(
          "in-use",
          name,
          `players ${first} and ${player} share one latch`,
          "Create one inputLatch(game.packing) per player",
        );
    });
  }
}

/** Shows a list of sources, for an error. */
const exampleList = (players: number): string =>
  ["latch", "bot", "undefined"].slice(0, players).join(", ") + (players > 3 ? ", …" : "");

/**
 * Throws if a function returned inputs, or a promise, instead of writing them. Other values are the results of expressions such
 * as `([player]) => (player.go = true)`.
 */
export function requireWritten(call: string, returned: unknown, players: readonly unknown[]): void {
  requireSynchronous(call, returned, "Remove async: await in an event handler, and read the result here");
  if (typeof returned !== "object" || returned === null) return;
  // The result of Object.assign(player, { go: true }).
  if (returned === players || players.includes(returned)) return;
  const [name, part] = call.split(": ") as [string, string];
  badValue(
    `${name}: the result of ${part}`,
    "undefined, as inputs are written, not returned",
    returned,
    "([player]) => { player.jump = true; }",
  );
}
