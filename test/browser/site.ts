// Builds and serves a folder of pages, and opens them in a real Chromium. Errors and warnings of a page fail its test.
import type { Page } from "puppeteer-core";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { askFor } from "../shared/ask.js";
import { openChromium, type Chromium } from "./launch.js";

/** Messages of software rendering, on machines without a graphics card. */
const NO_CARD = "GL Driver Message";

export interface Site {
  /** The address of the site. */
  readonly address: string;
  /** Opens an empty page. */
  blank(): Promise<Page>;
}

/** Provides the site of a workspace to the tests of the calling file. Each test gets a fresh browser context. */
export function useSite(workspace: string): Site {
  const complaints: string[] = [];
  let chromium: Chromium;
  let address: string;

  beforeAll(async () => void (address = await askFor<string>(`site/${workspace}`)));
  beforeEach(async () => void (chromium = await openChromium()));
  afterEach(async () => {
    await chromium?.close();
    if (complaints.length > 0) throw new Error(complaints.splice(0).join("\n"));
  });

  return {
    get address() {
      return address;
    },
    async blank() {
      const page = await chromium.newPage();
      page.on("console", (message) => {
        if (!message.text().includes(NO_CARD)) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
      page.on("response", (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
      });
      page.on("request", (request) => {
        if (!/^(data:|blob:|about:)/.test(request.url()) && !request.url().startsWith(address))
          complaints.push(`asks elsewhere: ${request.url()}`);
      });
      return page;
    },
  };
}
