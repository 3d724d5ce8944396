import "../theme/docs.css";
import { setUpSearch } from "../search/set-up.js";
import { addCodeButtons } from "./code-buttons.js";
import { markCurrentSection } from "./current-section.js";
import { keepInView } from "./keep-in-view.js";
import { makeScrollersFocusable } from "./scrollers.js";

setUpSearch();
addCodeButtons();
makeScrollersFocusable();
markCurrentSection();

// The menu may be longer than the screen.
const menu = document.querySelector<HTMLElement>(".docs-menu");
const current = menu?.querySelector<HTMLElement>("[aria-current]");
if (menu && current) keepInView(menu, current);
