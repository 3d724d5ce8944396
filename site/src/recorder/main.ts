import { pulse } from "../../../lab/src/pulse.js";
import { setUpDisplay } from "../display/set-up.js";
import { onDisplay } from "../display/visit-display.js";
import { setUpSearch } from "../search/set-up.js";
import { RecorderView } from "./recorder-view.js";

setUpSearch();
const view = new RecorderView(document.querySelector<HTMLElement>(".recorder")!);
pulse((seconds, times) => view.frame(seconds, times));
onDisplay((recording) => view.show(recording));
setUpDisplay();
