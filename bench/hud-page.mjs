// The page of the bench: a loop with frames of 1/60 s, and overlays, one at a time.
import Stats from "stats.js";
import { mountHud } from "../dist/hud/index.js";
import { Loop } from "../dist/index.js";
import { interleave } from "./rounds.mjs";

const FRAMES = 600;
const realNow = performance.now.bind(performance);
/** The clock of stats.js, which draws its frame rate once per second: without it, hardly ever in frames this short. */
let time = 0;

/** Creates a loop and an overlay, and returns the canvas to read from, so that it is drawn. */
function tickwise() {
  const loop = new Loop({ rate: 60, step() {}, render() {} });
  const hud = mountHud(loop);
  const host = document.querySelector("[data-tickwise-hud] > *");
  return {
    frame: () => loop.advance(1 / 60),
    canvas: host.shadowRoot.querySelector("canvas"),
    remove: () => hud.dispose(),
  };
}
function statsJs(panel) {
  const loop = new Loop({ rate: 60, step() {}, render() {} });
  const stats = new Stats();
  stats.showPanel(panel);
  document.body.append(stats.dom);
  const frame = () => {
    stats.begin();
    loop.advance(1 / 60);
    stats.end();
  };
  return { frame, canvas: stats.dom.children[panel], remove: () => stats.dom.remove() };
}

function run(mount) {
  const { frame, canvas, remove } = mount();
  const context = canvas.getContext("2d");
  for (let i = 0; i < FRAMES; i++) {
    time += 1000 / 60;
    frame();
    // Lay out and draw, as the browser does after each frame.
    void document.body.offsetHeight;
    context.getImageData(0, 0, 1, 1);
  }
  remove();
}

/** Returns each contender's microseconds per frame, round by round. */
export function measure(warmUp, rounds) {
  const contenders = {
    tickwise: { run: () => run(tickwise) },
    "stats.js": { run: () => run(() => statsJs(1)) },
    "stats.js, fps": { run: () => run(() => statsJs(0)) },
  };
  performance.now = () => time;
  const times = interleave(Object.values(contenders), { warmUp, rounds, now: realNow });
  performance.now = realNow;
  return Object.fromEntries(
    Object.keys(contenders).map((name, i) => [name, Array.from(times[i], (each) => (each * 1e3) / FRAMES)]),
  );
}
