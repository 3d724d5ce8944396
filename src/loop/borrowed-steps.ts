/**
 * Counts steps that ran ahead of the driver's time, as slow steps had used up that time: see `rereadClock`. The timestamp of
 * the next frame includes it, so that frame runs as many fewer. Frames that come earlier show the same picture again, and
 * their time is collected here.
 */
export class BorrowedSteps {
  /** Whether anything is borrowed, or was before the current frame. */
  isActive = false;
  /** Steps that ran ahead. */
  count = 0;
  /** Nanoseconds and refreshes that were collected; 0 refreshes if their number is unknown. */
  time: number;
  refreshes = 0;
  covered = 0;
  /** All of these before the current frame. */
  countBefore = 0;
  timeBefore: number;
  refreshesBefore = 0;
  coveredBefore = 0;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.time = this.timeBefore = 0.5;
    this.time = this.timeBefore = 0;
  }

  /** Starts a frame, if this is active. */
  begin(): void {
    this.countBefore = this.count;
    this.timeBefore = this.time;
    this.refreshesBefore = this.refreshes;
    this.coveredBefore = this.covered;
    this.isActive = this.count > 0;
  }

  /** Counts a step that ran ahead. */
  add(): void {
    this.count++;
    this.isActive = true;
  }

  /** Collects the time of a frame. */
  collect(nanoseconds: number, refreshes: number, covered: number): void {
    const isKnown = refreshes > 0 && (this.refreshes > 0 || this.time === 0);
    this.refreshes = isKnown ? this.refreshes + refreshes : 0;
    this.covered += covered;
    this.time += nanoseconds;
  }

  /** Leaves `count` steps, and no time. */
  keep(count: number): void {
    this.count = count;
    this.time = this.refreshes = this.covered = 0;
  }

  /** Undoes the current frame. */
  revert(): void {
    this.count = this.countBefore;
    this.time = this.timeBefore;
    this.refreshes = this.refreshesBefore;
    this.covered = this.coveredBefore;
  }
}
