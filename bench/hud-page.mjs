// The page of the bench: a loop whose frames are 1/60 s, and overlays that show it, one at a time.
import Stats from "stats.js";
import { mountHud } from "../dist/hud/index.js";
import { Loop } from "../dist/index.js";
import { interleave } from "./rounds.mjs";

const FRAMES = 600;
const realNow = performance.now.bind(performance);
/** What stats.js is told: it draws its frame rate once a second, and would hardly in a frame that costs nothing. */
let time = 0;

/** A loop, an overlay, and what is to be read of it, so that it is drawn; stats.js has a panel that is seen. */
function tickwise() {
  const loop = new Loop({ rate: 60, step() {}, render() {} });
  const hud = mountHud(loop);
  const host = document.querySelector("[data-tickwise-hud] > *");
  return {
    frame: () => loop.advance(1 / 60),
    canvas: host.shadowRoot.querySelector("canvas"),
    remove: () => hud.remove(),
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
    // As the browser does after each frame: lays out what has changed, and draws what was asked for.
    void document.body.offsetHeight;
    context.getImageData(0, 0, 1, 1);
  }
  remove();
}

/** Each contender's microseconds a frame, round by round. */
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
