// Games that the packed `tickwise new` creates, with the tools of this repository instead of downloaded ones.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { run } from "./run.js";

const PACKAGES = ["@types/three", "three", "tsx", "typescript", "vite", "vitest", "ws"];
const PROGRAMS = ["tsc", "vite", "vitest"];

/** Lets games in a folder find the tools. They find Tickwise there, too, or in the folder above. */
export function linkTools(folder: string): void {
  for (const path of [...PACKAGES, ...PROGRAMS.map((name) => `.bin/${name}`)]) {
    const link = join(folder, "node_modules", path);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", path), link);
  }
}

/** Creates a game; runs its tests; checks its types and builds it. Returns its folder. */
export function createGame(folder: string, name: string, ...options: string[]): string {
  run("npx", ["--offline", "tickwise", "new", name, ...options], folder);
  const game = join(folder, name);
  expect(run("npm", ["test"], game)).toMatch(/Tests\s.*passed/);
  expect(run("npm", ["run", "build"], game)).toContain("built in");
  return game;
}

/** Where the amber ship is in the picture of a canvas, as a share of the width; undefined if there is none. */
const AMBER = `(() => {
  const { width, height } = document.querySelector("canvas");
  const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  copy.drawImage(document.querySelector("canvas"), 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i += 4)
    if (data[i] === 255 && data[i + 1] === 180 && data[i + 2] === 84) {
      sum += (i / 4) % width;
      count++;
    }
  return count > 20 ? sum / count / width : undefined;
})()`;

/** Collects what a page complains about. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isFine = message.type() === "debug" || message.text().includes("GL Driver Message");
    if (!isFine) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/** Steers the amber ship to the right on the first page, and waits until it gets there in the picture of each one. */
export async function expectSteering(pages: readonly [Page, ...Page[]]): Promise<void> {
  const places = () => Promise.all(pages.map((page) => page.evaluate(AMBER) as Promise<number | undefined>));
  await expect.poll(async () => Math.max(...(await places()).map((x) => x ?? 1))).toBeLessThan(0.6);
  await pages[0].keyboard.down("ArrowRight");
  await expect.poll(async () => Math.min(...(await places()).map((x) => x ?? 0))).toBeGreaterThan(0.8);
  await pages[0].keyboard.up("ArrowRight");
}
