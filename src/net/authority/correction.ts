import type { Fields, ReadonlyWorld } from "../../state/index.js";
import { ErrorSmoother } from "../error-smoothing.js";
import type { Rollback } from "../rollback.js";
import type { SmoothingOptions } from "../smoothing-options.js";

/** Compares the picture before and after a correction, and hides the difference from the next ones. */
export class Correction<S extends Fields> {
  readonly #rollback: Rollback<S>;
  readonly #smoother: ErrorSmoother<S> | undefined;
  /** The tick and the alpha of the last picture. In an array, as a field would allocate each new number. */
  readonly #shown = new Float64Array(2).fill(-1);
  #before: ReadonlyWorld<S> | undefined;

  constructor(rollback: Rollback<S>, smoothing: SmoothingOptions | false) {
    this.#rollback = rollback;
    if (smoothing === false || rollback.presenter.present !== "interpolate") return;
    this.#smoother = new ErrorSmoother<S>(rollback.run.state.layout, smoothing);
  }

  /** Call it before a correction. */
  begin(): void {
    this.#before = undefined;
    // Nothing was drawn yet.
    if (!this.#smoother || this.#shown[0]! < 0) return;
    this.#before = this.#rollback.presenter.blendAside(0, this.#shown[1]!) as ReadonlyWorld<S>;
  }

  /** Call it after a correction. Returns its size: the distance of the largest correction of a position. */
  end(isChanged: boolean): number {
    if (!isChanged || !this.#before) return 0;
    const after = this.#rollback.presenter.blendAside(1, this.#shown[1]!) as ReadonlyWorld<S>;
    return this.#smoother!.corrected(this.#before, after);
  }

  /** Adds what is hidden of the corrections to a picture. */
  show(view: ReadonlyWorld<S>, alpha: number): void {
    if (!this.#smoother) return;
    const { tick } = this.#rollback;
    const [lastTick, lastAlpha] = [this.#shown[0]!, this.#shown[1]!];
    if (lastTick >= 0) this.#smoother.advance(Math.max(0, tick + alpha - lastTick - lastAlpha));
    this.#shown[0] = tick;
    this.#shown[1] = alpha;
    this.#smoother.apply(view);
  }

  /** Shows the next picture as it is. */
  clear(): void {
    this.#smoother?.clear();
    this.#shown.fill(-1);
  }
}
