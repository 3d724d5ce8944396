import { hashText } from "../../../scenes/index.js";
import { platformer } from "../../../scenes/platformer.js";
import { FigureList, lane } from "../dom.js";
import type { Timeline } from "../timeline.js";
import type { Game } from "./game.js";
import { lengthOf } from "./offer.js";
import type { Pad } from "./pad.js";
import type { Badge, Stage } from "./picture/stage.js";
import type { Toolbar } from "./toolbar.js";

/** The game on the page: its picture, where it is in time, and its figures. */
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

  /** Shows where it stands, beside the picture. */
  drawPlace({ story, watched }: Game): void {
    this.#stage.badge = badgeOf(story.rewinding, watched);
    this.element.dataset["way"] = story.rewinding ? "back" : watched ? "replay" : "forward";
    this.#timeline.draw(story);
    for (const id of ["take-over", "close"]) this.#toolbar.enable(id, watched !== undefined);
    this.#toolbar.enable("save", !watched);
  }

  drawFigures({ story, live, watched }: Game): void {
    this.#timeline.drawFigures(story);
    const { score, falls, best } = story.world;
    const [numerator, denominator] = platformer.rate;
    const ticks = watched ? watched.last - watched.first : live.recorded;
    this.#figures.set("tick", String(story.tick));
    this.#figures.set("hash", hashText(story.hash()));
    this.#figures.set("coins", String(score));
    this.#figures.set("falls", String(falls));
    this.#figures.set("best", best > 0 ? `${((best * denominator) / numerator).toFixed(2)} s` : "–");
    this.#figures.set("length", lengthOf((ticks * denominator) / numerator));
  }

  dispose(): void {
    this.#stage.dispose();
    this.#toolbar.dispose();
  }
}

function badgeOf(isBack: boolean, watched: Game["watched"]): Badge {
  if (isBack) return "◀◀ rewind";
  if (!watched) return "";
  return watched.ended ? "▶ replay, its end" : "▶ replay";
}
