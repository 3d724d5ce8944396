import { lane, make } from "../dom.js";
import { hashText } from "../../../src/state/index.js";
import type { SyncResult } from "../../../src/sim/index.js";

/** Shows the output of `syncTest`. */
export class SyncView {
  readonly element: HTMLElement;
  readonly #verdict = make("strong");
  readonly #call = make("code");
  readonly #planted = make("p", "planted");
  readonly #text = make("pre", "report");
  /** The result on screen. */
  #shown: SyncResult | undefined;

  constructor() {
    this.#verdict.dataset["figure"] = "sync";
    this.#text.tabIndex = 0;
    this.#text.setAttribute("role", "region");
    this.#text.setAttribute("aria-label", "Output of syncTest");
    const details = [this.#verdict, this.#call];
    this.element = lane("lane", { id: "sync", name: "Sync test" }, details, this.#planted, this.#text);
  }

  draw(call: string, planted: string, result: SyncResult): void {
    if (this.#shown === result) return;
    this.#shown = result;
    const { ok } = result;
    this.#call.textContent = call;
    this.#planted.replaceChildren(
      ...(planted ? ["Planted in the step: ", make("code", "", planted)] : ["No fault planted."]),
    );
    this.#verdict.textContent = ok ? "✓ deterministic" : `✗ found at tick ${result.tick}`;
    this.#verdict.dataset["verdict"] = ok ? "good" : "bad";
    this.#text.textContent = ok ? `ok: ${result.ticks} ticks, hash ${hashText(result.hash)}` : result.message;
  }

  dispose(): void {}
}
