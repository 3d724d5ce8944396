export { SeekPoints as Marks } from "./seek-points.js";
