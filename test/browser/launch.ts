// Real browsers, driven alike: Chromium and Firefox by puppeteer, WebKit by plain WebDriver.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import puppeteer, { type Browser, type KeyInput } from "puppeteer-core";
import { findBrowser, type BrowserName } from "../../scripts/browsers.mjs";

export interface TestBrowser {
  open(url: string): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage {
  /** The value of an expression in the page; a promise is waited for. */
  evaluate<T>(expression: string): Promise<T>;
  /** Brings another page to the front, so that this one is hidden. WebKit's driver has no way to do so. */
  hide?(): Promise<void>;
  /** Brings it back. */
  show(): Promise<void>;
  /** Closes it, and what was opened in front of it. */
  close(): Promise<void>;
  /** A real key goes down or up: one of `KEYS`. */
  key(code: keyof typeof KEYS, isDown: boolean): Promise<void>;
  /** The real mouse moves to a place, and its left button is then down or up. */
  mouse(x: number, y: number, isDown: boolean): Promise<void>;
  /** Goes to another address for a while, and back. */
  leaveAndReturn(url: string, milliseconds: number): Promise<void>;
}

/** Keys that tests press, by their codes: what WebDriver knows them by. */
const KEYS = { KeyA: "a", KeyD: "d", Space: " ", ArrowLeft: "\uE012" };

// No graphics, no sandbox (tests may run as root), and no calls home.
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launchChromium(...flags: string[]): Promise<Browser> {
  const [executablePath] = pathsOf("chromium");
  const args = [...CHROMIUM_FLAGS, ...flags];
  return puppeteer.launch({ browser: "chrome", executablePath: executablePath!, args });
}

async function launchFirefox(): Promise<Browser> {
  const [executablePath] = pathsOf("firefox");
  return puppeteer.launch({ browser: "firefox", executablePath: executablePath!, headless: true });
}

export async function launch(name: BrowserName): Promise<TestBrowser> {
  if (name === "webkit") return launchWebKit();
  const browser = await (name === "firefox" ? launchFirefox() : launchChromium());
  return {
    async open(url) {
      const page = await browser.newPage();
      const pages = [page];
      let isHeld = false;
      await page.goto(url);
      return {
        evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
        async hide() {
          const other = await browser.newPage();
          pages.push(other);
          await other.bringToFront();
        },
        show: () => page.bringToFront(),
        close: async () => void (await Promise.all(pages.map((each) => each.close()))),
        // Firefox does not know "Space" by its code.
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
          // Not `goBack`, which waits for a page that is loaded anew.
          await page.evaluate("history.back()");
          await setTimeout(500);
        },
      };
    },
    close: () => browser.close(),
  };
}

function pathsOf(name: BrowserName): string[] {
  const paths = findBrowser(name);
  if (!paths) throw new Error(`${name} is missing: npm test installs it where it can.`);
  return paths as string[];
}

async function launchWebKit(): Promise<TestBrowser> {
  const [driver, xvfb, binary] = pathsOf("webkit");
  // It picks a display that is free, and tells which.
  const screen = spawn(xvfb!, ["-displayfd", "1", "-screen", "0", "1024x768x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [display] = (await once(screen.stdout!, "data")) as [Buffer];
  const port = await freePort();
  const server = spawn(driver!, [`--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, DISPLAY: `:${display.toString().trim()}`, WEBKIT_DISABLE_COMPOSITING_MODE: "1" },
  });
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: method === "POST" ? JSON.stringify(body ?? {}) : null,
      signal: AbortSignal.timeout(30_000),
    });
    const { value } = (await response.json()) as { value: never };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  try {
    await until(() => call("GET", "/status"));
    const capabilities = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
    const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
      capabilities: { alwaysMatch: capabilities },
    });
    const session = `/session/${sessionId}`;
    return {
      async open(url) {
        // A new tab stays behind the others: hidden until they are closed.
        const others = await call<string[]>("GET", `${session}/window/handles`);
        const { handle } = await call<{ handle: string }>("POST", `${session}/window/new`, { type: "tab" });
        await call("POST", `${session}/window`, { handle });
        await call("POST", `${session}/url`, { url });
        const act = (id: string, type: string, actions: object[]) =>
          call<void>("POST", `${session}/actions`, { actions: [{ id, type, actions }] });
        let isHeld = false;
        return {
          async evaluate<T>(expression: string) {
            const script = `const done = arguments[0];
              (async () => (${expression}))().then(
                (value) => done({ value }),
                (error) => done({ error: String(error) }),
              );`;
            const body = { script, args: [] };
            const { value, error } = await call<{ value: T; error?: string }>(
              "POST",
              `${session}/execute/async`,
              body,
            );
            if (error) throw new Error(error);
            return value;
          },
          async show() {
            for (const other of others) {
              await call("POST", `${session}/window`, { handle: other });
              await call("DELETE", `${session}/window`);
            }
            await call("POST", `${session}/window`, { handle });
          },
          // It is closed with the next page, which is shown by closing the others: the last one would end the browser.
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
            await call("POST", `${session}/url`, { url: other });
            await setTimeout(milliseconds);
            await call("POST", `${session}/back`);
          },
        };
      },
      async close() {
        await call("DELETE", session).catch(() => {});
        end(server, screen);
      },
    };
  } catch (error) {
    end(server, screen);
    throw error;
  }
}

function end(...processes: ChildProcess[]): void {
  for (const process of processes) process.kill();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Tries again until it does not fail, for ten seconds. */
async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await attempt();
    } catch (error) {
      if (tries === 100) throw error;
      await setTimeout(100);
    }
}
