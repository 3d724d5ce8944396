import { CHAPTERS } from "../chapters/index.js";
import { setUpDisplay } from "../display/set-up.js";
import { runFigures } from "../figure/run-figures.js";
import { setUpShortcuts } from "../../../lab/src/shortcuts/set-up.js";
import { setUpSearch } from "../search/set-up.js";

setUpSearch();
setUpShortcuts();
runFigures(CHAPTERS);
setUpDisplay();
