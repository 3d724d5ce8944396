import { pulse } from "../../../lab/src/pulse.js";
import { copyOnClick } from "../copy.js";
import { setUpShortcuts } from "../../../lab/src/shortcuts/set-up.js";
import { setUpDisplay } from "../display/set-up.js";
import { onDisplay } from "../display/visit-display.js";
import { setUpSearch } from "../search/set-up.js";
import { Hero } from "./hero.js";

/** The addresses of the lab when it was the start page. */
const LAB = /^#(five-loops|spiral|smooth|3d|engines|determinism|time|game|network|server|thread|friend)\b/;
if (LAB.test(location.hash)) location.replace(new URL(`lab/${location.hash}`, document.baseURI));

setUpSearch();
setUpShortcuts();
const hero = new Hero(document.querySelector<HTMLElement>(".hero")!);
pulse((seconds) => hero.frame(seconds));
onDisplay((recording) => hero.setDisplay(recording));
setUpDisplay();

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]"))
  copyOnClick(button, () => button.dataset["copy"]!);
