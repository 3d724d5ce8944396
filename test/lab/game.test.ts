// "Game" in a real Chromium: played, rewound, recorded, replayed, taken over.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyInput, Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { inputsOf, SCENES } from "../../scenes/index.js";
import { hashText } from "../../src/state/index.js";
import { inputRuns, readReplay, record, replayPlayer } from "../../src/replay/index.js";
import { localSession } from "../../src/sim/index.js";
import { testExperiment } from "./any-experiment.js";
import { dataIn, laneOf, openPast, shownTick, useFolder } from "./lanes.js";
import {
  addressOf,
  blank,
  downloadInto,
  frames,
  hashOf,
  noteOf,
  numberOf,
  open,
  queryOf,
  read,
  textOf,
  useLab,
} from "./pages.js";

useLab("own");

testExperiment("#game", {
  lanes: 1,
  values: {},
  controls: ["rewind", "mute", "timeline", "back", "on", "save", "load", "three-rates", "speed", "sound"],
});

const { simulation } = SCENES.platformer;
const LANE = laneOf("game");
const folder = useFolder();

const tickOf = (page: Page) => shownTick(page, "game");
/** Reads tick and hash at once, so that they belong together. */
const stateOf = (page: Page) =>
  read<[number, string]>(
    page,
    `((name) => [Number(name("tick")), name("hash")])
      ((name) => document.querySelector('${LANE} [data-figure="' + name + '"]').textContent)`,
  );
const modeOf = (page: Page) => dataIn(page, "game", "mode");

const openGame = (tick = 30, hash = "#game") => openPast(hash, "game", tick, shownTick);

/** Waits for the game to run some ticks. */
async function pass(page: Page, ticks: number): Promise<void> {
  const from = await tickOf(page);
  await expect.poll(() => tickOf(page)).toBeGreaterThanOrEqual(from + ticks);
}

/** Holds a key for some ticks. */
async function hold(page: Page, key: KeyInput, ticks: number): Promise<void> {
  await page.keyboard.down(key);
  await pass(page, ticks);
  await page.keyboard.up(key);
}

/** Seeks with the slider. */
const seek = (page: Page, to: number) =>
  read(
    page,
    `{ const slider = document.querySelector("#timeline"); slider.value = ${to};
       slider.dispatchEvent(new Event("input")); slider.dispatchEvent(new Event("change")); }`,
  );

async function download(page: Page): Promise<Uint8Array> {
  const into = mkdtempSync(join(folder, "saved-"));
  await downloadInto(page, into);
  await page.click("#save");
  const names = () => readdirSync(into).filter((name) => name.endsWith(".twr"));
  await expect.poll(() => names().length).toBe(1);
  expect(names()[0]).toMatch(/^platformer-\d+\.twr$/);
  return new Uint8Array(readFileSync(join(into, names()[0]!)));
}

async function load(page: Page, bytes: Uint8Array, name = "game.twr"): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const input = await page.$('input[type="file"]');
  await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path);
}

/** Records the script for some ticks. */
function recording(ticks: number): { bytes: Uint8Array; hashes: string[] } {
  const session = localSession(simulation, { inputs: inputsOf(SCENES.platformer) });
  const recorder = record(session);
  const hashes = [hashText(session.hash())];
  while (session.tick < ticks) {
    session.advance();
    hashes.push(hashText(session.hash()));
  }
  return { bytes: recorder.bytes(), hashes };
}

test("keys run and jump; a tap shorter than a frame jumps once", async () => {
  const page = await openGame();
  await page.keyboard.press("Space");
  await pass(page, 50);
  await hold(page, "KeyD", 40);
  await page.keyboard.press("p");
  const replay = readReplay(await download(page));
  const player = replayPlayer(simulation, replay);
  const jumps: number[] = [];
  player.on("effect", ({ name, tick }) => name === "jump" && jumps.push(tick));
  const from = player.world.player.x;
  for (; !player.ended; player.view(1)) player.advance();
  expect(jumps.length).toBe(1);
  expect(player.world.player.x).toBeGreaterThan(from + 40);
  // The page shows the same state as the file.
  expect(await stateOf(page)).toEqual([player.tick, hashText(player.hash())]);
});

test("a gamepad's stick runs, as far as it is pushed", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(`
    const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
    const pad = { index: 0, connected: true, timestamp: 1, axes: [0.7, 0, 0, 0], buttons };
    navigator.getGamepads = () => [pad];`);
  await page.goto(addressOf("#game"));
  await page.waitForSelector(LANE);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(40);
  await page.keyboard.press("p");
  const runs = [...inputRuns(readReplay(await download(page)))];
  const stick = Number(runs.at(-1)!.values["stick"]);
  expect(stick).toBeGreaterThan(0.5);
  expect(stick).toBeLessThan(0.8);
});

