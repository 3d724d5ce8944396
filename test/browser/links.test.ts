// Links in real browsers: WebRTC between pages and with Node, and WebSockets with Node.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser, type BrowserName } from "../../scripts/browsers.mjs";
import { closing, exchange, type Exchanged } from "../net-links/exchange.js";
import { FULL } from "../full.js";
import { sampleOf } from "../shared/sample.js";
import { launch, until, type TestBrowser, type TestPage } from "./launch.js";
import { connect, inNode, inPage, webSocketHost } from "./link-pages.js";
import { usePackage } from "./server.js";

const server = usePackage();
const browsers = new Map<BrowserName, TestBrowser>();
const pages: TestPage[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});
afterAll(async () => {
  for (const browser of browsers.values()) await browser.close();
});

async function open(name: BrowserName): Promise<TestPage> {
  const page = await browsers.get(name)!.open(server.page());
  await page.show();
  pages.push(page);
  return page;
}

const exchangeIn = (page: TestPage) => page.evaluate<Exchanged>("tickwise.links.exchange(link)");
const isThere = (name: BrowserName) => findBrowser(name) !== undefined || process.env.CI !== undefined;
const useBrowsers = (...names: BrowserName[]) =>
  beforeAll(async () => {
    for (const name of names) if (!browsers.has(name)) browsers.set(name, await launch(name));
  });

function expectAll(results: readonly Exchanged[]) {
  for (const { reliable, unreliable, wrong } of results) {
    expect([reliable, wrong]).toEqual([300, 0]);
    expect(unreliable).toBeGreaterThanOrEqual(10);
  }
}

const PAIRS: [BrowserName, BrowserName][] = [
  ["chromium", "chromium"],
  ["firefox", "chromium"],
  ["chromium", "firefox"],
];
describe.each(sampleOf(PAIRS, 1, PAIRS[1]!))("%s offers, %s answers", (first, second) => {
  describe.runIf(isThere(first) && isThere(second))("over WebRTC", () => {
    useBrowsers(first, second);

    test("they exchange both kinds of messages, and one hangs up with a reason", async () => {
      const a = await open(first);
      const b = await open(second);
      await connect(inPage(a), inPage(b));
      expectAll(await Promise.all([exchangeIn(a), exchangeIn(b)]));
      await b.evaluate("void (window.ended = tickwise.links.closing(link))");
      await a.evaluate("link.close('enough for today')");
      expect(await b.evaluate("ended")).toBe("enough for today");
      expect(await a.evaluate("link.state")).toBe("closed");
    });
  });
});

describe.each(["chromium", "firefox"] as const)("%s and Node over WebRTC", (name) => {
  // In Node, libdatachannel sometimes ends a young connection while another one is being closed.
  describe.runIf(isThere(name))("connect", { retry: 4 }, () => {
    useBrowsers(name);

    test.runIf(FULL || name === "chromium")("if the page offers", async () => {
      const page = await open(name);
      const node = inNode();
      await connect(inPage(page), node);
      expectAll(await Promise.all([exchangeIn(page), exchange(node.link)]));
      await page.evaluate("void (window.ended = tickwise.links.closing(link))");
      node.link.close("the server says goodbye");
      expect(await page.evaluate("ended")).toBe("the server says goodbye");
    });

    // Chromium says nothing when a page is closed, so that Node notices it only after 14 s.
    test.runIf(name === "firefox")("a page that is closed closes the link", async () => {
      const page = await open(name);
      const node = inNode();
      await connect(node, inPage(page));
      await until(page, "link.state === 'open'");
      const closed = closing(node.link);
      await pages.pop()!.close();
      expect(await closed).toMatch(/^(closed by the peer|connection lost)$/);
    });

    test.runIf(FULL || name === "firefox")("and say what is wrong with a text", async () => {
      const page = await open(name);
      const node = inNode();
      const offer = await node.offer();
      const failure = (call: string) =>
        page.evaluate<string>(`${call}.then(() => "", (error) => error.message)`);
      const answer = (text: string) => failure(`tickwise.net.answerLink(${JSON.stringify(text)})`);
      expect(await answer(offer.slice(0, -3))).toContain("the offer is damaged or incomplete");
      const right = await inPage(page).answer(offer);
      expect(await answer(right)).toContain("this is an answer, not an offer");
      await node.accept(right);
      expectAll(await Promise.all([exchangeIn(page), exchange(node.link)]));
      node.link.close();
    });
  });
});

describe.each(BROWSER_NAMES)("%s and Node over WebSockets", (name) => {
  describe.runIf(isThere(name))("connect", () => {
    useBrowsers(name);
    let host: Awaited<ReturnType<typeof webSocketHost>>;
    beforeAll(async () => void (host = await webSocketHost()));
    afterAll(() => host?.close());

    test("and exchange both kinds of messages; each may hang up", async () => {
      const page = await open(name);
      const next = host.next();
      await page.evaluate(`void (window.link = tickwise.net.websocketLink("${host.address}"))`);
      const link = await next;
      expectAll(await Promise.all([exchangeIn(page), exchange(link)]));
      const closed = closing(link);
      await page.evaluate("link.close('enough for today')");
      expect(await closed).toBe("enough for today");

      const other = host.next();
      await page.evaluate(
        `void (window.link = tickwise.net.websocketLink(new WebSocket("${host.address}")))`,
      );
      const second = await other;
      await until(page, "link.state === 'open'");
      await page.evaluate("void (window.ended = tickwise.links.closing(link))");
      second.close("the server says goodbye");
      expect(await page.evaluate("ended")).toBe("the server says goodbye");
    });

    test.runIf(FULL || name === "chromium")("and an address that is none is rejected", async () => {
      const page = await open(name);
      const message = await page.evaluate(
        `(() => { try { tickwise.net.websocketLink("http://["); } catch (error) { return error.message; } })()`,
      );
      expect(message).toBe(
        'websocketLink: socket must be a WebSocket or its address, got "http://[". Try "wss://example.com/game".',
      );
    });
  });
});
