// A server in Node, and clients in real browsers over WebSockets that lose packets.
import { describe, expect, test, type TestContext } from "vitest";
import { findBrowser, type BrowserName } from "../../scripts/browsers.mjs";
import { nodeTimer } from "../../src/loop/drivers/node.js";
import type { Down } from "../../src/net/authority/messages.js";
import { serverSession } from "../../src/net/authority/server-session.js";
import { drive } from "../../src/sim/index.js";
import { launch, until, type TestPage } from "./launch.js";
import { webSocketHost } from "./link-pages.js";
import { brawlFor } from "./netplay-player.js";
import { usePackage } from "./server.js";

const site = usePackage();
const BROWSERS: readonly BrowserName[] = ["chromium", "firefox"];
const areThere = BROWSERS.every((name) => findBrowser(name) !== undefined || process.env.CI !== undefined);
/** Ticks that are certain before a test ends: two seconds. */
const TICKS = 120;

async function open({ onTestFinished }: TestContext, name: BrowserName): Promise<TestPage> {
  const browser = await launch(name);
  const page = await browser.open(site.page());
  onTestFinished(async () => {
    await page.close();
    await browser.close();
  });
  await page.show();
  return page;
}

describe.runIf(areThere).each<Down>(["inputs", "states"])("a server that sends %s", (down) => {
  test("has the same states as Chromium and Firefox", async (context) => {
    const host = await webSocketHost();
    context.onTestFinished(() => host.close());
    const session = serverSession(brawlFor(2), { down, timeout: 60 });
    const truth = new Map<number, string>();
    session.on("confirmed", (confirmed) => truth.set(confirmed.tick, confirmed.hash().join()));
    const server = drive(session, { driver: nodeTimer() });
    context.onTestFinished(() => server.dispose());
    const pages: TestPage[] = [];
    for (const name of BROWSERS) {
      const page = await open(context, name);
      // At once, as the page asks to join as soon as it is connected.
      const connected = host.next().then((end) => session.connect(end));
      const link = `tickwise.net.websocketLink("${host.address}")`;
      await page.evaluate(`void (window.player = tickwise.netplay.joinServer(${link}, "${name}"))`);
      await connected;
      pages.push(page);
    }
    const begun = await Promise.all(
      pages.map(async (page) => {
        await until(page, "player.session.net.state === 'playing'");
        return page.evaluate<number>("player.confirmed");
      }),
    );
    const enough = Math.max(...begun) + TICKS;
    await Promise.all(
      pages.map((page) => until(page, `player.confirmed > ${enough} && player.session.net.rollbacks > 0`)),
    );
    for (const page of pages) {
      expect(await page.evaluate("player.session.net.desyncs")).toBe(0);
      if (down === "states") continue;
      const hashes = await page.evaluate<[number, string][]>("player.hashes");
      expect(hashes.filter(([tick, hash]) => truth.get(tick) !== hash)).toEqual([]);
      expect(hashes.length).toBeGreaterThanOrEqual(TICKS);
    }
    // The players moved.
    expect(new Set(truth.values()).size).toBe(truth.size);
    expect(session.net.clients.map(({ name }) => name).sort()).toEqual([...BROWSERS]);
  });
});