test("with sound on, plays each effect once, and not again during a rewind", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(`
    const start = AudioParam.prototype.setValueAtTime;
    globalThis.heard = [];
    AudioParam.prototype.setValueAtTime = function (value, at) {
      if (value > 1) heard.push(value);
      return start.call(this, value, at);
    };`);
  await page.goto(addressOf("#game?sound=on"));
  await page.waitForSelector(LANE);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(40);
  // Evaluating scripts counts as user activation, so the start of the game may already have been heard.
  await read(page, "heard.length = 0");
  await page.keyboard.press("Space");
  // The jump, then the landing.
  await expect.poll(() => read(page, "heard")).toEqual([300, 130]);
  await page.keyboard.down("b");
  await expect.poll(() => modeOf(page)).toBe("back");
  await frames(page, 20);
  expect(await read(page, "heard")).toEqual([300, 130]);
  await page.keyboard.up("b");
});

test("sound is off until the visitor switches it on, and the button or M mutes it", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(`
    globalThis.contexts = [];
    globalThis.started = [];
    const Context = AudioContext;
    globalThis.AudioContext = class extends Context { constructor() { super(); contexts.push(this); } };
    const count = (prototype) => {
      const start = prototype.start;
      prototype.start = function (...args) { started.push(this.constructor.name); return start.apply(this, args); };
    };
    count(AudioScheduledSourceNode.prototype);
    count(AudioBufferSourceNode.prototype);`);
  await page.goto(addressOf("#game"));
  await page.waitForSelector(LANE);
  const label = () => textOf(page, "#mute span");
  expect(await label()).toBe("Unmute");
  await page.keyboard.press("Space");
  await pass(page, 60);
  expect(await read(page, "[contexts.length, started.length]")).toEqual([0, 0]);
  await page.click("#mute");
  expect(await label()).toBe("Mute");
  expect(await textOf(page, '[role="status"]')).toBe("Sound on.");
  await expect.poll(() => hashOf(page)).toContain("sound=on");
  await expect.poll(() => read(page, "contexts.map(({ state }) => state)")).toEqual(["running"]);
  await page.keyboard.press("Space");
  await expect.poll(() => read<number>(page, "started.length")).toBeGreaterThan(0);
  await page.keyboard.press("m");
  expect(await label()).toBe("Unmute");
  await expect.poll(() => hashOf(page)).toContain("sound=off");
  const before = await read<number>(page, "started.length");
  await page.keyboard.press("Space");
  await pass(page, 60);
  expect(await read(page, "[contexts.length, started.length]")).toEqual([1, before]);
});

test("music plays with the game, and pauses with it", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(`
    globalThis.music = { started: 0, stopped: 0 };
    const { start } = AudioBufferSourceNode.prototype;
    const { stop } = AudioScheduledSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...args) { music.started++; return start.apply(this, args); };
    AudioScheduledSourceNode.prototype.stop = function (...args) {
      if (this instanceof AudioBufferSourceNode) music.stopped++;
      return stop.apply(this, args);
    };`);
  await page.goto(addressOf("#game?sound=music"));
  await page.waitForSelector(LANE);
  await page.keyboard.press("ArrowRight");
  const playing = () => read<number>(page, "music.started - music.stopped");
  await expect.poll(playing).toBe(1);
  await page.keyboard.press("p");
  await expect.poll(playing).toBe(0);
  await page.keyboard.press("p");
  await expect.poll(playing).toBe(1);
  await page.keyboard.press("m");
  await expect.poll(playing).toBe(0);
});

test("focused controls keep their keys: Space presses a button, arrows move the slider", async () => {
  const page = await openGame();
  await page.focus("#pause");
  await page.keyboard.press("Space");
  expect(await textOf(page, "#pause span")).toBe("Resume");
  await page.focus("#timeline");
  const last = await tickOf(page);
  await page.keyboard.press("ArrowLeft");
  expect(await tickOf(page)).toBe(last - 1);
  await page.keyboard.press("ArrowLeft");
  expect(await tickOf(page)).toBe(last - 2);
  // A click does not take the keys from the game.
  await page.click("#pause");
  await page.click("#pause");
  await page.click("#pause");
  expect(await read(page, "document.activeElement.id")).not.toBe("pause");
  await read(page, "document.activeElement.blur()");
  await page.keyboard.press("Space");
  await pass(page, 5);
  expect(await textOf(page, "#pause span")).toBe("Pause");
  await page.keyboard.press("p");
  const replay = readReplay(await download(page));
  const jumps = [...inputRuns(replay)].filter(({ values }) => values["jump"]);
  expect(jumps.length).toBe(1);
});

