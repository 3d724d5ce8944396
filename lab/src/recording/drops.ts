import { notice } from "./notice.js";
import { readFile } from "./read-file.js";
import { keepText } from "./visit.js";

/** Takes recordings that are dropped on an experiment without files of its own, and keeps them for the visit. No drop leaves the page. */
export function takeDrops(): void {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    // An experiment has taken it.
    if (event.defaultPrevented) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const content = await readFile(file);
    if (typeof content === "string") return notice(content, "problem");
    keepText(content.text);
    notice(
      `“${file!.name}” is a recording of a ${content.hertz} display. Five loops and Smooth play on it; this experiment does not.`,
      "news",
    );
  });
}
