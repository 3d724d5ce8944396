// Network sessions in real browsers: over WebRTC, and over WebSockets through a relay in Node; hidden and reloaded pages.
import { describe, expect, test, type TestContext } from "vitest";
import { findBrowser, type BrowserName } from "../../scripts/browsers.mjs";
import { nodeTimer } from "../../src/loop/drivers/node.js";
import { FULL } from "../full.js";
import { launch, until, type TestPage } from "./launch.js";
import { connect, inNode, inPage, webSocketHost } from "./link-pages.js";
import { join, type NetReport } from "./netplay-player.js";
import { usePackage } from "./server.js";

const server = usePackage();

const isThere = (...names: BrowserName[]) =>
  names.every((name) => findBrowser(name) !== undefined || process.env.CI !== undefined);

/** Opens a page in a window of its own: a page in the background would get no frames. */
async function open({ onTestFinished }: TestContext, name: BrowserName): Promise<TestPage> {
  const browser = await launch(name);
  const page = await browser.open(server.page());
  onTestFinished(async () => {
    await page.close();
    await browser.close();
  });
  await page.show();
  return page;
}

/** Ticks that players confirm together: three seconds. */
const TICKS = 180;
/** Nobody is dropped for being slow, as the machine may be busy. */
const PATIENT = "timeout: 60";

/** Starts to play in a page. `options` is code. */
const joinIn = (page: TestPage, options: string) =>
  page.evaluate(`void (window.player = tickwise.netplay.join({ ${options} }))`);
const reportOf = (page: TestPage) => page.evaluate<NetReport>("player.report()");
const confirmedOf = (page: TestPage) => page.evaluate<number>("player.confirmed");

/** Is true once a player has confirmed so many ticks, and predicted some wrongly. */
const hasPlayed = (ticks: number) => `player.confirmed >= ${ticks} && player.session.net.rollbacks > 0`;

/** Waits for pages. If one hangs, tells what all players were up to. */
async function untilAll(pages: readonly TestPage[], expression: string): Promise<void> {
  try {
    await Promise.all(pages.map((page) => until(page, expression)));
  } catch (error) {
    const figures = await Promise.all(pages.map((page) => page.evaluate<string>("player.figures")));
    throw new Error([(error as Error).message, ...figures].join("\n"), { cause: error });
  }
}

/** Checks that players confirmed the same states, and that the world moved. */
function expectSame(a: NetReport, b: NetReport, ticks: number, from = 0) {
  const theirs = new Map(b.hashes);
  const common = a.hashes.filter(([tick]) => theirs.has(tick));
  for (const { desyncs } of [a, b]) expect(desyncs).toEqual([]);
  const wrong = common.filter(([tick, hash]) => theirs.get(tick) !== hash);
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(common.filter(([tick]) => tick >= from).length).toBeGreaterThanOrEqual(ticks);
  expect(new Set(common.map(([, hash]) => hash)).size).toBe(common.length);
  for (const { hits } of [a, b]) expect(hits).toBeGreaterThan(0);
}

const PAIRS: [BrowserName, BrowserName][] = [
  ["chromium", "chromium"],
  ["firefox", "chromium"],
];
// In `npm test`, two pages of Chromium play only below.
describe.each(FULL ? PAIRS : PAIRS.slice(1))("%s and %s", (first, second) => {
  describe.runIf(isThere(first, second))("end with equal hashes", () => {
    test("over WebRTC", async (context) => {
      const pages = [await open(context, first), await open(context, second)] as const;
      await connect(inPage(pages[0]), inPage(pages[1]));
      for (const [seat, page] of pages.entries())
        await joinIn(page, `seats: [${seat}], token: "player ${seat}", link, ${PATIENT}`);
      await untilAll(pages, hasPlayed(TICKS));
      expectSame(await reportOf(pages[0]), await reportOf(pages[1]), TICKS);
    });

    test("over WebSockets, through a relay in Node", async (context) => {
      const host = await webSocketHost();
      context.onTestFinished(() => host.close());
      const relay = join({ seats: [], relay: true, token: "relay", timeout: 60, driver: nodeTimer() });
      context.onTestFinished(() => relay.drive.dispose());
      const pages = [await open(context, first), await open(context, second)] as const;
      for (const [seat, page] of pages.entries()) {
        const next = host.next();
        const link = `tickwise.net.websocketLink("${host.address}")`;
        await joinIn(page, `seats: [${seat}], token: "player ${seat}", link: ${link}, ${PATIENT}`);
        relay.connect(await next);
      }
      await untilAll(pages, hasPlayed(TICKS));
      const report = await reportOf(pages[0]);
      expectSame(report, await reportOf(pages[1]), TICKS);
      // A relay predicts nothing, and may step later than the players that it lets confirm.
      expectSame(relay.report(), report, TICKS - 20);
    });
  });
});

// In Node, libdatachannel sometimes ends a young connection while another one is being closed.
describe.runIf(isThere("chromium"))("chromium and Node", { retry: 4 }, () => {
  test("end with equal hashes over WebRTC", async (context) => {
    const page = await open(context, "chromium");
    const node = inNode();
    await connect(node, inPage(page));
    const player = join({ seats: [0], token: "node", link: node.link, timeout: 60, driver: nodeTimer() });
    context.onTestFinished(() => player.drive.dispose());
    await joinIn(page, `seats: [1], token: "page", link, ${PATIENT}`);
    await untilAll([page], hasPlayed(TICKS));
    expectSame(player.report(), await reportOf(page), TICKS - 20);
  });
});