test.each(["b", "the button"])("rewinds while held by %s, and continues when released", async (way) => {
  const page = await openGame(60);
  await hold(page, "ArrowRight", 30);
  await page.keyboard.press("p");
  const [end] = await stateOf(page);
  const replay = readReplay(await download(page));
  await page.keyboard.press("p");
  if (way === "b") await page.keyboard.down("b");
  else {
    await page.hover("#rewind");
    await page.mouse.down();
  }
  await expect.poll(() => modeOf(page)).toBe("back");
  await expect.poll(() => tickOf(page)).toBeLessThan(end - 20);
  const [tick, hash] = await stateOf(page);
  const player = replayPlayer(simulation, replay);
  player.seek(tick);
  expect(hash).toBe(hashText(player.hash()));
  if (way === "b") await page.keyboard.up("b");
  else await page.mouse.up();
  await expect.poll(() => modeOf(page)).toBe("forward");
  const from = await tickOf(page);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(from + 20);
});

test("a saved replay has the same hashes at the same ticks, forward and back, and can be taken over", async () => {
  const page = await openGame();
  await hold(page, "ArrowRight", 24);
  await page.keyboard.press("Space");
  await page.keyboard.press("p");
  const end = await stateOf(page);
  const seen = [end];
  for (const tick of [0, 7, end[0] >> 1]) {
    await seek(page, tick);
    seen.push(await stateOf(page));
  }
  const bytes = await download(page);
  await page.goto(addressOf("#time"));
  await page.goto(addressOf("#game"));
  await page.waitForSelector(LANE);
  await load(page, bytes);
  await expect.poll(() => modeOf(page)).toBe("replay");
  await page.keyboard.press("p");
  for (const [tick, hash] of seen) {
    await seek(page, tick);
    expect(await stateOf(page)).toEqual([tick, hash]);
  }
  // Tick by tick, both ways.
  await seek(page, 7);
  await page.keyboard.press(".");
  expect((await stateOf(page))[0]).toBe(8);
  await page.click("#back");
  expect(await stateOf(page)).toEqual(seen[2]);

  await page.keyboard.press("t");
  await expect.poll(() => modeOf(page)).toBe("forward");
  await hold(page, "ArrowRight", 24);
  await page.keyboard.press("p");
  const mine = readReplay(await download(page));
  const player = replayPlayer(simulation, mine);
  // It contains the part before the takeover, and what was played since.
  for (const [tick, hash] of [seen[1]!, seen[2]!, await stateOf(page)]) {
    player.seek(tick);
    expect(hashText(player.hash())).toBe(hash);
  }
  expect(mine.last).toBeGreaterThan(20);
  expect(await read(page, `document.querySelector("#take-over").disabled`)).toBe(true);
});

test("a replay plays at the chosen speed, rewinds, ends, and closing it returns to the game", async () => {
  const { bytes, hashes } = recording(300);
  const page = await openGame(30, "#game?speed=4&rewind=4");
  await load(page, bytes);
  await expect.poll(() => noteOf(page)).toContain("game.twr has ended");
  expect(await stateOf(page)).toEqual([300, hashes[300]]);
  await page.keyboard.down("b");
  await expect.poll(() => tickOf(page)).toBeLessThan(200);
  const [tick, hash] = await stateOf(page);
  expect(hash).toBe(hashes[tick]);
  await page.keyboard.up("b");
  await page.click("#close");
  await expect.poll(() => modeOf(page)).toBe("forward");
  expect(await tickOf(page)).toBeGreaterThan(30);
  expect((await queryOf(page)).get("speed")).toBe("4");
});

test("rejects an invalid file with the reader's message, and plays a damaged one as far as possible", async () => {
  const { bytes } = recording(300);
  const page = await openGame();
  const bad = bytes.slice();
  bad[1]! ^= 1;
  await load(page, bad, "bad.twr");
  await expect
    .poll(() => noteOf(page))
    .toContain('bad.twr cannot be played. readReplay: not a replay: it begins with "TVRP"');
  expect(await read(page, `document.querySelector(".note").classList.contains("problem")`)).toBe(true);
  const tick = await tickOf(page);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(tick + 10);

  const damaged = bytes.slice();
  damaged[bytes.length - 30]! ^= 255;
  await load(page, damaged, "damaged.twr");
  await expect.poll(() => noteOf(page)).toContain("The file is damaged or incomplete: ");
  expect(await noteOf(page)).toContain(readReplay(damaged).message);
  expect(await modeOf(page)).toBe("replay");
});

