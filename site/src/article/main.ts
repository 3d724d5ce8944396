import { CHAPTERS } from "../chapters/index.js";
import { runFigures } from "../figure/run-figures.js";

runFigures(CHAPTERS);
