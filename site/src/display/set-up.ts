import "../theme/display.css";
import { notice } from "./notice.js";
import { recordingFiles } from "./recording-files.js";
import { chooseDisplay, restoreDisplay } from "./visit-display.js";

/** Lets visitors drop a recording of a display on this page, or choose one. Nothing is uploaded. */
export function setUpDisplay(): void {
  recordingFiles(
    (recording, name) => {
      chooseDisplay(recording);
      const hasFigure = document.querySelector("[data-display]:not([data-display=none])") !== null;
      const where = hasFigure ? "" : " The chapters with a display play it, for this visit.";
      notice(`“${name}”: a display with ${recording.hertz}.${where}`, false);
    },
    (problem) => notice(problem, true),
  );
  for (const button of document.querySelectorAll("[data-simulated]"))
    button.addEventListener("click", () => {
      chooseDisplay(undefined);
      document.querySelector(".notice")?.remove();
    });
  void restoreDisplay();
}
