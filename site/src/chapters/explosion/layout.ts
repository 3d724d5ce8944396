import type { PictureSize } from "../../figure/chapter.js";

/** A part of the picture, in CSS pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Layout {
  /** Where the spring swings. */
  readonly room: Area;
  /** The cells of the map, without its labels. */
  readonly map: Area;
}

/** Pixels for the figures in the upper right corner, and for the labels of the map. */
const FIGURES = 62;
const ROW_LABELS = 104;
const COLUMN_LABELS = 40;

/** Returns where things are: the map is beside the spring, or below it if the picture is narrow. */
export function layoutOf({ width, height }: PictureSize): Layout {
  const isNarrow = width < 700;
  const room: Area = isNarrow
    ? { x: 0, y: FIGURES, width, height: (height - FIGURES) * 0.4 }
    : { x: 0, y: 0, width: width * 0.54, height };
  const left = isNarrow ? ROW_LABELS : room.width + ROW_LABELS + 16;
  const top = isNarrow ? room.y + room.height : FIGURES + 16;
  const map = {
    x: left,
    y: top,
    width: width - left - (isNarrow ? 8 : 20),
    height: height - top - COLUMN_LABELS,
  };
  return { room, map };
}

/** Returns where a point is in an area, 0 to 1 from left to right and from top to bottom; undefined if it is outside. */
export function within(area: Area, x: number, y: number): readonly [number, number] | undefined {
  const [across, down] = [(x - area.x) / area.width, (y - area.y) / area.height];
  return across >= 0 && across < 1 && down >= 0 && down < 1 ? [across, down] : undefined;
}
