import type { Fields, ReadonlyWorld } from "../../state/index.js";
import { ErrorSmoother } from "../error-smoothing.js";
import type { Rollback } from "../rollback.js";
import { smoothingRules, type SmoothingOptions } from "../smoothing-options.js";
import { RowIdentity } from "./row-identity.js";

/**
 * Compares the picture before and after a correction. The next ones hide the difference, and show rows that were predicted under
 * the ids that they had.
 */
export class Correction<S extends Fields> {
  readonly #rollback: Rollback<S>;
  readonly #smoother: ErrorSmoother<S> | undefined;
  /** Whether corrections are hidden; otherwise they are only measured. */
  readonly #isSmooth: boolean = false;
  readonly #identity: RowIdentity<S> | undefined;
  /** The tick and the alpha of the last picture. In an array, as a field would allocate each new number. */
  readonly #shown = new Float64Array(2).fill(-1);
  #before: ReadonlyWorld<S> | undefined;

  constructor(rollback: Rollback<S>, smoothing: SmoothingOptions | false) {
    const { layout } = rollback.run.state;
    const { present } = rollback.presenter;
    this.#rollback = rollback;
    if (present === "none") return;
    const { positions } = smoothingRules("clientSession: smoothing", smoothing || {});
    if (layout.tables.length > 0) this.#identity = new RowIdentity<S>(layout, positions.teleport);
    if (present !== "interpolate") return;
    this.#isSmooth = smoothing !== false;
    this.#smoother = new ErrorSmoother<S>(layout, smoothing || {});
  }

  /** Call it before a correction. */
  begin(): void {
    this.#before = undefined;
    // Nothing was drawn yet.
    if (this.#shown[0]! < 0) return;
    const { run, certain } = this.#rollback;
    this.#before = this.#blend(0);
    this.#identity?.begin(this.#before, run.state, certain);
  }

  /** Call it after a correction. Returns its size: the distance of the largest correction of a position. */
  end(isChanged: boolean): number {
    if (!isChanged || !this.#before) return 0;
    const after = this.#blend(1);
    const { run, certain } = this.#rollback;
    this.#identity?.end(this.#before, after, run.state, certain);
    const error = this.#smoother?.corrected(this.#before, after) ?? 0;
    if (!this.#isSmooth) this.#smoother?.clear();
    return error;
  }

  #blend(slot: 0 | 1): ReadonlyWorld<S> {
    const { presenter } = this.#rollback;
    // With "speculate", the rows of the picture are those of the newest state.
    const alpha = presenter.present === "interpolate" ? this.#shown[1]! : 1;
    return presenter.blendAside(slot, alpha) as ReadonlyWorld<S>;
  }

  /** Adds what is hidden of the corrections to a picture. */
  show(view: ReadonlyWorld<S>, alpha: number): void {
    if (!this.#smoother && !this.#identity) return;
    const { tick } = this.#rollback;
    const [lastTick, lastAlpha] = [this.#shown[0]!, this.#shown[1]!];
    this.#shown[0] = tick;
    this.#shown[1] = alpha;
    this.#identity?.arrange(view);
    if (!this.#smoother || !this.#isSmooth) return;
    if (lastTick >= 0) this.#smoother.advance(Math.max(0, tick + alpha - lastTick - lastAlpha));
    this.#smoother.apply(view);
  }

  /** Shows the next picture as it is. */
  clear(): void {
    this.#smoother?.clear();
    this.#identity?.clear();
    this.#shown.fill(-1);
  }
}