describe.runIf(isThere("chromium"))("chromium", { concurrent: true }, () => {
  describe("a page hidden for ten seconds", { concurrent: true }, () => {
    /** Lets two pages play, hides one of them for ten seconds, and lets them play on. Returns what happened meanwhile. */
    async function hide(context: TestContext, hidden: 0 | 1, options = "") {
      const pages = [await open(context, "chromium"), await open(context, "chromium")] as const;
      await connect(inPage(pages[0]), inPage(pages[1]));
      for (const [seat, page] of pages.entries())
        await joinIn(page, `seats: [${seat}], token: "player ${seat}", link, ${options}`);
      await untilAll(pages, hasPlayed(TICKS / 3));
      const [away, present] = [pages[hidden], pages[1 - hidden]!];
      await away.hide!();
      await until(away, "document.hidden");
      const before = await Promise.all(pages.map(confirmedOf));
      await present.evaluate("void (window.since = performance.now())");
      await until(present, "performance.now() - since >= 10_000");
      const after = await Promise.all(pages.map(confirmedOf));
      await away.show();
      const from = Math.max(...after);
      await untilAll(pages, `player.session.seats.length === 1 && ${hasPlayed(from + TICKS / 2)}`);
      const reports = [await reportOf(pages[0]), await reportOf(pages[1])] as const;
      expectSame(...reports, TICKS / 3, from);
      return {
        played: after.map((tick, i) => tick - before[i]!),
        events: reports.map(({ events }) => events),
      };
    }

    test("is dropped, and gets its seat back", async (context) => {
      const { played, events } = await hide(context, 1);
      expect(played[0]).toBeGreaterThan(60);
      expect(played[1]).toBeLessThan(60);
      expect(events[0]!.slice(-2)).toEqual(["dropped player 1 timeout", "joined player 1"]);
    });

    test.runIf(FULL)("stops the game if it is the host and the other one waits", async (context) => {
      const { played, events } = await hide(context, 0);
      for (const ticks of played) expect(ticks).toBeLessThan(60);
      expect(events.map((all) => all.at(-1))).toEqual(["playing", "playing"]);
    });

    test.runIf(FULL)(
      "gets its seat back if it was the host, and the other one continued",
      async (context) => {
        const { played, events } = await hide(context, 0, 'alone: "continue"');
        expect(played[0]).toBeLessThan(60);
        expect(played[1]).toBeGreaterThan(60);
        expect(events[1]!.slice(-2)).toEqual(["dropped player 0 timeout", "joined player 0"]);
      },
    );

    test("plays on if its driver does", async (context) => {
      const driver = "tickwise.display({ hidden: tickwise.runHidden() })";
      const { played, events } = await hide(context, 0, `driver: ${driver}, ${PATIENT}`);
      for (const ticks of played) expect(ticks).toBeGreaterThan(60);
      expect(events.map((all) => all.at(-1))).toEqual(["playing", "playing"]);
    });
  });

  describe("a page that is reloaded", { concurrent: true }, () => {
    /** Lets two pages play, reloads one of them, and lets them play on over a new link. Returns what the other one saw. */
    async function reload(context: TestContext, reloaded: 0 | 1, options = "") {
      const pages = [await open(context, "chromium"), await open(context, "chromium")] as const;
      const join = (seat: number) =>
        joinIn(pages[seat]!, `seats: [${seat}], token: "player ${seat}", link, ${PATIENT}, ${options}`);
      await connect(inPage(pages[0]), inPage(pages[1]));
      await Promise.all([join(0), join(1)]);
      await untilAll(pages, hasPlayed(TICKS / 3));
      const [again, present] = [pages[reloaded], pages[1 - reloaded]!];
      await again.evaluate("void location.reload()");
      await until(again, "!window.player && tickwise.netplay");
      const from = await confirmedOf(present);
      await connect(inPage(present), inPage(again));
      await present.evaluate("player.connect(link)");
      await join(reloaded);
      await untilAll(pages, `player.session.seats.length === 1 && ${hasPlayed(from + TICKS)}`);
      expect(await again.evaluate("player.session.seats")).toEqual([reloaded]);
      const reports = [await reportOf(present), await reportOf(again)] as const;
      expectSame(...reports, TICKS / 2, from);
      return reports[0].events;
    }

    test("gets its seat back with the same token, over a new link", async (context) => {
      const events = await reload(context, 1);
      expect(events.slice(-2)).toEqual(["connected player 1", "joined player 1"]);
      expect(events).toContain("dropped player 1 closed");
    });

    test.runIf(FULL)("if it was the host, and the other one continued", async (context) => {
      const events = await reload(context, 0, 'alone: "continue"');
      expect(events.slice(-2)).toEqual(["connected player 0", "joined player 0"]);
    });

    test.runIf(FULL)("if it was the host, and the other one waited", async (context) => {
      expect(await reload(context, 0)).toContain("connected player 0");
    });
  });
});
