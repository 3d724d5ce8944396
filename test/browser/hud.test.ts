// The overlay in a real page: its contents, its effects on the page, and its removal.
import type { MediaFeature, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { launch, openChromium, type Chromium } from "./launch.js";
import { usePackage } from "./server.js";

/** Setup of every page: a loop on a 60 Hz display, and helpers to inspect overlays. */
const TOOLS = `
  var stamp = 1000;
  var loop = new tickwise.Loop({ rate: 60 });
  loop.start(tickwise.manualDisplay());
  function frames(count) {
    for (let i = 0; i < count; i++) loop.driver.play([(stamp += 1000 / 60)]);
  }
  function roots() {
    return [...document.querySelectorAll("[data-tickwise-hud] > *")].map((host) => host.shadowRoot);
  }
  function look(selector, index = 0) {
    return roots()[index].querySelector(selector);
  }
  function figure(name) {
    return [...look("dl").children].find((cell) => cell.textContent === name).nextSibling.textContent;
  }
  function pixels() {
    return look("canvas").toDataURL();
  }
  function rect(selector = ".box", index = 0) {
    const { left, top, right, bottom, width, height } = look(selector, index).getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  }
  function isSeen(selector) {
    return look(selector).checkVisibility();
  }
`;

/** Three players on a simulated network, and a loop whose frames take as long there. */
const PLAY = `
  var network = tickwise.simulatedNetwork({ network: { latency: 60, jitter: 10, loss: 0.05 }, seed: 3 });
  var peers = ["Ada", "Bob", "Carl Friedrich Gauß"].map((name, seat) => network.peer(tickwise.netplay.brawlFor(3), {
    seats: [seat],
    name,
    timeout: 5,
    inputs([me]) { me.go = Math.floor(network.time.now() / 150) % 2 === 0; },
  }));
  function play(count) {
    for (let i = 0; i < count; i++) {
      network.run(1 / 60);
      frames(1);
    }
  }
  function netFigure(name) {
    return [...look(".net dl").children].find((cell) => cell.textContent === name).nextSibling.textContent;
  }
  function peerLines() {
    const texts = [...look(".peers").children].map((cell) => cell.textContent);
    return texts.flatMap((_, i) => (i % 5 === 0 ? [texts.slice(i, i + 5)] : []));
  }
`;

const server = usePackage();

describe.runIf(findBrowser("chromium"))("the overlay", () => {
  let browser: Chromium;
  /** One for all tests, with a new document for each: opening a page takes longer than most tests. */
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await openChromium();
    page = await browser.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    if (complaints.length > 0) throw new Error(complaints.splice(0).join("\n"));
  });

  async function open({ policy = "", density = 1, media = [] as MediaFeature[] } = {}) {
    await page.setViewport({ width: 800, height: 600, deviceScaleFactor: density });
    await page.emulateMediaFeatures(media);
    await page.goto(server.page(policy));
    await read(TOOLS);
  }
  /** Evaluates an expression or statements in the page. */
  const read = <T>(expression: string) => page.evaluate(expression) as Promise<T>;
  const mount = (options = "{}") => read(`void (window.hud = tickwise.mountHud(loop, ${options}))`);

  test("shows the loop's figures in the corner of the window", async () => {
    await open();
    await mount();
    await read("frames(300)");
    const names = ["frame", "refresh", "steps", "rate", "alpha", "judder", "lost", "dropped"];
    expect(await read(`${JSON.stringify(names)}.map(figure)`)).toEqual([
      "16.67 ms",
      "60.00 Hz",
      "1.00",
      "60 Hz",
      expect.stringMatching(/^(0\.\d\d|1\.00)$/),
      "0.0 %",
      "0.00 s",
      "0",
    ]);
    expect(await read("look('.fps').textContent")).toBe("60.0 fps");
    expect(await read("look('ul').textContent")).toBe("No problems found.");
    expect(await read("isSeen('dl dt:last-of-type')")).toBe(true);
    const { width, height, right, top } = await read<DOMRect>("rect()");
    expect([width, right, top]).toEqual([260, 792, 8]);
    expect(height).toBeLessThan(180);
  });

  test("shows measured costs and diagnoses", async () => {
    await open();
    await read("loop = tickwise.manualLoop({ rate: 60, step: () => loop.driver.spend(0.01) })");
    await mount();
    await read("loop.driver.display(60, 3)");
    expect(await read("['step', 'draw'].map(figure)")).toEqual(["10.0 ms", "0.0 ms"]);
    expect(await read("look('.hints').textContent")).toBe("1 hint");
    expect(await read<string>("look('ul').textContent")).toMatch(/^A step costs 10\.0\sms of the 16\.7\sms/);
  });

  test("shows the monitors of the loop while there are any", async () => {
    await open();
    await mount();
    await read("frames(60)");
    const isShown = () => read("look('.monitors').checkVisibility()");
    const cells = () => read("[...look('.monitors').children].map((cell) => cell.textContent)");
    const { height } = await read<DOMRect>("rect()");
    expect(await isShown()).toBe(false);
    await read(`(() => {
      window.enemies = 12;
      window.removers = [
        tickwise.measure(loop).monitor("enemies", () => enemies),
        tickwise.measure(loop).monitor("a name that is much too long for the overlay", () => 1 / 3),
        tickwise.measure(loop).monitor("level", () => "the cave of a thousand and one bats"),
      ];
      frames(60);
    })()`);
    expect(await isShown()).toBe(true);
    expect(await cells()).toEqual([
      "enemies",
      "12",
      "a name that is much too long for the overlay",
      "0.3333",
      "level",
      "the cave of a thousand and one bats",
    ]);
    expect(await read<string>("look('.spoken').textContent")).toMatch(/enemies 12, a name .* 0\.3333, level/);
    expect(await read("look('.box').scrollWidth <= look('.box').clientWidth")).toBe(true);
    await read("enemies = 11; frames(60)");
    expect(await read("look('.monitors dd').textContent")).toBe("11");
    await read("removers[1](); removers[2](); frames(60)");
    expect(await cells()).toEqual(["enemies", "11"]);
    await read("removers[0](); frames(60)");
    expect(await isShown()).toBe(false);
    expect((await read<DOMRect>("rect()")).height).toBe(height);
  });

  test("shows the figures of a network session, one line per peer, and what is wrong", async () => {
    await open();
    await read(PLAY);
    await read("void (window.hud = tickwise.mountHud({ loop, session: peers[0].session }))");
    expect(await read("[look('.net').checkVisibility(), netFigure('net')]")).toEqual([
      true,
      "waiting as host, seat 0",
    ]);
    expect(await read<string>("look('ul').textContent")).toMatch(
      /^The game has not begun: seats 1 and 2 are/,
    );
    await read("network.mesh(); play(300)");
    const shown = {
      net: /^playing as host, seat 0$/,
      pace: /^(0\.9\d|1\.0\d)$/,
      ahead: /^[+−]?\d\.\d$/,
      window: /^\d+$/,
      delay: /^2$/,
      predicted: /^\d+$/,
      stalled: /^\d+$/,
      rollbacks: /^\d+\.\d \/s$/,
      resim: /^\d\.\d\d \/tick$/,
      packet: /^\d+\.\d B$/,
      sent: /^\d+ B\/s$/,
    };
    for (const [name, text] of Object.entries(shown))
      expect(await read(`netFigure("${name}")`)).toMatch(text);
    const lines = await read<string[][]>("peerLines()");
    expect(lines.map(([name]) => name)).toEqual(["peer", "1 Bob", "2 Carl Friedrich Gauß"]);
    for (const [, ...figures] of lines.slice(1))
      expect(figures.join()).toMatch(/^1\d\d ms,\d+ ms,\d+ %,[+−]?\d\.\d$/);
    expect(await read<string>("look('.spoken').textContent")).toMatch(
      /net playing as host, seat 0, pace .* peer 1 Bob, trip 1\d\d ms, jitter \d+ ms, loss \d+ %, ahead/,
    );
    const { width, right } = await read<DOMRect>("rect()");
    expect([width, right]).toEqual([260, 792]);
    // Only a long name is cut off.
    const cut = `[...look(".net").querySelectorAll("dd, dt, span")].filter((cell) => cell.scrollWidth > cell.clientWidth)`;
    expect(await read(`${cut}.map((cell) => cell.textContent)`)).toEqual(["2 Carl Friedrich Gauß"]);
    expect(await read("look('.net').scrollWidth <= look('.net').clientWidth")).toBe(true);

    await read("peers[1].kill(); peers[2].kill(); play(60); hud.collapsed = false");
    expect(await read("look('ul').textContent")).toMatch(
      /^Waiting for seats 1 and 2 \(no news for \d\.\d\ss\)/,
    );
    expect((await read<string[][]>("peerLines()")).map(([, trip]) => trip)).toEqual([
      "trip",
      "silent",
      "silent",
    ]);
  });

  test("shows the network of the session that a drive uses", async () => {
    await open();
    await read(PLAY);
    await read("void (window.its = { loop, session: {} }, window.hud = tickwise.mountHud(its))");
    const isShown = () => read("look('.net').checkVisibility()");
    await read("play(30)");
    expect(await isShown()).toBe(false);
    await read("its.session = peers[0].session; play(30)");
    expect(await isShown()).toBe(true);
    await read("peers[0].kill(); peers[0].session.dispose(); play(100)");
    expect(await isShown()).toBe(true);
    await read("its.session = null; play(30)");
    expect(await isShown()).toBe(false);
  });

  test("shows the figures of a session in a worker, and nothing of other sessions", async () => {
    await open();
    // Both ends of a channel: the simulation is served in the page itself.
    await read(`(async () => {
      const { port1, port2 } = new MessageChannel();
      const game = tickwise.sim.simulation({
        name: "run", version: 1, rate: 60, players: 1, state: tickwise.state.layout({ x: tickwise.state.f64 }), step() {},
      });
      window.stopServing = tickwise.worker.serveSimulation(game, { port: port2 });
      window.session = tickwise.worker.workerSession(game, port1, { memory: "transferred" });
      await session.ready;
      while (session.tick < 5) {
        session.advance();
        session.view(0);
        await new Promise(requestAnimationFrame);
      }
      window.its = { loop, session };
      window.hud = tickwise.mountHud(its);
      frames(60);
    })()`);
    const cells = await read<string[]>("[...look('.worker').children].map((cell) => cell.textContent)");
    expect(cells.filter((_, i) => i % 2 === 0)).toEqual(["worker", "behind", "busy", "starved"]);
    expect([cells[1], cells[3], cells[5], cells[7]].join()).toMatch(
      /^transferred memory,-?\d+\.\d ms,\d+ %,\d+$/,
    );
    expect(await read("look('.worker').checkVisibility()")).toBe(true);
    expect(await read<string>("look('.spoken').textContent")).toContain("worker transferred memory, behind");
    const cut = `[...look(".worker").children].filter((cell) => cell.scrollWidth > cell.clientWidth)`;
    expect(await read(`${cut}.map((cell) => cell.textContent)`)).toEqual([]);
    await read("its.session = {}; frames(60)");
    expect(await read("look('.worker').checkVisibility()")).toBe(false);
    await read("session.dispose(), stopServing()");
  });

  test("updates figures four times per second, text once per second, and the graph every frame", async () => {
    await open();
    await mount();
    await read("frames(300)");
    const [figures, texts, graphs] = await read<number[]>(`(() => {
      const seen = { tick: new Set(), texts: new Set(), graph: new Set() };
      for (let i = 0; i < 240; i++) {
        frames(1);
        seen.tick.add(look(".tick").textContent);
        seen.texts.add(look(".spoken").textContent);
        seen.graph.add(pixels());
      }
      return Object.values(seen).map((set) => set.size);
    })()`);
    // Four seconds, plus the initial contents.
    expect(figures).toBeGreaterThan(14);
    expect(figures).toBeLessThanOrEqual(17);
    expect(texts).toBeGreaterThan(3);
    expect(texts).toBeLessThanOrEqual(5);
    // The graph wraps around, so each frame is a different picture.
    expect(graphs).toBe(120);
  });

  test("does not animate if the user prefers reduced motion", async () => {
    await open({ media: [{ name: "prefers-reduced-motion", value: "reduce" }] });
    await mount();
    await read("frames(300)");
    const graphs = await read<number>(`(() => {
      const seen = new Set();
      for (let i = 0; i < 240; i++) {
        frames(1);
        seen.add(pixels());
      }
      return seen.size;
    })()`);
    expect(graphs).toBeGreaterThan(1);
    expect(graphs).toBeLessThanOrEqual(5);
  });

  test("collapses on click, Enter and space, and then draws nothing", async () => {
    await open();
    await mount();
    await read("frames(100)");
    const state = () => read("[look('button').ariaExpanded, isSeen('dl'), hud.collapsed]");
    const [open_, closed] = [
      ["true", true, false],
      ["false", false, true],
    ];
    expect(await state()).toEqual(open_);
    await page.keyboard.press("Tab");
    expect(await read("look('button').matches(':focus-visible')")).toBe(true);
    expect(await read("getComputedStyle(look('button')).outlineWidth")).toBe("2px");
    await page.keyboard.press("Enter");
    expect(await state()).toEqual(closed);
    await page.keyboard.press("Space");
    expect(await state()).toEqual(open_);
    await read("look('button').blur()");
    const { left, top } = await read<DOMRect>("rect('button')");
    await page.mouse.click(left + 20, top + 10);
    expect(await state()).toEqual(closed);
    // The game still receives the keys.
    expect(await read("document.activeElement === document.body")).toBe(true);
    expect(await read("(() => { const before = pixels(); frames(10); return before === pixels(); })()")).toBe(
      true,
    );
    expect((await read<DOMRect>("rect()")).width).toBeLessThan(120);
    await read("void (hud.collapsed = false)");
    expect(await state()).toEqual(open_);
  });

  test("its key hides and shows it, but not while text is typed", async () => {
    await open();
    await mount();
    const isHidden = () => read("[hud.hidden, !isSeen('.box')]");
    await page.keyboard.press("Backquote");
    expect(await isHidden()).toEqual([true, true]);
    await read("frames(100)");
    await page.keyboard.press("Backquote");
    expect(await isHidden()).toEqual([false, false]);
    expect(await read("look('.tick').textContent")).toBe(`tick ${await read("loop.tick")}`);
    await page.keyboard.down("Control");
    await page.keyboard.press("Backquote");
    await page.keyboard.up("Control");
    for (const markup of ["<input>", "<textarea></textarea>", "<p contenteditable>x</p>", "<div></div>"]) {
      await read(`(() => {
        document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(markup)});
        const last = document.body.lastElementChild;
        const isHost = last.tagName === "DIV";
        if (isHost) last.attachShadow({ mode: "open" }).innerHTML = "<input>";
        (isHost ? last.shadowRoot.firstChild : last).focus();
      })()`);
      await page.keyboard.press("Backquote");
      expect(await isHidden(), markup).toEqual([false, false]);
    }
    await read("document.activeElement.blur()");
    await page.keyboard.press("Backquote");
    expect(await isHidden()).toEqual([true, true]);
  });

  test("can use another key, or none", async () => {
    await open();
    await mount('{ key: "F2" }');
    await read("void (window.other = tickwise.mountHud(loop, { key: null }))");
    await page.keyboard.press("Backquote");
    expect(await read("[hud.hidden, other.hidden]")).toEqual([false, false]);
    await page.keyboard.press("F2");
    expect(await read("[hud.hidden, other.hidden]")).toEqual([true, false]);
  });

  test("dispose leaves nothing behind", async () => {
    await open();
    const left = await read(`(() => {
      const count = { page: 0, loop: 0 };
      for (const target of [window, document]) {
        const { addEventListener: add, removeEventListener: remove } = target;
        target.addEventListener = (...all) => (count.page++, add.apply(target, all));
        target.removeEventListener = (...all) => (count.page--, remove.apply(target, all));
      }
      const on = loop.on.bind(loop);
      loop.on = (...all) => {
        const end = on(...all);
        count.loop++;
        return () => (count.loop--, end());
      };
      const before = document.documentElement.outerHTML;
      const huds = ["top-left", "top-left", "bottom-right"].map((corner) => tickwise.mountHud(loop, { corner }));
      frames(100);
      const [root] = roots();
      const during = { ...count };
      huds[0].hidden = true;
      for (const hud of [...huds, ...huds]) hud.dispose();
      const text = root.textContent;
      frames(100);
      return [during, count, before === document.documentElement.outerHTML, text === root.textContent];
    })()`);
    expect(left).toEqual([{ page: 3, loop: 24 }, { page: 0, loop: 0 }, true, true]);
  });

  test("several overlays, in any corner, do not cover each other", async () => {
    await open();
    await read(`for (const corner of ["top-left", "top-right", "bottom-left", "bottom-right", "bottom-left"])
      tickwise.mountHud(loop, { corner, collapsed: corner === "top-right" })`);
    await read("frames(100)");
    // In document order: both overlays of the bottom left are in one stack.
    const [a, b, c, d, e] = (await read<DOMRect[]>("roots().map((_, i) => rect('.box', i))")) as [
      DOMRect,
      DOMRect,
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    expect([a.left, a.top]).toEqual([8, 8]);
    expect([b.right, b.top]).toEqual([792, 8]);
    expect([c.left, d.left, e.right]).toEqual([8, 8, 792]);
    expect(d.bottom).toBeLessThan(c.top);
    expect([c.bottom, e.bottom]).toEqual([584, 584]);
  });

  test("can be placed in a parent other than the body", async () => {
    await open();
    await read(`void (document.body.innerHTML =
      "<main style='position: absolute; left: 100px; top: 50px; width: 400px; height: 300px'></main>")`);
    await mount('{ parent: document.querySelector("main"), corner: "top-left" }');
    expect(await read("(({ left, top }) => [left, top])(rect())")).toEqual([108, 58]);
    await read("hud.dispose()");
    expect(await read("document.querySelector('main').innerHTML")).toBe("");
  });

  test("is not affected by the page's styles", async () => {
    await open();
    await mount();
    const shape = "[rect(), rect('canvas'), rect('button'), getComputedStyle(look('dd')).font]";
    const before = await read(shape);
    await read(`void document.head.insertAdjacentHTML("beforeend", \`<style>
      * { font: 40px serif !important; margin: 30px !important; letter-spacing: 9px; }
      div { display: none !important; position: static !important; transform: scale(2) !important; }
      canvas, button { width: 10px !important; border: 9px solid red !important; }
    </style>\`)`);
    expect(await read(shape)).toEqual(before);
  });

  test("works with a strict content security policy", async () => {
    await open({ policy: "default-src 'none'; script-src 'self'; img-src data:" });
    await mount();
    await read("frames(100)");
    expect(await read("[rect().width, rect().top]")).toEqual([260, 8]);
  });

  test("is sharp on any screen, also after a change of the pixel ratio", async () => {
    await open({ density: 2 });
    await mount();
    const size = () => read("[look('canvas').width, look('canvas').height, rect('canvas').width]");
    expect(await size()).toEqual([480, 90, 240]);
    for (const [density, wanted] of [
      [1, [240, 45, 240]],
      [1.25, [300, 56, 240]],
    ] as const) {
      await page.setViewport({ width: 800, height: 600, deviceScaleFactor: density });
      await read("frames(30)");
      expect(await size()).toEqual(wanted);
    }
  });

  test("has its figures as text for screen readers, without announcing them", async () => {
    await open();
    await mount();
    await read("frames(300)");
    const snapshot = await page.accessibility.snapshot({ interestingOnly: false, includeIframes: false });
    const flat: string[] = [];
    const walk = (node: typeof snapshot) => {
      if (node) flat.push(`${node.role} ${node.name ?? ""}${node.expanded ? " (expanded)" : ""}`);
      for (const child of node?.children ?? []) walk(child);
    };
    walk(snapshot);
    expect(flat).toContain("group Tickwise");
    expect(flat).toContain("button Tickwise figures (expanded)");
    expect(flat.join("\n")).toMatch(
      /StaticText fps 60\.0, tick \d+, frame 16\.67 ms, refresh 60\.00 Hz, steps 1\.00/,
    );
    expect(flat).toContain("StaticText No problems found.");
    // Each figure appears once.
    expect(flat.filter((line) => line.includes("16.67 ms") && line.startsWith("StaticText"))).toHaveLength(1);
    expect(await read("roots()[0].querySelectorAll('[aria-live], [role=status], [role=alert]').length")).toBe(
      0,
    );
  });

  test("follows the loop through pause, stop and reset", async () => {
    await open();
    await mount();
    const hint = () => read<string>("look('ul').textContent");
    await read("frames(100)");
    await read("loop.pause()");
    expect(await hint()).toMatch(/^The loop is paused/);
    await read("loop.resume()");
    expect(await hint()).toBe("No problems found.");
    await read("loop.reset()");
    expect(await read("[look('.tick'), look('.fps')].map((each) => each.textContent)")).toEqual([
      "tick 0",
      "– fps",
    ]);
    await read("frames(100)");
    expect(await read("look('.fps').textContent")).toBe("60.0 fps");
    await read("loop.stop()");
    expect(await read("look('.tick').textContent")).toBe(`tick ${await read("loop.tick")}`);
  });

  test("can be mounted before or after the start, and reports a hidden page", async () => {
    await open();
    await read("loop = new tickwise.Loop({ rate: 60 })");
    await mount();
    const hint = () => read<string>("look('ul').textContent");
    expect(await hint()).toMatch(/Call loop\.start\(display\(\)\)\.$/);
    await read("loop.start(tickwise.display())");
    await expect.poll(() => read("look('.fps').textContent")).toMatch(/^\d+\.\d fps$/);
    const other = await browser.newPage();
    await other.bringToFront();
    await expect.poll(hint).toMatch(/^The page is hidden/);
    await read("void tickwise.mountHud(loop, { corner: 'top-left' })");
    // Other hints may come and go, as the machine may be busy.
    expect(await read("look('li', 1).textContent")).toBe(await read("look('li').textContent"));
    await other.close();
  });

  test("rejects a parent that is not an element, and a page without a body", async () => {
    await open();
    const refusal = (call: string) =>
      read<string>(`(() => { try { ${call} } catch (error) { return error.message; } })()`);
    expect(await refusal("tickwise.mountHud(loop, { parent: {} })")).toBe(
      "mountHud: parent must be an element of the page, got {}. Try document.body, once the page has loaded.",
    );
    expect(await refusal("document.body.remove(); tickwise.mountHud(loop)")).toMatch(
      /got null\. Try document\.body/,
    );
    expect(await read("roots().length")).toBe(0);
  });
});

