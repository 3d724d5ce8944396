import "../theme/display.css";
import { notice } from "../../../lab/src/recording/notice.js";
import { recordingFiles } from "./recording-files.js";
import { chooseDisplay, restoreDisplay } from "./visit-display.js";

function isOnScreen(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top < innerHeight && bottom > 0;
}

/** Lets visitors drop a recording of a display on this page, or choose one. Nothing is uploaded. */
export function setUpDisplay(): void {
  recordingFiles(
    (recording, name) => {
      chooseDisplay(recording);
      // A figure on the screen already says so, and so does the recorder.
      const isSeen = [...document.querySelectorAll("[data-display], .recorder .note")].some(isOnScreen);
      notice(
        `“${name}” is a recording of a ${recording.hertz} display. Figures with a display play on it until you close the tab.`,
        isSeen ? "unseen" : "news",
      );
    },
    (problem) => notice(problem, "problem"),
  );
  for (const button of document.querySelectorAll("[data-simulated]"))
    button.addEventListener("click", () => {
      chooseDisplay(undefined);
      document.querySelector(".notice")?.remove();
    });
  void restoreDisplay();
}
