import type { ChapterScene } from "../../figure/chapter.js";
import { StillLayer } from "../../figure/still-layer.js";
import { drawMap } from "./draw-map.js";
import { drawRoom } from "./draw-room.js";
import { layoutOf } from "./layout.js";
import { Explosion, Part } from "./model.js";

const mapLayer = new StillLayer();

export default {
  create: (isFixed, stiffness, last) => new Explosion(isFixed, stiffness, last?.row, last?.column),
  change: (model, stiffness) => model.setStiffness(stiffness),
  range: [-1, 1],
  draw(brush, model, picture) {
    const { room, map } = layoutOf(brush);
    drawRoom(brush, room, picture);
    const key = [picture[Part.row], picture[Part.column], picture[Part.stiffness], model.isFixed].join();
    mapLayer.draw(brush, key, (painter) => drawMap(painter, map, picture, model.isFixed));
  },
} satisfies ChapterScene<Explosion> as ChapterScene<Explosion>;
