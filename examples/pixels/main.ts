// Pixel art from an atlas, by WebGL. Blend first; then round camera and sprites to whole pixels, or give the tiles a border.
import { display, Loop } from "tickwise";
import { scalar, smooth, teleport } from "tickwise/blend";
import { sin } from "tickwise/math";
import { controls, hasWebGL } from "../page.js";
import { createAtlas } from "./atlas.js";
import { paintScene, WIDTH } from "./scene.js";
import { TilePainter } from "./tile-painter.js";

function run() {
  const hero = { x: 20, y: 52 };
  const camera = { x: 0 };
  const loop = new Loop({
    rate: 20,
    step({ dt, time }) {
      hero.x += 55 * dt;
      hero.y = 40 + 12 * sin(5 * time);
      camera.x += 7 * dt;
      if (hero.x > camera.x + WIDTH) {
        hero.x = camera.x - 16;
        teleport(hero); // do not blend across the jump
      }
    },
    render() {
      const painter = withBorder.checked ? bordered : bare;
      paintScene(painter, shownCamera.x, shown, isWhole.checked ? "both" : "none");
    },
  });
  const shown = smooth(loop, hero, { x: scalar, y: scalar });
  const shownCamera = smooth(loop, camera, { x: scalar });

  // One texture for both settings would do in a game; here you can compare.
  const canvas = document.querySelector("canvas")!;
  const bordered = new TilePainter(canvas, createAtlas(1), "linear");
  const bare = new TilePainter(canvas, createAtlas(0), "linear");
  controls(loop);
  loop.start(display());
}

const withBorder = document.querySelector<HTMLInputElement>("#border")!;
const isWhole = document.querySelector<HTMLInputElement>("#whole")!;
if (hasWebGL()) run();
