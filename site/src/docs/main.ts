import "../theme/docs.css";
import { setUpShortcuts } from "../../../lab/src/shortcuts/set-up.js";
import { setUpDisplay } from "../display/set-up.js";
import { setUpSearch } from "../search/set-up.js";
import { addCodeButtons } from "./code-buttons.js";
import { markCurrentSection } from "./current-section.js";
import { keepInView } from "./keep-in-view.js";
import { makeScrollersFocusable } from "./scrollers.js";

setUpSearch();
setUpDisplay();
setUpShortcuts();
addCodeButtons();
makeScrollersFocusable();
markCurrentSection();

const menu = document.querySelector<HTMLElement>(".docs-menu");
// On wide screens, docs.css shows it anyway, except in older browsers. Open, assistive technology agrees.
if (menu && matchMedia("(min-width: 62rem)").matches) menu.querySelector("details")!.open = true;
// The menu may be longer than the screen.
const current = menu?.querySelector<HTMLElement>("[aria-current]");
if (menu && current) keepInView(menu, current);
