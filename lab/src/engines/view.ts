import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { ChartView, percent } from "./chart-view.js";
import { Comparison } from "./comparison.js";
import { DigestsView } from "./digests-view.js";
import { ENGINES } from "./name.js";
import { GROUPS, MATH_NAMES } from "./groups.js";
import { SETTINGS } from "./settings.js";

/** Milliseconds of work per frame, so that the page stays responsive. */
const BUDGET = 5;

/** The fifth experiment: this browser's bits next to the recorded ones, and next to those of its own `Math`. */
export function engines(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  let model = new Comparison(Number(values.count));
  const chart = new ChartView();
  const digests = GROUPS.map((group) => new DigestsView(group));
  const note = make("p", "note");
  /** The finished comparison on screen, which needs no redrawing. */
  let shown: Comparison | undefined;

  function describe(): string {
    const { rows, isDone } = model;
    if (!isDone && page.paused) return "Press Resume to compute this browser’s digests.";
    if (!isDone) return "Computing, a few milliseconds per frame, so that the page stays responsive.";
    const wrong = rows.filter(({ isSame }) => !isSame);
    const others = rows.filter(({ differing }) => differing !== undefined && differing > 0);
    const worst = others.reduce((a, b) => (b.share > a.share ? b : a), others[0]!);
    const verdict =
      wrong.length === 0
        ? `All ${rows.length} digests match those recorded in Node: simulations built on Tickwise give the same bits in this browser as in every other engine tested.`
        : `${wrong.length} of ${rows.length} digests do not match the recorded ones. This is a bug: please report it with the name of this browser.`;
    const own =
      others.length === 0
        ? "Its own Math gives the same bits too."
        : `Its own Math gives different bits in ${others.length} of ${MATH_NAMES.length} functions, most often in ${worst.name}: ${percent(worst.share)}.`;
    return `${verdict} ${own}`;
  }

  const page = new Page({
    id: ENGINES,
    title: "Engines",
    lesson: "Every browser has its own sine. tickwise/math is the same in all of them.",
    about: [
      "JavaScript leaves Math.sin, Math.pow and similar functions to the engine, and engines differ in the last bits. The bars show how often this browser’s functions give different bits from ours. These are not errors: either result may be the more accurate one. But open this page in a browser with another engine: the bars change, the digests below do not. One bit is enough to desync a game: if two players’ simulations use Math.sin in different browsers, they soon see different games. A simulation of 64 agents built on Math diverged from Node within 19 steps on every other engine.",
    ],
    presets: [
      ["a quick look", { count: "1000" }],
      ["a thorough one", { count: "100000" }],
    ],
    terms: {
      Arguments:
        "Seeded, so they are the same everywhere. Half come from a function’s usual range, half from ranges where functions tend to be inaccurate: huge and tiny numbers, and numbers near multiples of π/2.",
      Bars: "The share of arguments for which the result of Math differs from that of tickwise/math, by one bit or more.",
      Digests:
        "64 bits computed from all results of tickwise, in order: if any bit changes, so does the digest. Recorded in Node on the left, this browser’s on the right. Swarms run for at most 10,000 steps.",
    },
    settings: SETTINGS,
    values,
    parts: [chart, ...digests],
    layout: "engines",
    above: [note],
    actions: [],
    startsPaused: false,
    restart() {
      model = new Comparison(Number(values.count));
    },
    advance() {
      const end = performance.now() + BUDGET;
      const isJustDone = model.advance(() => performance.now() >= end) && model.isDone;
      if (isJustDone) page.controls.announce(describe());
      return false;
    },
    drawPicture() {},
    drawFigures() {
      if (shown !== model) {
        chart.draw(model.rows);
        for (const view of digests) view.draw(model.rows);
        note.textContent = describe();
        if (model.isDone) shown = model;
      }
      return `${model.done} of ${model.rows.length} compared`;
    },
    isDone: () => model.isDone,
    moment: () => "",
  });
  page.refresh();
  return page;
}
