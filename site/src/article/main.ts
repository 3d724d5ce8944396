import { CHAPTERS } from "../chapters/index.js";
import { runFigures } from "../figure/run-figures.js";
import { setUpSearch } from "../search/set-up.js";
import { setUpShortcuts } from "../../../lab/src/shortcuts/set-up.js";

setUpSearch();
runFigures(CHAPTERS);
setUpShortcuts();
