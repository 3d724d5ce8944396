import { CHAPTER_TEXTS } from "../src/chapters/texts.js";
import { OPEN_RECORDING, playsRecordings } from "./display.js";
import type { SitePage } from "./page.js";

const number = (label: string) => `<div><dt>${label}</dt><dd>–</dd></div>`;

const PLAYERS = CHAPTER_TEXTS.filter(playsRecordings)
  .map(({ id, title }) => `<a href="/${id}/">${title}</a>`)
  .join(", ");

/** The page that records the timestamps of the visitor's own display. */
export const recorderPage: SitePage = {
  path: "recorder",
  title: "Record your display · Tickwise",
  description:
    "Record the frame times of your display, and play the figures of this site on them. Nothing leaves your machine.",
  kind: "recorder",
  script: "/src/recorder/main.ts",
  main: () => `
<section class="chapter recorder">
  <div class="words"><h1>Record your display</h1><p class="sentence">Real displays are less even than simulated ones. Record yours, and play the figures of this site on it.</p></div>
  <div class="figure">
    <dl class="numbers">${number("Refresh rate")}${number("Uneven by")}${number("Refreshes missed")}</dl>
    <canvas class="strip" role="img" aria-label="The frames of the recording, time to the right: a dot per frame, where its timestamp says; an amber line for even frames; a tick per refresh; red where a refresh had no new frame."></canvas>
    <div class="bar">
      <span class="buttons"><button type="button" data-record disabled>Record 10 seconds</button><button type="button" data-use hidden>Play the figures on it</button><button type="button" data-save hidden>Save</button>${OPEN_RECORDING}</span>
      <label class="dial" hidden><span>Up to</span><input type="range" min="1.5" max="10" step="0.01" value="1.5" aria-label="End of the strip, in seconds" /></label>
    </div>
    <p class="note"><span role="status"></span> <span data-next hidden><a href="/article/">To the figures</a> <button type="button" data-simulated>Back to simulated</button></span></p>
  </div>
  <div class="words">
    <p>The recorder stores the timestamp of each frame from <code>requestAnimationFrame</code>, and <code>performance.now()</code> in its callback. Browsers do not say when a display refreshes, so the page fits evenly spaced refreshes to the timestamps. <em>Uneven</em> is how far the timestamps are from these refreshes. A refresh without a frame is <em>missed</em>.</p>
    <p>Save the recording as a small file, and drop it on any page of this site, also on another machine. These chapters play on it: ${PLAYERS}, and the jellies of the <a href="/">start page</a>. The lab’s <a href="/lab/#smooth">Smooth</a> page compares three ways to measure time on it. Nothing is uploaded.</p>
  </div>
</section>`,
};
