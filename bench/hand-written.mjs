/** The reference: the last loop of "Fix Your Timestep!", as written by hand. */
export class HandWritten {
  constructor(dt, step, render) {
    this.dt = dt;
    this.step = step;
    this.render = render;
    this.time = 0;
    this.accumulator = 0;
  }

  frame(seconds) {
    if (seconds > 0.25) seconds = 0.25;
    this.accumulator += seconds;
    while (this.accumulator >= this.dt) {
      this.step(this.time, this.dt);
      this.time += this.dt;
      this.accumulator -= this.dt;
    }
    this.render(this.accumulator / this.dt);
  }
}
