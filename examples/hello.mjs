// A ball bounces for three seconds. Node has no display, so the loop runs on a timer.
// In a clone, run `npm run build` first, then `node examples/hello.mjs`.
import { Loop, measure, timer } from "tickwise";

const GRAVITY = -9.81; // m/s²
const SECONDS = 3;

const ball = { height: 20, before: 20, speed: 0 };
let nextLine = 0;

const loop = new Loop({
  rate: 60,
  step({ dt }) {
    ball.before = ball.height;
    ball.speed += GRAVITY * dt;
    ball.height += ball.speed * dt;
    if (ball.height < 0) {
      ball.height = -ball.height;
      ball.speed *= -0.8;
    }
  },
  render({ tick, alpha, shownTime }) {
    if (shownTime >= SECONDS) return loop.stop();
    if (shownTime < nextLine) return;
    nextLine += 0.5;
    const height = ball.before + (ball.height - ball.before) * alpha;
    console.log(
      `tick ${String(tick).padStart(3)}   time ${shownTime.toFixed(3)} s   height ${height.toFixed(3)} m`,
    );
  },
});

const figures = measure(loop);
loop.on("stop", () => {
  const { frames, steps, lostSeconds, effectiveSpeed } = figures;
  console.log(`${frames} frames, ${steps} steps, ${lostSeconds} s lost, speed ${effectiveSpeed.toFixed(3)}`);
});
loop.start(timer());
