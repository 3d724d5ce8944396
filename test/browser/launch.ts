// Real browsers behind one interface: Chromium and Firefox through puppeteer, WebKit through WebDriver. The files of a
// worker share them, one after the other; closing a browser closes only the pages that were opened in it.
import { setTimeout } from "node:timers/promises";
import puppeteer, { type Browser, type BrowserContext, type KeyInput, type Page } from "puppeteer-core";
import type { BrowserName } from "../../scripts/browsers.mjs";
import { askFor, ownBrowser } from "../shared/ask.js";
import { webDriver, type WebKitSession } from "../shared/webdriver.js";

export interface TestBrowser {
  open(url: string): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage {
  /** Evaluates an expression in the page, and awaits it if it is a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** Hides the page by bringing another one to the front. WebKit's WebDriver cannot do this. */
  hide?(): Promise<void>;
  /** Shows the page again. */
  show(): Promise<void>;
  /** Closes the page, and the one that was opened to hide it. */
  close(): Promise<void>;
  /** Presses or releases a real key, one of `KEYS`. */
  key(code: keyof typeof KEYS, isDown: boolean): Promise<void>;
  /** Moves the real mouse to a position, then presses or releases its left button. */
  mouse(x: number, y: number, isDown: boolean): Promise<void>;
  /** Errors in its console and failed requests so far. WebKit's WebDriver does not report them. */
  readonly errors?: readonly string[];
  /** Navigates to another address for some time, then starts to go back. */
  leaveAndReturn(url: string, milliseconds: number): Promise<void>;
}

/** The keys that tests press, by their codes, with their names in WebDriver. */
const KEYS = { KeyA: "a", KeyD: "d", Space: " ", ArrowLeft: "\uE012" };

/** Waits until an expression is true in a page. Ignores errors while the page navigates. */
export async function until(page: Pick<TestPage, "evaluate">, expression: string): Promise<void> {
  const end = performance.now() + TIMEOUT;
  while (!(await page.evaluate<boolean>(`!!(${expression})`).catch(() => false))) {
    if (performance.now() > end) throw new Error(`It did not come to be: ${expression}`);
    await setTimeout(20);
  }
}

/** Time limit for any response of a page, in milliseconds. Long enough for a busy machine. */
const TIMEOUT = 120_000;

/** A browser context in Chromium, with its own window and storage. */
export interface Chromium {
  newPage(): Promise<Page>;
  /** Closes its pages and deletes its storage. */
  close(): Promise<void>;
}

export async function openChromium(): Promise<Chromium> {
  const browser = await connect("chromium");
  const context = await browser.createBrowserContext();
  return {
    newPage: () => pageOf(context),
    async close() {
      await context.close();
      await browser.disconnect();
    },
  };
}

async function openFirefox(): Promise<Chromium> {
  const browser = await connect("firefox");
  const pages: Page[] = [];
  return {
    async newPage() {
      const page = await pageOf(browser);
      pages.push(page);
      return page;
    },
    async close() {
      for (const page of pages) if (!page.isClosed()) await page.close();
      await browser.disconnect();
    },
  };
}

async function pageOf(owner: Browser | BrowserContext): Promise<Page> {
  const page = await owner.newPage();
  page.setDefaultTimeout(TIMEOUT);
  return page;
}

async function connect(name: "chromium" | "firefox"): Promise<Browser> {
  const connectTo = (browserWSEndpoint: string) =>
    puppeteer.connect({
      browserWSEndpoint,
      protocol: name === "firefox" ? "webDriverBiDi" : "cdp",
      protocolTimeout: 2 * TIMEOUT,
    });
  const path = ownBrowser(name);
  try {
    return await connectTo(await askFor<string>(path));
  } catch {
    // It has crashed, or a previous file did not disconnect from it.
    return connectTo(await askFor<string>(path, "DELETE"));
  }
}

export async function launch(name: BrowserName): Promise<TestBrowser> {
  if (name === "webkit") return openWebKit();
  const browser = await (name === "firefox" ? openFirefox() : openChromium());
  return {
    async open(url) {
      const page = await browser.newPage();
      const pages = [page];
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(String(error)));
      let isHeld = false;
      await page.goto(url);
      return {
        errors,
        evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
        async hide() {
          const other = await browser.newPage();
          pages.push(other);
          await other.bringToFront();
        },
        show: () => page.bringToFront(),
        close: async () => void (await Promise.all(pages.map((each) => each.close()))),
        // Firefox does not support the code "Space".
        key: (code, isDown) =>
          page.keyboard[isDown ? "down" : "up"]((code === "Space" ? " " : code) as KeyInput),
        async mouse(x, y, isDown) {
          await page.mouse.move(x, y);
          if (isDown !== isHeld) await page.mouse[isDown ? "down" : "up"]();
          isHeld = isDown;
        },
        async leaveAndReturn(other, milliseconds) {
          await page.goto(other);
          await setTimeout(milliseconds);
          // Not `goBack`, which waits for the page to load.
          await page.evaluate("history.back()");
        },
      };
    },
    close: () => browser.close(),
  };
}

async function openWebKit(): Promise<TestBrowser> {
  const path = ownBrowser("webkit");
  let session = await askFor<WebKitSession>(path);
  const call = <T>(method: string, path: string, body?: unknown) => webDriver<T>(session, method, path, body);
  // It may have crashed.
  await call("GET", "/window/handles").catch(
    async () => void (session = await askFor<WebKitSession>(path, "DELETE")),
  );
  return {
    async open(url) {
      // A new tab opens in the background and stays hidden until the others are closed.
      const others = await call<string[]>("GET", "/window/handles");
      const { handle } = await call<{ handle: string }>("POST", "/window/new", { type: "tab" });
      await call("POST", "/window", { handle });
      await call("POST", "/url", { url });
      const act = (id: string, type: string, actions: object[]) =>
        call<void>("POST", "/actions", { actions: [{ id, type, actions }] });
      let isHeld = false;
      return {
        async evaluate<T>(expression: string) {
          const script = `const done = arguments[0];
            (async () => (${expression}))().then(
              (value) => done({ value }),
              (error) => done({ error: String(error) }),
            );`;
          const body = { script, args: [] };
          const { value, error } = await call<{ value: T; error?: string }>("POST", "/execute/async", body);
          if (error) throw new Error(error);
          return value;
        },
        async show() {
          for (const other of others) {
            await call("POST", "/window", { handle: other });
            await call("DELETE", "/window");
          }
          await call("POST", "/window", { handle });
        },
        // It is closed when the next page is shown, as closing the last tab would end the browser.
        close: async () => {},
        key: (code, isDown) =>
          act("keys", "key", [{ type: isDown ? "keyDown" : "keyUp", value: KEYS[code] }]),
        async mouse(x, y, isDown) {
          const press = { type: isDown ? "pointerDown" : "pointerUp", button: 0 };
          await act("mouse", "pointer", [
            { type: "pointerMove", x, y, duration: 0 },
            ...(isDown === isHeld ? [] : [press]),
          ]);
          isHeld = isDown;
        },
        async leaveAndReturn(other, milliseconds) {
          await call("POST", "/url", { url: other });
          await setTimeout(milliseconds);
          await call("POST", "/back");
        },
      };
    },
    // Releases keys and buttons. Its tabs stay until the next page is shown, as closing the last one would end the
    // browser.
    close: () => call("DELETE", "/actions"),
  };
}
