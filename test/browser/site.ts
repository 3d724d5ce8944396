// A folder of pages, built and served, in a real Chromium, for the tests of a file; no page may complain.
import type { Page } from "puppeteer-core";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { askFor } from "../shared/ask.js";
import { openChromium, type Chromium } from "./launch.js";

/** What software graphics say of themselves, where there is no graphics card. */
const NO_CARD = "GL Driver Message";

export interface Site {
  /** Where it is served. */
  readonly address: string;
  /** A page that is still to go there. */
  blank(): Promise<Page>;
}

/** The site of the workspace of that name, for the tests of the file that calls it. Each test has a browser that remembers nothing. */
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
