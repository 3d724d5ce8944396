import { CHAPTERS } from "../chapters/index.js";
import { runFigures } from "../figure/run-figures.js";
import { setUpSearch } from "../search/set-up.js";

setUpSearch();
runFigures(CHAPTERS);
