import { apart, lane, make } from "../dom.js";
import { MATH_NAMES } from "./groups.js";
import type { Row } from "./row.js";

/** Possible values of the chart's full width, in percent. */
const SCALES = [1, 2, 5, 10, 20, 50, 100];

/** Shows how often the browser's own functions differ, as bars. */
export class ChartView {
  readonly element: HTMLElement;
  readonly #scale = make("p");
  readonly #bars = new Map<string, { bar: HTMLElement; share: HTMLElement; count: HTMLElement }>();

  constructor() {
    const list = make("ul", "bars");
    for (const name of MATH_NAMES) {
      const parts = { bar: make("span", "bar"), share: make("strong"), count: make("span", "count") };
      this.#bars.set(name, parts);
      parts.share.dataset["figure"] = "share";
      const groove = make("span", "groove", parts.bar);
      groove.ariaHidden = "true";
      const texts = apart(make("span", "name", `Math.${name}`), groove, parts.share, parts.count);
      const entry = make("li", "", ...texts);
      entry.dataset["math"] = name;
      list.append(entry);
    }
    const title = { id: "math", name: "How often this browser’s Math differs from tickwise/math" };
    this.element = lane("lane", title, [this.#scale], list);
  }

  draw(rows: readonly Row[]): void {
    const max = 100 * Math.max(...rows.map(({ share }) => share));
    const scale = SCALES.find((end) => end >= max)!;
    this.#scale.textContent = `Full width: ${scale}\u00a0% of the arguments.`;
    for (const { name, share, done, differing } of rows) {
      const parts = this.#bars.get(name);
      if (!parts) continue;
      parts.bar.style.width = `${(100 * 100 * share) / scale}%`;
      parts.share.textContent = done === 0 ? "–" : percent(share);
      parts.count.textContent =
        done === 0 ? "" : `${differing!.toLocaleString("en")} of ${done.toLocaleString("en")}`;
    }
  }

  dispose(): void {}
}

/** Formats a share as a percentage, with more digits for tiny ones. */
export function percent(share: number): string {
  const digits = share > 0 && share < 0.001 ? 3 : 1;
  return `${(100 * share).toFixed(digits)}\u00a0%`;
}
