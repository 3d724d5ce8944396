import type { ChapterScene } from "../../figure/chapter.js";
import { drawMap } from "./draw-map.js";
import { drawRoom } from "./draw-room.js";
import { layoutOf } from "./layout.js";
import { Explosion } from "./model.js";

export default {
  create: (isFixed, stiffness, last) => new Explosion(isFixed, stiffness, last?.row, last?.column),
  change: (model, stiffness) => model.setStiffness(stiffness),
  range: [-1, 1],
  draw(brush, model, picture) {
    const { room, map } = layoutOf(brush);
    drawRoom(brush, room, picture);
    drawMap(brush, map, picture, model.isFixed);
  },
} satisfies ChapterScene<Explosion> as ChapterScene<Explosion>;
