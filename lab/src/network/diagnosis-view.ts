import { lane, make } from "../dom.js";
import { download } from "../files.js";
import { FAULT_CODE } from "./fault.js";
import type { Diagnosis, NetworkGame } from "./network-game.js";
import { describeDiagnosis } from "./describe.js";

/** Shows whether the players' states are equal, and what is known about a difference. */
export class DiagnosisView {
  readonly element: HTMLElement;
  readonly #verdict = make("strong");
  readonly #planted = make("p", "planted");
  readonly #text = make("pre", "report");
  readonly #save = make("button", "", make("span", "", "Download the report"));
  #shown: Diagnosis | undefined;
  #isFaulty: boolean | undefined;

  constructor() {
    this.#verdict.dataset["figure"] = "desync";
    this.#text.tabIndex = 0;
    this.#text.setAttribute("role", "region");
    this.#text.setAttribute("aria-label", "Diagnosis of the desync");
    this.#save.type = "button";
    this.#save.id = "save-report";
    this.#save.addEventListener("click", () => {
      const { report, tick } = this.#shown ?? {};
      if (report) download(`arena-desync-${tick}.twd`, report(), "application/octet-stream");
    });
    this.element = lane(
      "lane",
      { id: "desync", name: "Desync" },
      [this.#verdict],
      this.#planted,
      this.#text,
      make("div", "actions", this.#save),
    );
  }

  draw({ diagnosis, isFaulty }: NetworkGame): void {
    if (diagnosis === this.#shown && isFaulty === this.#isFaulty) return;
    this.#shown = diagnosis;
    this.#isFaulty = isFaulty;
    this.#planted.replaceChildren(
      ...(isFaulty
        ? ["Planted in the step of Player 2: ", make("code", "", FAULT_CODE)]
        : ["No fault planted. All peers compare the hash of every tenth state."]),
    );
    this.#verdict.textContent = diagnosis ? `✗ states differ` : "✓ no desync";
    this.#verdict.dataset["verdict"] = diagnosis ? "bad" : "good";
    this.#text.textContent = describeDiagnosis(diagnosis, isFaulty);
    this.#save.disabled = diagnosis?.report === undefined;
  }

  dispose(): void {}
}
