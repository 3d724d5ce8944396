import { lane, make } from "../dom.js";
import type { Replay } from "../../../src/replay/index.js";
import { RATES, SHOWN, ThreeRates } from "./rates.js";

/** Milliseconds of work per frame; the game keeps running meanwhile. */
const BUDGET = 6;

/** Shows the hashes of the same replay played at three render rates. */
export class RatesView {
  readonly element: HTMLElement;
  readonly #verdict = make("strong");
  readonly #frames = RATES.map(() => make("td", "", "–"));
  readonly #rows = Array.from({ length: SHOWN }, () => new Row());

  #rates: ThreeRates | undefined;

  /** Calls `currentReplay` each time the button is pressed. */
  constructor(currentReplay: () => Replay) {
    const button = make("button", "", make("span", "", "Play at three rates"));
    button.type = "button";
    button.id = "three-rates";
    button.addEventListener("click", () => {
      this.#rates?.dispose();
      this.#rates = new ThreeRates(currentReplay());
    });
    this.#verdict.dataset["figure"] = "verdict";
    const heads = ["State", ...RATES.map((fps) => `${fps} fps`), ""].map((text) => {
      const head = make("th", "", text);
      head.scope = "col";
      return head;
    });
    heads.at(-1)!.append(make("span", "visually-hidden", "Equal?"));
    this.element = lane(
      "lane",
      { id: "rates", name: "Replay at three render rates" },
      [make("p", "", "The whole recording, rendered at 15, 60 and 240 uneven frames per second.")],
      make("div", "asked", make("div", "actions", button), this.#verdict),
      make(
        "table",
        "hashes",
        make("thead", "", make("tr", "", ...heads)),
        make(
          "tbody",
          "",
          ...this.#rows.map(({ element }) => element),
          make("tr", "", make("td", "", "Frames"), ...this.#frames, make("td")),
        ),
      ),
    );
    this.#draw(undefined);
  }

  /** Continues the comparison within this frame's budget. */
  work(): void {
    if (!this.#rates || this.#rates.done) return;
    const until = performance.now() + BUDGET;
    this.#rates.work(() => performance.now() > until);
    this.#draw(this.#rates);
  }

  #draw(rates: ThreeRates | undefined): void {
    this.#rows.forEach((row, index) => row.draw(rates?.rows[index]));
    rates?.runs.forEach(({ frames, minSteps, maxSteps }, index) => {
      const steps = frames > 0 ? `, ${minSteps}–${maxSteps} steps each` : "";
      this.#frames[index]!.textContent = `${frames}${steps}`;
    });
    this.#verdict.textContent = verdictOf(rates);
    if (rates?.done) this.#verdict.dataset["verdict"] = isGood(rates) ? "good" : "bad";
    else delete this.#verdict.dataset["verdict"];
  }

  dispose(): void {
    this.#rates?.dispose();
  }
}

const isGood = ({ differing, divergedAt }: ThreeRates) => differing === 0 && divergedAt < 0;

function verdictOf(rates: ThreeRates | undefined): string {
  if (!rates) return "Not run yet.";
  const { compared, states, differing, divergedAt } = rates;
  if (!rates.done) return `${compared} of ${states} states compared…`;
  if (differing > 0) return `✗ ${differing} of ${states} states differ`;
  if (divergedAt >= 0) return `✗ All equal, but they diverge from the recording at state ${divergedAt}`;
  return `✓ All ${states} states equal, and equal to the recording`;
}

class Row {
  readonly #tick = make("td", "", "–");
  readonly #hashes = RATES.map(() => make("td", "hash"));
  readonly #mark = make("td");
  readonly element = make("tr", "", this.#tick, ...this.#hashes, this.#mark);

  draw(row: ThreeRates["rows"][number] | undefined): void {
    const { tick = "–", hashes = [] } = row ?? {};
    this.#tick.textContent = String(tick);
    this.#hashes.forEach((cell, index) => {
      const hash = hashes[index] ?? "";
      // May wrap in the middle.
      cell.replaceChildren(hash.slice(0, 8), make("wbr"), hash.slice(8));
    });
    const isEqual = hashes.every((hash) => hash === hashes[0]);
    this.#mark.textContent = hashes.length === 0 ? "" : isEqual ? "=" : "≠";
    this.#mark.dataset["verdict"] = isEqual ? "good" : "bad";
  }
}