test("a file can be dropped on the page", async () => {
  const { bytes, hashes } = recording(60);
  const page = await openGame();
  await read(
    page,
    `{ const files = new DataTransfer();
       files.items.add(new File([Uint8Array.from(${JSON.stringify([...bytes])})], "dropped.twr"));
       document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files })); }`,
  );
  await expect.poll(() => noteOf(page)).toContain("dropped.twr has ended");
  expect(await stateOf(page)).toEqual([60, hashes[60]]);
});

test("three render rates: all states are equal, for a replay and for the live game", async () => {
  const { bytes, hashes } = recording(600);
  const page = await openGame();
  const verdict = () => textOf(page, '[data-lane="rates"] [data-figure="verdict"]');
  await hold(page, "ArrowRight", 18);
  await page.click("#three-rates");
  await expect.poll(verdict).toMatch(/^✓ All \d+ states equal, and equal to the recording$/);
  expect(numberOf(await verdict())).toBeGreaterThan(30);
  await load(page, bytes);
  await expect.poll(() => modeOf(page)).toBe("replay");
  await page.click("#three-rates");
  await expect.poll(verdict).toBe("✓ All 601 states equal, and equal to the recording");
  const cells = await read<string[][]>(
    page,
    `[...document.querySelectorAll('[data-lane="rates"] tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
  for (const tick of [0, 120, 240, 360, 480, 600])
    expect(cells).toContainEqual([String(tick), hashes[tick], hashes[tick], hashes[tick], "="]);
  // The frame counts really differed.
  const frames = cells.at(-1)!.slice(1, 4).map(numberOf);
  expect(frames[0]).toBeLessThan(160);
  expect(frames[2]).toBeGreaterThan(2300);
});

test("after a reload, offers to continue the game with its whole history", async () => {
  const page = await openGame();
  expect(await read(page, `document.querySelector(".continue-prompt").hidden`)).toBe(true);
  await hold(page, "ArrowRight", 30);
  await page.keyboard.press("p");
  const [tick, hash] = await stateOf(page);
  await page.reload();
  await page.waitForSelector(".continue-prompt:not([hidden])");
  await page.keyboard.press("p");
  await page.click("#continue");
  expect(await stateOf(page)).toEqual([tick, hash]);
  expect(await read(page, `document.querySelector("#timeline").min`)).toBe("0");
  expect(await read(page, `document.querySelector(".continue-prompt").hidden`)).toBe(true);

  // A new game offers the previous one; once discarded, it is not offered again.
  await page.keyboard.press("r");
  expect(await tickOf(page)).toBe(0);
  await page.waitForSelector(".continue-prompt:not([hidden])");
  await page.click("#discard");
  await page.reload();
  await page.waitForSelector(LANE);
  await frames(page, 10);
  expect(await read(page, `document.querySelector(".continue-prompt").hidden`)).toBe(true);
});

test("the touch pad runs and rewinds", async () => {
  const page = await openGame();
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await page.reload();
  await page.waitForSelector(LANE);
  await read(page, `document.querySelector(".pad").scrollIntoView({ block: "center" })`);
  const { x, y, width, height } = (await (await page.$(".pad"))!.boundingBox())!;
  const finger = await page.touchscreen.touchStart(x + width * 0.4, y + height / 2);
  const start = await tickOf(page);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(start + 40);
  await finger.end();
  // Read before the rewind, which would discard the run to the right.
  const replay = await read<string>(
    page,
    `(dispatchEvent(new Event("pagehide")), localStorage["tickwise-lab-game"])`,
  );
  const runs = [...inputRuns(readReplay(new Uint8Array(Buffer.from(replay, "base64"))))];
  expect(runs.some(({ values }) => values["right"])).toBe(true);
  const other = await page.touchscreen.touchStart(x + width * 0.62, y + height / 2);
  await expect.poll(() => modeOf(page)).toBe("back");
  await other.end();
  await expect.poll(() => modeOf(page)).toBe("forward");
});

test("with reduced motion, starts paused and can be played", async () => {
  const page = await open("#game?sound=on", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await page.waitForSelector(LANE);
  await frames(page, 10);
  expect(await tickOf(page)).toBe(0);
  await page.keyboard.press("p");
  await page.keyboard.press("Space");
  await expect.poll(() => tickOf(page)).toBeGreaterThan(30);
  expect(await hashOf(page)).toContain("sound=on");
});
