import { FilePicker } from "../../../lab/src/files.js";
import type { DisplayRecording } from "../../../lab/src/recording/recording.js";

/** Reads recordings that the visitor drops on the page or chooses with a button `[data-open-recording]`. */
export function recordingFiles(
  onRecording: (recording: DisplayRecording, name: string) => void,
  onProblem: (text: string) => void,
): void {
  let latest = 0;
  const files = new FilePicker(
    { accept: ".json,application/json", label: "Recording of a display" },
    async (file) => {
      const request = ++latest;
      const { readFile } = await import("../../../lab/src/recording/read-file.js");
      const content = await readFile(file);
      // The visitor may have chosen another file meanwhile.
      if (request !== latest) return;
      if (typeof content === "string") onProblem(content);
      else onRecording(content, file!.name);
    },
  );
  document.body.append(files.input);
  for (const button of document.querySelectorAll<HTMLElement>("[data-open-recording]")) {
    button.hidden = false;
    button.addEventListener("click", () => files.open());
  }
}
