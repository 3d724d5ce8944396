import { Drawing } from "../canvas.js";
import { lane, make } from "../dom.js";
import { colour } from "../theme/colours.js";
import type { Compared, Pair } from "./pair.js";

const TABLE_ROWS = 6;
/** Pixels per tick in the ribbon, and ticks between two marks. */
const TICK_WIDTH = 3;
const MARK_INTERVAL = 60;

/** Shows the hashes of both displays side by side, tick by tick. */
export class HashesView {
  readonly element: HTMLElement;
  readonly #verdict = make("strong");
  readonly #ribbon = new Ribbon();
  readonly #rows = Array.from({ length: TABLE_ROWS }, () => new Row());

  constructor() {
    const heads = ["State", "First display", "", "Second display"].map((text) => {
      const head = make("th", "", text);
      head.scope = "col";
      return head;
    });
    heads[2]!.append(make("span", "visually-hidden", "Equal?"));
    this.#verdict.dataset["figure"] = "verdict";
    this.element = lane(
      "lane",
      { id: "hashes", name: "State hashes" },
      [this.#verdict],
      make("div", "", this.#ribbon.canvas),
      make(
        "table",
        "hashes",
        make("thead", "", make("tr", "", ...heads)),
        make("tbody", "", ...this.#rows.map(({ element }) => element)),
      ),
    );
  }

  drawPicture({ latest }: Pair): void {
    this.#ribbon.draw(latest);
  }

  drawFigures({ latest, compared, differing, firstDifference }: Pair): void {
    this.#rows.forEach((row, index) => row.draw(latest[latest.length - 1 - index]));
    const isGood = firstDifference < 0;
    this.#verdict.textContent = isGood
      ? `✓ all ${compared} equal`
      : `✗ ${differing} of ${compared} differ, first at tick ${firstDifference}`;
    this.#verdict.dataset["verdict"] = isGood ? "good" : "bad";
  }

  dispose(): void {
    this.#ribbon.dispose();
  }
}

class Row {
  readonly #tick = make("td", "", "–");
  readonly #left = make("td");
  readonly #mark = make("td");
  readonly #right = make("td");
  readonly element = make("tr", "", this.#tick, this.#left, this.#mark, this.#right);

  draw(compared: Compared | undefined): void {
    const { tick = "–", left = "", right = "" } = compared ?? {};
    this.#tick.textContent = String(tick);
    show(this.#left, left);
    show(this.#right, right);
    this.#mark.textContent = !compared ? "" : left === right ? "=" : "≠";
    this.#mark.dataset["verdict"] = left === right ? "good" : "bad";
  }
}

/** Shows a hash that may wrap in the middle. */
function show(cell: HTMLElement, hash: string): void {
  cell.replaceChildren(hash.slice(0, 8), make("wbr"), hash.slice(8));
}

/** A mark per recent state, newest on the right: tall if the hashes are equal, short if they differ. */
class Ribbon extends Drawing {
  #latest: readonly Compared[] = [];

  constructor() {
    super("ribbon", "The latest states: green where both hashes are equal, red where they differ");
  }

  draw(latest: readonly Compared[]): void {
    this.#latest = latest;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    for (
      let i = this.#latest.length - 1, x = width - TICK_WIDTH;
      i >= 0 && x > -TICK_WIDTH;
      i--, x -= TICK_WIDTH
    ) {
      const { tick, left, right } = this.#latest[i]!;
      context.fillStyle = colour(left === right ? "good" : "bad");
      // Half the height, so that the difference does not depend on colour vision.
      const tall = left === right ? height - 6 : (height - 6) / 2;
      context.fillRect(x, height - tall, TICK_WIDTH - 1, tall);
      context.fillStyle = colour("muted");
      if (tick % MARK_INTERVAL === 0) context.fillRect(x, 0, TICK_WIDTH - 1, 4);
    }
  }
}
