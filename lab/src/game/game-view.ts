import { hashText } from "../../../src/state/index.js";
import { platformer } from "../../../scenes/platformer.js";
import { FigureList, lane } from "../dom.js";
import type { Timeline } from "../timeline.js";
import type { Game } from "./game.js";
import { formatLength } from "./continue-prompt.js";
import type { Pad } from "./pad.js";
import type { Badge, Stage } from "./picture/stage.js";
import type { Toolbar } from "./toolbar.js";

/** The game on the page: picture, timeline, buttons and figures. */
export class GameView {
  readonly element: HTMLElement;
  readonly #figures = new FigureList({
    tick: "Tick",
    hash: "Hash",
    coins: "Coins",
    falls: "Falls",
    best: "Best run",
    length: "Recorded",
  });
  readonly #stage: Stage;
  readonly #timeline: Timeline;
  readonly #toolbar: Toolbar;

  constructor(stage: Stage, pad: Pad, timeline: Timeline, toolbar: Toolbar) {
    this.#stage = stage;
    this.#timeline = timeline;
    this.#toolbar = toolbar;
    this.element = lane(
      "lane",
      { id: "game", name: "Platformer" },
      [],
      stage.canvas,
      pad.element,
      timeline.element,
      toolbar.element,
      this.#figures.element,
    );
  }

  /** Updates everything that depends on the tick, except the picture and the figures. */
  drawPosition({ current, watched }: Game): void {
    this.#stage.badge = badgeOf(current.rewinding, watched);
    this.element.dataset["mode"] = current.rewinding ? "back" : watched ? "replay" : "forward";
    this.#timeline.draw(current);
    for (const id of ["take-over", "close"]) this.#toolbar.enable(id, watched !== undefined);
    this.#toolbar.enable("save", !watched);
  }

  drawFigures({ current, live, watched }: Game): void {
    this.#timeline.drawFigures(current);
    const { score, falls, best } = current.world;
    const [numerator, denominator] = platformer.rate;
    const ticks = watched ? watched.last - watched.first : live.recorded;
    this.#figures.set("tick", String(current.tick));
    this.#figures.set("hash", hashText(current.hash()));
    this.#figures.set("coins", String(score));
    this.#figures.set("falls", String(falls));
    this.#figures.set("best", best > 0 ? `${((best * denominator) / numerator).toFixed(2)} s` : "–");
    this.#figures.set("length", formatLength((ticks * denominator) / numerator));
  }

  dispose(): void {
    this.#stage.dispose();
    this.#toolbar.dispose();
  }
}

function badgeOf(isRewinding: boolean, watched: Game["watched"]): Badge {
  if (isRewinding) return "◀◀ rewind";
  if (!watched) return "";
  return watched.ended ? "■ replay ended" : "▶ replay";
}