// Only the basics, as the rest does not depend on the browser.
describe.each(BROWSER_NAMES)("%s", (name) => {
  test.runIf(findBrowser(name))("shows it, and removes it", async () => {
    const browser = await launch(name);
    try {
      const page = await browser.open(server.page());
      await page.show();
      const seen = await page.evaluate(`(async () => {
        const before = document.documentElement.outerHTML;
        const loop = new tickwise.Loop({ rate: 60 });
        loop.start(tickwise.manualDisplay());
        const hud = tickwise.mountHud(loop, { corner: "bottom-left" });
        const stop = tickwise.traceLoop(loop, { keep: true });
        loop.driver.play([1000 - 1000 / 60]);
        stop();
        const spans = performance.getEntriesByType("measure").map(({ name, detail }) => [name, detail.alpha]);
        for (let i = 0; i < 300; i++) loop.driver.play([1000 + (i * 1000) / 60]);
        const root = document.querySelector("[data-tickwise-hud] > *").shadowRoot;
        const box = root.querySelector(".box").getBoundingClientRect();
        // One pixel of each lane.
        const { width, height } = root.querySelector("canvas");
        const context = root.querySelector("canvas").getContext("2d");
        const lanes = [0.4, 0.72, 0.82].map((part) => [
          ...context.getImageData(width / 4, Math.floor(part * height), 1, 1).data,
        ].join());
        root.querySelector("button").click();
        const shown = [root.querySelector(".fps").textContent, box.width, box.left, hud.collapsed, lanes, spans];
        hud.dispose();
        return [...shown, before === document.documentElement.outerHTML];
      })()`);
      expect(seen).toEqual([
        "60.0 fps",
        260,
        8,
        true,
        ["108,182,255,255", "79,209,165,255", "205,170,255,255"],
        [["render 0", 0]],
        true,
      ]);
      await page.close();
    } finally {
      await browser.close();
    }
  });
});
