import { apart, lane, make } from "../dom.js";
import type { GROUPS } from "./groups.js";
import type { Row } from "./row.js";

/** Placeholder as wide as a digest. */
const UNKNOWN = "·".repeat(16);

/** Shows the digests of a group, each next to the recorded one. */
export class DigestsView {
  readonly element: HTMLElement;
  readonly #total = make("p");
  readonly #entries = new Map<string, Entry>();

  constructor(group: (typeof GROUPS)[number]) {
    const list = make("ul", "digests");
    for (const name of group.names) {
      const entry = new Entry(name);
      this.#entries.set(name, entry);
      list.append(entry.element);
    }
    this.element = lane("lane", group, [this.#total], list);
  }

  draw(rows: readonly Row[]): void {
    let same = 0;
    for (const row of rows) {
      const entry = this.#entries.get(row.name);
      entry?.draw(row);
      if (entry && row.isSame) same++;
    }
    this.#total.textContent = `${same} of ${this.#entries.size} match the recorded ones`;
  }

  dispose(): void {}
}

/** A name, the verdict, the recorded digest and this browser's. */
class Entry {
  readonly element: HTMLElement;
  readonly #verdict = make("strong");
  readonly #recorded = make("span");
  readonly #sign = make("span");
  readonly #digest = make("span");
  /** The digests on screen. */
  #shown = "";

  constructor(name: string) {
    this.element = make(
      "li",
      "",
      ...apart(
        make("span", "name", name),
        this.#verdict,
        make("span", "pair", ...apart(this.#recorded, this.#sign, this.#digest)),
      ),
    );
    this.element.dataset["subject"] = name;
    this.#verdict.dataset["figure"] = "verdict";
  }

  draw({ recorded, digest, isSame }: Row): void {
    if (this.#shown === recorded + digest) return;
    this.#shown = recorded + digest;
    this.#recorded.textContent = recorded;
    this.#digest.textContent = digest || UNKNOWN;
    this.#digest.ariaHidden = digest ? "false" : "true";
    if (isSame === undefined) {
      this.#sign.textContent = " ";
      this.#verdict.textContent = "–";
      delete this.#verdict.dataset["verdict"];
    } else {
      this.#sign.textContent = isSame ? "=" : "≠";
      this.#verdict.textContent = isSame ? "✓ same" : "✗ differs";
      this.#verdict.dataset["verdict"] = isSame ? "good" : "bad";
    }
  }
}
