/**
 * Fits a line through the timestamps of refreshes: by least squares at first, then with a memory that
 * fades (a phase-locked loop of second order). All times are in milliseconds.
 *
 * Fractions are passed in fields here, not as arguments and results: engines allocate those wherever they do not inline the
 * call. The same holds for the classes that use this one.
 */
export class LineFit {
  /** Time between two refreshes. */
  period: number;
  /** How far the last timestamp lies after its refresh. */
  error: number;
  /** Timestamps in the fit. */
  points = 0;
  /** Mean square of the timestamps' distances from the line. */
  variance: number;
  /** Variance of the next timestamp around its prediction: that of its noise, plus that of the line itself. */
  predicted: number;
  /** How much an error changes the period and the phase, and how much the line itself adds to the variance: see `weigh`. */
  private periodGain: number;
  private phaseGain: number;
  private uncertainty: number;

  constructor(private readonly memory: number) {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.period = this.error = this.variance = this.predicted = 0.5;
    this.periodGain = this.phaseGain = this.uncertainty = 0.5;
    this.period = this.error = this.variance = this.predicted = 0;
  }

  /** Starts again from the last timestamp, with a guess of the period and of the noise. */
  start(period: number, noise: number): void {
    this.period = period;
    this.error = 0;
    this.points = 1;
    this.variance = noise * noise;
    this.predicted = 4 * this.variance;
  }

  /** Adds a timestamp, `refreshes` after the last one: `error`, set by the caller, is how far it lies after its prediction. */
  add(refreshes: number, window: number): void {
    const { predicted, variance, error } = this;
    const squared = predicted > 0 ? (error * error * variance) / predicted : error * error;
    this.variance += (squared - variance) / (Math.min(this.points, window) + 1);
    // With a full memory, the weights stay the same.
    if (++this.points <= this.memory) this.weigh();
    const change = this.periodGain * error;
    // The period stays positive, however far off a timestamp is.
    this.period = Math.max(this.period / 2, this.period + (refreshes > 1 ? change / refreshes : change));
    this.error = error - this.phaseGain * error;
    this.predicted = this.uncertainty * this.variance;
  }

  /** Sets the gains of a least-squares line, with the guessed period as one more point. */
  private weigh(): void {
    const { points } = this;
    const gain = 6 / ((points + 1) * (points + 2));
    this.periodGain = gain;
    this.phaseGain = ((2 * points + 1) / 3) * gain;
    this.uncertainty = 1 + (4 * points + 2) / (points * (points - 1));
  }
}
