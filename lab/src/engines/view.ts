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

/** So many milliseconds of a frame are computed: the page stays at hand. */
const BUDGET = 5;

/** The fifth experiment: the bits of this browser, beside the recorded ones, and those of its own `Math`. */
export function engines(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  let model = new Comparison(Number(values.count));
  const chart = new ChartView();
  const digests = GROUPS.map((group) => new DigestsView(group));
  const note = make("p", "note");
  /** The one whose last figures are shown: nothing changes after them. */
  let shown: Comparison | undefined;

  function describe(): string {
    const { rows, isDone } = model;
    if (!isDone && page.paused) return "Press Resume, and this browser computes its digests.";
    if (!isDone) return "Computing, a few milliseconds a frame, so that the page stays at hand.";
    const wrong = rows.filter(({ isSame }) => !isSame);
    const others = rows.filter(({ differing }) => differing !== undefined && differing > 0);
    const most = others.reduce((a, b) => (b.share > a.share ? b : a), others[0]!);
    const verdict =
      wrong.length === 0
        ? `All ${rows.length} digests are those that were recorded in Node: what this browser simulates with Tickwise, every other engine that was tried simulates to the bit.`
        : `${wrong.length} of ${rows.length} digests are not the recorded ones. That must not be: please report it, with the name of this browser.`;
    const own =
      others.length === 0
        ? "Its own Math has no other bits."
        : `Its own Math has other bits in ${others.length} of ${MATH_NAMES.length} functions, most often in ${most.name}: ${percent(most.share)}.`;
    return `${verdict} ${own}`;
  }

  const page = new Page({
    id: ENGINES,
    title: "Engines",
    lesson: "Every browser has a sine of its own; tickwise/math has the same one in all of them.",
    about: [
      "JavaScript leaves Math.sin, Math.pow and their like to the engine, and engines differ in the last bits. The bars show how often this browser’s functions give other bits than ours. That is no count of errors: either result may be the nearer one. But open this page in a browser with another engine, and the bars are others, while the digests below stay. One bit is enough: two players whose simulations each take Math.sin from their own browser soon see different games. A simulation of 64 agents on Math had left Node’s path within 19 steps on every other engine.",
    ],
    tries: [
      ["a quick look", { count: "1000" }],
      ["a thorough one", { count: "100000" }],
    ],
    terms: {
      Arguments:
        "Seeded, so the same everywhere: half from a function’s usual range, half from where functions err, such as huge and tiny numbers and those near multiples of π/2.",
      Bars: "The part of the arguments for which Math’s result is another number than that of tickwise/math, by a single bit or more.",
      Digests:
        "64 bits made of all results of tickwise in their order: any bit that changes makes another digest. On the left the one recorded in Node, on the right that of this browser. Swarms are followed for 10,000 steps at most.",
    },
    settings: SETTINGS,
    values,
    parts: [chart, ...digests],
    layout: "engines",
    above: [note],
    actions: [],
    isPast: false,
    restart() {
      model = new Comparison(Number(values.count));
    },
    advance() {
      const end = performance.now() + BUDGET;
      const isNews = model.advance(() => performance.now() >= end) && model.isDone;
      if (isNews) page.controls.announce(describe());
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
