import { lane, make } from "../dom.js";
import { download } from "../files.js";
import { FAULT_CODE } from "./fault.js";
import type { Diagnosis, NetworkGame } from "./network-game.js";
import { describeDiagnosis, verdictOf } from "./describe.js";

/** Shows whether the players' states are equal, and what is known about a difference. */
export class DiagnosisView {
  readonly element: HTMLElement;
  readonly #verdict = make("strong");
  readonly #planted = make("p", "planted");
  readonly #text = make("pre", "report");
  readonly #save = make("button", "", make("span", "", "Download the report"));
  #shown: Diagnosis | undefined;
  #isFaulty: boolean | undefined;
  #isCompared: boolean | undefined;

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

  draw(game: NetworkGame): void {
    const { diagnosis, isFaulty, isCompared } = game;
    if (diagnosis === this.#shown && isFaulty === this.#isFaulty && isCompared === this.#isCompared) return;
    this.#shown = diagnosis;
    this.#isFaulty = isFaulty;
    this.#isCompared = isCompared;
    this.#planted.replaceChildren(
      ...(isFaulty
        ? ["Planted in the step of Player 2: ", make("code", "", FAULT_CODE)]
        : ["No fault planted. All peers compare the hash of every tenth state."]),
    );
    const [verdict, isGood] = verdictOf(game);
    this.#verdict.textContent = verdict;
    this.#verdict.dataset["verdict"] = isGood === undefined ? "" : isGood ? "good" : "bad";
    this.#text.textContent = describeDiagnosis(game);
    this.#save.disabled = diagnosis?.report === undefined;
  }

  dispose(): void {}
}
