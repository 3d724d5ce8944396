import { CHAPTER_TEXTS } from "../src/chapters/texts.js";
import { displayLine } from "./display.js";
import { highlight } from "./highlight.js";
import { escapeHtml, type SitePage } from "./page.js";

const INSTALL = "npm i tickwise";

/** The lines to copy. A test compiles them. */
export const LINES = `import { display, Loop } from "tickwise";
import { scalar, smooth } from "tickwise/blend";

const ship = { x: 0 };
const loop = new Loop({
  rate: 60, // steps per second, on every display
  step: ({ dt }) => { ship.x += 100 * dt; },
  render: () => draw(shown.x),
});
const shown = smooth(loop, ship, { x: scalar });
loop.start(display());`;

const copy = (text: string) => `<button type="button" data-copy="${escapeHtml(text)}">Copy</button>`;

/** The start page: the problem and the cure at a glance, and the lines to copy. */
export const startPage = (): SitePage => ({
  path: "",
  title: "Tickwise: game time done right",
  description:
    "A fixed timestep for TypeScript games: the same game on every display, smooth motion, replays, rewind and netcode from one declared simulation.",
  kind: "start",
  script: "/src/start/main.ts",
  main: async () => `
<h1 class="visually-hidden">Tickwise: game time done right</h1>
<section class="hero" aria-label="One jelly, twice">
  <div class="sides" aria-hidden="true"><code class="wrong">update(deltaTime)</code><code class="right">new Loop({ rate: 60 })</code></div>
  <canvas role="img" aria-label="The same jelly twice. Advanced by each frame’s deltaTime, it crumples at 40 frames per second and explodes at 30. With fixed steps, it is the same at every frame rate."></canvas>
  <label class="dial"><span>Display</span><input type="range" min="20" max="144" step="1" value="40" /><output>40 frames per second</output></label>
  ${displayLine("control")}
</section>
<section class="promise words">
  <p class="sentence">The same game on every display: fixed steps, exact time, smooth motion.</p>
  <p>Both jellies run the same code. Each frame advances the left one by its <code>deltaTime</code>; a Tickwise loop advances the right one in fixed steps. Move the slider, or <a href="/recorder/">record your own display</a> and drop the file here.</p>
  <div class="code">${await highlight(LINES, "ts")}${copy(LINES)}</div>
  <div class="code install">${await highlight(INSTALL, "sh")}${copy(INSTALL)}</div>
  <p class="next"><a class="button" href="/article/">See every problem happen</a><a class="button" href="/docs/start/">Get started</a><a class="button" href="/docs/">Read the docs</a></p>
</section>
<nav class="cards" aria-label="Chapters">
${CHAPTER_TEXTS.map(({ id, title, sentence }, i) => `<a href="/${id}/"><span class="number">${i + 1}</span><strong>${title}</strong><span>${sentence}</span></a>`).join("\n")}
</nav>`,
});
