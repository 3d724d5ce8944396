// Long animation frames and User Timing in a real Chromium: who held up a frame, and the spans of a loop in a recording.
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "../../scripts/browsers.mjs";
import { openChromium, type Chromium } from "./launch.js";
import { usePackage } from "./server.js";

/** A loop on the page's display, and functions that block the page. */
const GAME = `
  var isSlow = false;
  function block(milliseconds) {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  }
  function buildLevel() {
    block(300);
  }
  function layOut() {
    const list = document.body.appendChild(document.createElement("div"));
    const end = performance.now() + 300;
    for (let i = 0; performance.now() < end; i++) {
      list.append(document.createElement("p"));
      list.style.width = 100 + (i % 50) + "px";
      void list.offsetHeight;
    }
    list.remove();
  }
  var loop = new tickwise.Loop({
    rate: 60,
    step: function slowStep() {
      if (isSlow) block(300);
      isSlow = false;
    },
  });
  tickwise.measure(loop);
  loop.start(tickwise.display());
  /** Waits until a frame of the loop makes an expression true. */
  function until(isTrue) {
    return new Promise((resolve) => {
      const off = loop.on("render", () => {
        if (!isTrue()) return;
        off();
        resolve();
      });
    });
  }
  /** Waits until the diagnosis of a hitch matches, and returns its text. */
  async function hitch(pattern) {
    let text;
    await until(() => {
      text = tickwise.diagnose(loop).find(({ kind }) => kind === "hitch")?.text ?? "";
      return pattern.test(text);
    });
    return text;
  }
`;

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly args: { readonly detail?: string; readonly data?: { readonly detail?: string } };
}

const server = usePackage();

describe.runIf(findBrowser("chromium"))("in Chromium", () => {
  let browser: Chromium;
  let page: Page;
  beforeAll(async () => void (browser = await openChromium()));
  afterAll(() => browser?.close());

  async function open() {
    page = await browser.newPage();
    await page.goto(server.page());
    await page.bringToFront();
    // As a script of the page, whose functions the browser names.
    await page.addScriptTag({ content: GAME });
    await read("until(() => loop.tick > 3)");
  }
  const read = <T>(expression: string) => page.evaluate(expression) as Promise<T>;

  test("diagnose names the function that held up a frame", async () => {
    await open();
    await read("void setTimeout(buildLevel)");
    expect(await read("hitch(/buildLevel/)")).toMatch(
      /^(One|\d+) recent frames? of the page took 50 ms or more.* \d+ ms\. buildLevel \((.*, )?character \d+, called by TimerHandler:setTimeout\) took \d+ ms of it\. Do it in a worker/,
    );
    await page.close();
  });

  test("diagnose tells slow steps from slow callbacks", async () => {
    await open();
    await read("void (isSlow = true)");
    expect(await read("hitch(/FrameRequestCallback/)")).toMatch(
      /\(tickwise\.js, character \d+, called by FrameRequestCallback\) took \d+ ms of it\. It runs in frames/,
    );
    await page.close();
  });

  test("diagnose knows forced layouts", async () => {
    await open();
    await read("void setTimeout(layOut)");
    expect(await read("hitch(/layOut/)")).toMatch(
      /layOut \(.* \d+ ms of that were forced layouts: read sizes/,
    );
    await page.close();
  });

  test("diagnose knows that the browser itself did it: a large response has no script", async () => {
    await open();
    await read(`(async () => {
      const row = JSON.stringify({ id: 1, kind: "tree", x: 0.5, y: 0.25 });
      const response = await fetch(URL.createObjectURL(new Blob(["[", (row + ",").repeat(400_000), row, "]"])));
      window.trees = (await response.json()).length;
    })()`);
    expect(await read("hitch(/The browser itself did/)")).toMatch(
      /^(One|\d+) recent frames? .* No script took most of it\. The browser itself did: it parsed a large response/,
    );
    expect(await read("trees")).toBe(400_001);
    await page.close();
  });

  test("a loop on a virtual clock is not blamed", async () => {
    await open();
    await read("void setTimeout(buildLevel)");
    await read("hitch(/buildLevel/)");
    const kinds = `tickwise.diagnose(other).map(({ kind }) => kind)`;
    await read(
      "void (window.other = tickwise.manualLoop({ rate: 60 }), tickwise.measure(other), other.driver.display(60, 5))",
    );
    expect(await read(kinds)).toEqual([]);
    await page.close();
  });

  test("a recording has the spans of a traced loop, with their ticks, and no others", async () => {
    await open();
    await page.tracing.start({ categories: ["-*", "blink.user_timing"] });
    await read("until(() => loop.tick > 20)");
    const from = await read<number>(`(async () => {
      const stop = tickwise.traceLoop(loop, { track: "Game" });
      const from = loop.tick;
      await until(() => loop.tick > from + 10);
      // A stall, in the middle of a frame.
      isSlow = true;
      const before = tickwise.measure(loop).overloads;
      await until(() => tickwise.measure(loop).overloads > before);
      stop();
      return from;
    })()`);
    await read("until(() => loop.tick > 60)");
    const recording = Buffer.from((await page.tracing.stop())!).toString();
    const { traceEvents } = JSON.parse(recording) as { traceEvents: TraceEvent[] };
    // A span without length is an instant, as the clock of a page is coarse.
    const spans = traceEvents.filter(
      ({ cat, ph, name }) =>
        cat === "blink.user_timing" && /[bn]/.test(ph) && /^(step|render|overload) \d+$/.test(name),
    );
    const ticksOf = (kind: string) => {
      const names = spans.filter(({ name }) => name.startsWith(kind));
      return names.map(({ name }) => Number(name.split(" ")[1])).sort((a, b) => a - b);
    };
    const steps = ticksOf("step");
    expect(steps.length).toBeGreaterThan(10);
    expect(steps).toEqual(steps.map((_, i) => from + i));
    expect(ticksOf("render").at(-1)).toBe(steps.at(-1)! + 1);
    expect(ticksOf("overload").length).toBeGreaterThan(0);
    const { args } = spans.find(({ name }) => name === `step ${from + 1}`)!;
    expect(JSON.parse((args.detail ?? args.data?.detail)!)).toMatchObject({
      tick: from + 1,
      devtools: { dataType: "track-entry", track: "Game" },
    });
    await page.close();
  });
});
