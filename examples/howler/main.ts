// Howler. Steps only note what is to be heard, and when. A frame plays it once the picture shows that moment.
import { Howl, Howler } from "howler";
import { display, Loop, ramp, timeScale } from "tickwise";
import { scalar, smoothAll, teleport } from "tickwise/blend";
import { controls } from "../page.js";
import { thudUrl } from "./thud.js";

const FLOOR = 390;
const balls = Array.from({ length: 5 }, (_, i) => ({
  x: 140 * i + 80,
  y: 60 + 55 * i,
  vx: 60,
  vy: 0,
  radius: i ? 18 : 30,
}));

/** Bounces that the picture has not shown yet, in simulated seconds. */
const bounces: { at: number; x: number; speed: number }[] = [];

const loop = new Loop({
  rate: 30,
  step({ dt, time }) {
    for (const ball of balls) {
      ball.vy += 380 * dt;
      ball.x += ball.vx * dt;
      ball.y += ball.vy * dt;
      const depth = ball.y + ball.radius - FLOOR;
      if (depth > 0 && ball.vy > 0) {
        // The moment of contact, within the step.
        bounces.push({ at: time + dt - depth / ball.vy, x: ball.x, speed: ball.vy });
        ball.y -= 2 * depth;
        ball.vy *= -0.98;
      }
      if (ball.x > 800) {
        ball.x = -30;
        teleport(ball); // do not blend across the jump
      }
    }
  },
  render({ shownTime }) {
    while (bounces[0] && bounces[0].at <= shownTime) play(bounces.shift()!);
    pen.reset();
    pen.fillStyle = "#48627a";
    pen.fillRect(0, FLOOR, 768, 42);
    for (const [i, { x, y }] of shown.entries()) {
      pen.fillStyle = i ? "#6fc3df" : "#ff9f1c";
      pen.beginPath();
      pen.arc(x, y, balls[i]!.radius, 0, 2 * Math.PI);
      pen.fill();
    }
  },
});
const shown = smoothAll(loop, balls, { x: scalar, y: scalar });
const scale = timeScale(loop);

let thud: Howl | undefined;

function play({ x, speed }: { x: number; speed: number }) {
  // Howler keeps what is played while its context is locked, and plays it all at once when it is unlocked.
  if (!thud || Howler.ctx.state !== "running") return;
  const id = thud.play();
  thud.volume(Math.min(1, speed / 500), id);
  thud.stereo(Math.max(-1, Math.min(x / 384 - 1, 1)), id);
  thud.rate(Math.max(0.5, scale.value), id); // deeper in slow motion
}

// Browsers allow sound only after a click or a key.
const button = document.querySelector<HTMLButtonElement>("#sound")!;
button.addEventListener("click", () => {
  if (thud) Howler.mute(button.textContent === "Sound off");
  else thud = new Howl({ src: thudUrl(), format: "wav" });
  button.textContent = button.textContent === "Sound on" ? "Sound off" : "Sound on";
});
// Stop what still rings. Not `pause`: the next `play` would continue a paused sound instead of starting one.
loop.on("pause", () => void thud?.stop());
addEventListener("keydown", ({ key }) => {
  if (key === "s") scale.set(ramp(scale.value < 1 ? 1 : 0.25, 0.3));
});

const pen = document.querySelector("canvas")!.getContext("2d")!;
controls(loop);
loop.start(display());
