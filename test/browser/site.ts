// Builds and serves a folder of pages, and opens them in a real Chromium. Errors and warnings of a page fail its test.
import type { CDPSession, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { askFor } from "../shared/ask.js";
import { openChromium, type Chromium } from "./launch.js";

/** Messages that are no fault of a page. */
export const IGNORED = [
  "GL Driver Message", // software rendering, on machines without a graphics card
  "THREE.Clock: This module has been deprecated", // react-three-fiber uses it
  "Download the React DevTools", // React's development build, which tests get
];

export interface Site {
  /** The address of the site. */
  readonly address: string;
  /** Opens an empty page in the test's own browser context. */
  blank(): Promise<Page>;
  /**
   * Opens an address, with its hash, in the page of the last test that did, as starting a page takes longer than the test of
   * many a page. The document is new, but shares its storage with earlier ones. Opens another page if the test has already got
   * this one.
   */
  open(hash: string, prepare: (page: Page) => Promise<void>): Promise<Page>;
}

/** Provides the site of a workspace to the tests of the calling file. */
export function useSite(workspace: string): Site {
  const complaints: string[] = [];
  let address: string;
  /** The context of the current test, and that of all tests. */
  let own: Chromium | undefined;
  let common: Chromium | undefined;
  const pages: Page[] = [];
  let kept: Page | undefined;
  let client: CDPSession | undefined;
  let isTaken = false;
  /** While the kept page leaves its last document, requests of that fail. */
  let isLeaving = false;
  let count = 0;

  beforeAll(async () => void (address = await askFor<string>(`site/${workspace}`)));
  afterEach(async ({ task }) => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
    if (own) await own.close();
    own = undefined;
    // A key may still be held.
    if (task.result?.state === "fail") {
      await kept?.close();
      kept = undefined;
    }
    isTaken = false;
    if (complaints.length > 0) throw new Error(complaints.splice(0).join("\n"));
  });
  afterAll(() => common?.close());

  function watch(page: Page): void {
    const complain = (text: string) => {
      if (page !== kept || !isLeaving) complaints.push(text);
    };
    page.on("console", (message) => {
      if (!IGNORED.some((text) => message.text().includes(text))) complain(message.text());
    });
    page.on("pageerror", (error) => complain(String(error)));
    page.on("requestfailed", (request) => complain(`failed: ${request.url()}`));
    page.on("response", (response) => {
      if (response.status() >= 400) complain(`${response.status()}: ${response.url()}`);
    });
    page.on("request", (request) => {
      if (!/^(data:|blob:|about:)/.test(request.url()) && !request.url().startsWith(address))
        complain(`asks elsewhere: ${request.url()}`);
    });
  }

  async function takeKept(): Promise<Page> {
    isTaken = true;
    common ??= await openChromium();
    if (!kept) {
      kept = await common.newPage();
      client = await kept.createCDPSession();
      watch(kept);
    }
    // Another page may have been in front of it.
    await kept.bringToFront();
    return kept;
  }

  async function another(): Promise<Page> {
    const page = await common!.newPage();
    watch(page);
    pages.push(page);
    return page;
  }

  return {
    get address() {
      return address;
    },
    async blank() {
      own ??= await openChromium();
      const page = await own.newPage();
      watch(page);
      return page;
    },
    async open(hash, prepare) {
      const page = isTaken ? await another() : await takeKept();
      await prepare(page);
      if (page === kept) {
        isLeaving = true;
        page.once("framenavigated", () => (isLeaving = false));
      }
      // A new query, as another hash alone would not load a new document.
      await page.goto(`${address}?${count++}${hash}`);
      // Otherwise the last documents would stay in memory, for the way back.
      if (page === kept) await client!.send("Page.resetNavigationHistory");
      return page;
    },
  };
}
