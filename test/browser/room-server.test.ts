// A page that a room server serves itself, in Chromium: shared memory, joining, reasons, coming back, meeting a peer.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBrowser } from "../../scripts/browsers.mjs";
import { roomServer } from "../../src/server/index.js";
import { launch, until } from "./launch.js";
import { brawlFor } from "./netplay-player.js";
import { usePackage } from "./server.js";

const site = usePackage();
const isThere = findBrowser("chromium") !== undefined || process.env.CI !== undefined;

test.runIf(isThere)(
  "a page joins the server that it came from, and comes back to its seat",
  async ({ onTestFinished }) => {
    const page = mkdtempSync(join(tmpdir(), "tickwise-page-"));
    onTestFinished(() => rmSync(page, { recursive: true, force: true }));
    const script = await (await fetch(`${site.page()}tickwise.js`)).text();
    writeFileSync(join(page, "tickwise.js"), script);
    writeFileSync(
      join(page, "index.html"),
      '<!doctype html><link rel="icon" href="data:,"><script src="tickwise.js"></script>',
    );
    const server = await roomServer(brawlFor(2), { page, limits: { lateMs: 1e6 } });
    onTestFinished(() => server.close({ grace: 0 }));
    const browser = await launch("chromium");
    onTestFinished(() => browser.close());
    const tab = await browser.open(`${server.address.replace("ws", "http")}/`);
    expect(await tab.evaluate("crossOriginIsolated && new SharedArrayBuffer(8).byteLength")).toBe(8);

    await tab.evaluate(`(async () => {
    window.link = await tickwise.net.joinRoom("/", { room: "new" });
    window.player = tickwise.netplay.joinServer(link, link.token);
    window.kept = tickwise.net.keepInRoom(player.session, link);
  })()`);
    await until(tab, "player.session.net.state === 'playing' && player.confirmed > 30");
    expect(await tab.evaluate("[link.players, link.mode, link.end]")).toEqual([2, "authority", null]);
    expect(server.stats()).toMatchObject({ rooms: 1, players: 1 });
    await tab.evaluate("link.close('lost')");
    await until(
      tab,
      "kept.state === 'joined' && kept.link !== link && player.session.net.state === 'playing'",
    );
    expect(await tab.evaluate("player.session.seats")).toEqual([0]);

    const refused = await tab.evaluate(
      `tickwise.net.joinRoom("/", { room: "0000-0000-0000" }).catch(({ code, value, problem }) => [code, value, problem])`,
    );
    expect(refused).toEqual(["refused", "unknown-room", "no room has this code"]);

    const links = await tab.evaluate(`(async () => {
    const links = [];
    const meet = (room) => tickwise.net.meetPeers("/", { room, onLink: (link) => links.push(link) });
    const first = await meet("new");
    await meet(first.code);
    while (links.length < 2 || links.some(({ state }) => state !== "open")) await new Promise((done) => setTimeout(done, 20));
    return links.length;
  })()`);
    expect(links).toBeGreaterThanOrEqual(2);
  },
);
