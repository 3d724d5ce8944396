import type { InputFields, InputValues, Packing } from "../input/index.js";
import { writersOf } from "../sim/inputs.js";
import type { PredictRequest } from "./peer-options.js";

/** Calls the option `predict` of a session for single seats. */
export class SeatPredictor<I extends InputFields> {
  readonly #predict: ((player: InputValues<I>, request: PredictRequest) => void) | undefined;
  readonly #players: readonly InputValues<I>[];
  readonly #request = { seat: 0, tick: 0, age: 0 };

  /** `words` holds the inputs of all seats: the last known ones before a prediction, and the predicted ones after it. */
  constructor(
    predict: ((player: InputValues<I>, request: PredictRequest) => void) | undefined,
    packing: Packing<I>,
    players: number,
    words: Uint32Array,
  ) {
    this.#predict = predict;
    this.#players = predict ? writersOf(packing, players, words) : [];
  }

  /** Whether the session has the option. Otherwise inputs stay as they are. */
  get isActive(): boolean {
    return this.#predict !== undefined;
  }

  /** Predicts the input of a seat. `age`: ticks since the last known one. */
  predict(seat: number, tick: number, age: number): void {
    if (this.#predict === undefined) return;
    const request = this.#request;
    request.seat = seat;
    request.tick = tick;
    request.age = age;
    this.#predict(this.#players[seat]!, request);
  }
}
