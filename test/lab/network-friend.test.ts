// "Play with a friend" in a real Chromium: two tabs that connect over WebRTC by texts which a person carries.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { laneOf, shownTick } from "./lanes.js";
import { blank, figureOf, frames, numberOf, open, read, textOf, useLab } from "./pages.js";

useLab("own");

const LANE = laneOf("friend");
const tickOf = (page: Page) => shownTick(page, "friend");
const newsOf = (page: Page) => textOf(page, ".news");
const stateOf = (page: Page) => figureOf(page, LANE, "state");
const valueOf = (page: Page, id: string) => read<string>(page, `document.querySelector("#${id}").value`);
const seatsOf = (page: Page) =>
  read<string[]>(
    page,
    `[...document.querySelectorAll(".seats li")].map((item) => item.querySelector(".who").textContent + (item.querySelector(".far").textContent === "you" ? ", you" : ""))`,
  );
const ready = (page: Page, id: string) =>
  page.waitForFunction(`document.querySelector("#${id}")?.value.length > 50`);

async function openHost(): Promise<Page> {
  const page = await open("#friend");
  await page.waitForSelector("#invite");
  await page.type("#name", "Ada");
  return page;
}

/** Presses the button that invites. Returns the link. */
async function invite(host: Page): Promise<string> {
  await host.bringToFront();
  await host.click("#invite");
  await ready(host, "invitation");
  return valueOf(host, "invitation");
}

/** Presses the button that joins. Returns the answer. */
async function join(guest: Page, invitation?: string): Promise<string> {
  await guest.bringToFront();
  if (invitation !== undefined) {
    await read(guest, `void (document.querySelector("#offer").value = ${JSON.stringify(invitation)})`);
  }
  await guest.click("#join");
  await ready(guest, "reply");
  return valueOf(guest, "reply");
}

async function accept(host: Page, answer: string): Promise<void> {
  await host.bringToFront();
  await host.type("#answer", answer);
  await host.click("#connect");
}

async function openGuest(link: string): Promise<Page> {
  const page = await blank();
  await page.goto(link);
  await page.waitForSelector("#join");
  return page;
}

/** Two tabs of one window that play. One of them is always hidden. */
async function openPair(): Promise<{ host: Page; guest: Page }> {
  const host = await openHost();
  const guest = await openGuest(await invite(host));
  await guest.type("#name", "Ben");
  await accept(host, await join(guest));
  await expect.poll(() => seatsOf(host)).toEqual(["Ada, you", "Ben", "Bot", "Bot"]);
  await guest.bringToFront();
  await expect.poll(() => seatsOf(guest)).toEqual(["Ada", "Ben, you", "Bot", "Bot"]);
  return { host, guest };
}

/** Expects that both pages agree on states, from now on. */
async function expectAgreement(a: Page, b: Page): Promise<void> {
  const seen = [new Map<string, string>(), new Map<string, string>()] as const;
  const look = async () => {
    // Only the page in front updates its figures.
    for (const [index, page] of [a, b].entries()) {
      await page.bringToFront();
      await frames(page, 12);
      const [tick, hash] = (await figureOf(page, LANE, "checkpoint")).split(" · ");
      if (hash) seen[index]!.set(tick!, hash);
    }
    return [...seen[0].keys()].filter((tick) => seen[1].has(tick)).length;
  };
  await expect.poll(look).toBeGreaterThanOrEqual(2);
  const differing = [...seen[0]].filter(([tick, hash]) => seen[1].has(tick) && seen[1].get(tick) !== hash);
  expect(differing).toEqual([]);
}

