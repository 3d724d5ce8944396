// Pixel art. Steps move things by fractions of a pixel; frames blend positions first and then round them.
import { display, Loop } from "tickwise";
import { hold, scalar, smooth, snap, teleport } from "tickwise/blend";
import { controls } from "../page.js";
import { hill, poses, stone, tree } from "./sprites.js";

const GROUND = 88;
const WORLD = 480; // width; the screen shows 192 of it
const STONES = [100, 190, 262, 380];
const TREES = [20, 66, 140, 158, 228, 300, 332, 350, 420, 458];

const hero = { x: 0, y: GROUND, speed: 0, pose: 0 };
const camera = { x: 0 };

const loop = new Loop({
  rate: 20,
  step({ dt, tick }) {
    hero.x += 60 * dt;
    hero.speed += 380 * dt;
    hero.y = Math.min(hero.y + hero.speed * dt, GROUND);
    if (hero.y === GROUND) {
      const hasStoneAhead = STONES.some((x) => x > hero.x && x < hero.x + 20);
      hero.speed = hasStoneAhead ? -150 : 0;
    }
    hero.pose = hero.y < GROUND ? 0 : tick % 6 < 3 ? 1 : 2;
    if (hero.x > WORLD) {
      hero.x = 0;
      // Back to the start: blend neither the hero nor the camera across.
      teleport(hero);
      teleport(camera);
    }
    camera.x = Math.max(0, Math.min(hero.x - 80, WORLD - 192));
  },
  render() {
    pen.fillStyle = "#8fd3e8";
    pen.fillRect(0, 0, 192, 108);
    // The hills are far away: they scroll at a third of the speed, and are rounded like the rest.
    const far = snap(shownCamera.x / 3);
    for (let x = 0; x < 320; x += 64) pen.drawImage(hill, x - far, GROUND - 28);
    pen.fillStyle = "#3d6b46";
    pen.fillRect(0, GROUND, 192, 20);

    const left = snap(shownCamera.x);
    for (const x of TREES) pen.drawImage(tree, snap(x) - left - 6, GROUND - 15);
    for (const x of STONES) pen.drawImage(stone, snap(x) - left - 4, GROUND - 4);
    pen.drawImage(poses[shown.pose]!, snap(shown.x) - left - 4, snap(shown.y) - 12);
  },
});
const shown = smooth(loop, hero, { x: scalar, y: scalar, pose: hold });
const shownCamera = smooth(loop, camera, { x: scalar });

const pen = document.querySelector("canvas")!.getContext("2d")!;
controls(loop);
loop.start(display());
