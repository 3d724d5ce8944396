// The list of shortcuts and their switch, in a real Chromium.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { SHORTCUTS } from "../../lab/src/shortcuts/table.js";
import { addressOf, open, read, textOf, useLab } from "./pages.js";

useLab("own");

const DIALOG = "dialog.shortcuts[open]";
const pauseText = (page: Page) => textOf(page, "#pause span");

async function openLab(hash: string): Promise<Page> {
  const page = await open(hash);
  await page.waitForSelector("#pause");
  return page;
}

test("? lists the shortcuts of this page and of the others, and keys belong to the dialog while it is open", async () => {
  const page = await openLab("#five-loops");
  await page.keyboard.press("?");
  await page.waitForSelector(DIALOG);
  const rows = (group: string) =>
    read<string[]>(
      page,
      `[...document.querySelectorAll('[data-shortcuts="${group}"] div')].map((row) => row.textContent)`,
    );
  expect(await rows("here")).toEqual([
    "?Show the keyboard shortcuts",
    "PPause",
    "RRestart",
    ".One step",
    "HStall 500 ms",
    "OOpen recording",
  ]);
  expect(await rows("elsewhere")).toHaveLength(Object.keys(SHORTCUTS).length - 6);
  await page.keyboard.press("p");
  await page.keyboard.press("Escape");
  await page.waitForFunction(`!document.querySelector("${DIALOG}")`);
  expect(await pauseText(page)).toBe("Pause");
  await page.keyboard.press("p");
  expect(await pauseText(page)).toBe("Resume");
});

test("the switch turns all single keys off, on every page and after a reload; games keep theirs", async () => {
  const page = await openLab("#spiral");
  await page.click(".shortcuts-button");
  await page.waitForSelector(DIALOG);
  await page.click(`${DIALOG} input`);
  expect(await textOf(page, `${DIALOG} label`)).toBe(" Keyboard shortcuts: off");
  await page.click(`${DIALOG} form button`);
  const hints = () =>
    read(page, `document.querySelectorAll("[aria-keyshortcuts], kbd:not([hidden])").length`);
  // The dialog still lists its keys.
  await read(page, `document.querySelector("dialog").remove()`);
  expect(await hints()).toBe(0);
  for (const hash of ["#spiral", "#time"]) {
    await page.goto(addressOf(hash));
    await page.reload();
    await page.waitForSelector("#pause");
    expect(await hints()).toBe(0);
    for (const key of ["p", "r", "h", "?"] as const) await page.keyboard.press(key);
    expect(await pauseText(page)).toBe("Pause");
    expect(await page.$("dialog")).toBe(null);
  }
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => textOf(page, ".note")).toContain("You are playing");
});

test("the switch holds for the page if the browser can store nothing more", async () => {
  const page = await openLab("#spiral");
  await read(
    page,
    `void (Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); })`,
  );
  await page.click(".shortcuts-button");
  await page.waitForSelector(DIALOG);
  await page.click(`${DIALOG} input`);
  expect(await textOf(page, `${DIALOG} label`)).toBe(" Keyboard shortcuts: off");
  await page.click(`${DIALOG} form button`);
  await page.keyboard.press("p");
  expect(await pauseText(page)).toBe("Pause");
});