test("labels every control, and fits any width in light and dark mode", async () => {
  const page = await open("#friend?offer=abc&from=Ada");
  await page.waitForSelector("#join");
  expect(await textOf(page, ".card:nth-of-type(2) h3")).toBe("Ada invites you");
  const nameless = `[...document.querySelectorAll("button, input, canvas[class], section.lane, aside, nav")]
    .filter((e) => !(e.ariaLabel || e.textContent.trim() || e.closest("label")?.textContent ||
      document.getElementById(e.getAttribute("aria-labelledby"))?.textContent))
    .map((e) => e.outerHTML)`;
  for (const hash of ["", "#friend"]) {
    if (hash) await page.goto(page.url().split("#")[0] + hash);
    await page.waitForSelector("#join");
    expect(await read(page, nameless)).toEqual([]);
    for (const width of [320, 390, 820, 1440])
      for (const value of ["light", "dark"]) {
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
        await frames(page, 2);
        expect(await read(page, "document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      }
  }
});

test("a host plays against bots meanwhile, by keyboard", async () => {
  const page = await openHost();
  await page.keyboard.press("Enter");
  await expect.poll(() => tickOf(page)).toBeGreaterThan(30);
  expect(await newsOf(page)).toBe("You play against bots until a friend joins.");
  expect(await seatsOf(page)).toEqual(["Ada, you", "Bot", "Bot", "Bot"]);
  expect(await stateOf(page)).toBe("not connected");
  const title = await page.$(".lesson");
  await title!.click();
  await read(page, "void document.activeElement.blur()");
  const before = await read(page, `document.querySelector(".scene").toDataURL()`);
  await page.keyboard.down("ArrowLeft");
  await expect.poll(() => read(page, `document.querySelector(".scene").toDataURL()`)).not.toBe(before);
  await page.keyboard.up("ArrowLeft");
});

test("two tabs connect by a link and an answer, play while one is hidden, and agree on every state", async () => {
  const { host, guest } = await openPair();
  expect(await newsOf(guest)).toBe("You are in the game.");
  expect(await stateOf(guest)).toBe("connected");
  expect(await read(host, "document.visibilityState")).toBe("hidden");
  await expect.poll(async () => numberOf(await figureOf(guest, LANE, "roundTrip"))).toBeGreaterThan(0);
  // The host is hidden, and its inputs still arrive.
  const tick = await tickOf(guest);
  await guest.keyboard.down("ArrowRight");
  await expect.poll(() => tickOf(guest)).toBeGreaterThan(tick + 120);
  await guest.keyboard.up("ArrowRight");
  await host.bringToFront();
  await expect.poll(() => tickOf(host)).toBeGreaterThan(tick + 120);
  await host.keyboard.down("a");
  await frames(host, 30);
  await host.keyboard.up("a");
  await expectAgreement(host, guest);
});

test("a guest that reloads gets its seat back with a new invitation", async () => {
  const { host, guest } = await openPair();
  await guest.reload();
  await guest.waitForSelector("#join");
  expect(await textOf(guest, ".card:nth-of-type(2)")).toContain("This invitation was already used.");
  expect(await valueOf(guest, "offer")).toBe("");
  expect(await valueOf(guest, "name")).toBe("Ben");
  await host.bringToFront();
  await expect
    .poll(() => newsOf(host))
    .toContain("Ben has closed the page or lost the connection. A bot plays on.");
  await accept(host, await join(guest, await invite(host)));
  await expect.poll(() => seatsOf(host)).toEqual(["Ada, you", "Ben", "Bot", "Bot"]);
  await guest.bringToFront();
  await expect.poll(() => seatsOf(guest)).toEqual(["Ada", "Ben, you", "Bot", "Bot"]);
  await expectAgreement(host, guest);
});

test("a host that reloads gets its game back from the guest", async () => {
  const { host, guest } = await openPair();
  const tick = await tickOf(guest);
  await host.bringToFront();
  await host.reload();
  await host.waitForSelector("#invite");
  await expect.poll(() => newsOf(host)).toContain("Your game goes on in your friend's page.");
  await guest.bringToFront();
  await expect
    .poll(() => newsOf(guest))
    .toContain("Ask your friend for a new invitation, and paste it here.");
  await accept(host, await join(guest, await invite(host)));
  await expect.poll(() => seatsOf(host)).toEqual(["Ada, you", "Ben", "Bot", "Bot"]);
  await expect.poll(() => tickOf(host)).toBeGreaterThan(tick + 60);
  await expectAgreement(host, guest);
});

test("says what is wrong with a text", async () => {
  const host = await openHost();
  const link = await invite(host);
  await accept(host, "hello");
  await expect.poll(() => newsOf(host)).toContain("The text is not an answer");
  await accept(host, new URLSearchParams(link.split("?")[1]).get("offer")!);
  await expect.poll(() => newsOf(host)).toContain("This is an offer, not an answer");
  const guest = await openGuest(link.slice(0, link.indexOf("&from")).slice(0, -3));
  await guest.click("#join");
  await expect.poll(() => newsOf(guest)).toContain("The offer is damaged or incomplete");
  // The right texts still work.
  await accept(host, await join(guest, link));
  await expect.poll(() => stateOf(host)).toBe("connected");
});
