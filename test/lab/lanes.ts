// Helpers for tests of experiments: their lanes by name, the ticks that these have reached, and a folder for files.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, expect } from "vitest";
import { figureOf, numberOf, open, read } from "./pages.js";

export const laneOf = (name: string) => `[data-lane="${name}"]`;
export const figureIn = (page: Page, lane: string, name: string) => figureOf(page, laneOf(lane), name);
export const numberIn = async (page: Page, lane: string, name: string) =>
  numberOf(await figureIn(page, lane, name));
/** Returns an attribute `data-…` of a lane. */
export const dataIn = (page: Page, lane: string, name: string) =>
  read<string>(page, `document.querySelector('${laneOf(lane)}').dataset.${name}`);

/** Returns the tick of a lane. */
export type ReadTick = (page: Page, lane: string) => Promise<number>;
/** Reads the tick among the figures of a lane. */
export const shownTick: ReadTick = async (page, lane) => Number(await figureIn(page, lane, "tick"));
/** Reads the tick of a lane that does not show it. */
export const hiddenTick: ReadTick = async (page, lane) => Number(await dataIn(page, lane, "tick"));

/** Opens an experiment, and waits until a lane is past a tick. */
export async function openPast(hash: string, lane: string, tick: number, readTick: ReadTick): Promise<Page> {
  const page = await open(hash);
  await page.waitForSelector(laneOf(lane));
  await expect.poll(() => readTick(page, lane)).toBeGreaterThan(tick);
  return page;
}

/** Creates a folder for the tests of the calling file, and deletes it after them. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-lab-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
