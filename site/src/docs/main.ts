import "../theme/docs.css";
import { setUpSearch } from "../search/set-up.js";
import { addCodeButtons } from "./code-buttons.js";
import { markCurrentSection } from "./current-section.js";
import { makeScrollersFocusable } from "./scrollers.js";

setUpSearch();
addCodeButtons();
makeScrollersFocusable();
markCurrentSection();

// The menu may be longer than the screen.
document.querySelector(".docs-menu [aria-current]")?.scrollIntoView({ block: "nearest" });
