// Starts browsers for test files: Chromium and Firefox with puppeteer, WebKit with its WebDriver.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import puppeteer from "puppeteer-core";
import { findBrowser, type BrowserName } from "../../scripts/browsers.mjs";
import type { Started } from "./setup.js";
import { webDriver, type WebKitSession } from "./webdriver.js";

/** Starts a browser. Returns the address of its web socket or, for WebKit, of a session. */
export function startBrowser(name: BrowserName): Promise<Started> {
  const paths = findBrowser(name) as string[] | undefined;
  if (!paths) throw new Error(`${name} is missing. On Debian, npm test installs it.`);
  if (name === "webkit") return startWebKit(paths);
  return name === "firefox" ? startFirefox(paths[0]!) : startChromium(paths[0]!);
}

// No sandbox, as tests may run as root; software rendering; no background requests; own addresses for WebRTC instead of names
// that only a local network with multicast resolves.
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-features=WebRtcHideLocalIpsWithMdns",
];

/** As above for WebRTC, and also without a network. */
const FIREFOX_PREFERENCES = {
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "media.peerconnection.ice.loopback": true,
};

/** Time limit for a start, in milliseconds. Long enough for a busy machine. */
const TIMEOUT = 120_000;

async function startChromium(executablePath: string): Promise<Started> {
  const options = { executablePath, args: CHROMIUM_FLAGS, timeout: TIMEOUT };
  const browser = await puppeteer.launch({ browser: "chrome", ...options });
  return { reply: browser.wsEndpoint(), close: () => browser.close() };
}

async function startFirefox(executablePath: string): Promise<Started> {
  const options = {
    executablePath,
    headless: true,
    timeout: TIMEOUT,
    extraPrefsFirefox: FIREFOX_PREFERENCES,
  };
  const browser = await puppeteer.launch({ browser: "firefox", ...options });
  const reply = browser.wsEndpoint();
  const child = browser.process()!;
  // Accepts one connection at a time.
  await browser.disconnect();
  return {
    reply,
    async close() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

async function startWebKit([driver, xvfb, binary]: string[]): Promise<Started> {
  // Picks a free display number, and prints it.
  const screen = spawn(xvfb!, ["-displayfd", "1", "-screen", "0", "1024x768x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [display] = (await once(screen.stdout!, "data")) as [Buffer];
  const port = await freePort();
  const server = spawn(driver!, [`--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, DISPLAY: `:${display.toString().trim()}`, WEBKIT_DISABLE_COMPOSITING_MODE: "1" },
  });
  const address = `http://127.0.0.1:${port}`;
  const end = () => [server, screen].forEach((each) => each.kill());
  try {
    await untilItAnswers(address);
    const capabilities = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
    const { sessionId } = await webDriver<{ sessionId: string }>(address, "POST", "/session", {
      capabilities: { alwaysMatch: capabilities },
    });
    const session: WebKitSession = `${address}/session/${sessionId}`;
    // A script may take as long as its test.
    await webDriver(session, "POST", "/timeouts", { script: TIMEOUT, pageLoad: TIMEOUT });
    return {
      reply: session,
      async close() {
        await webDriver(session, "DELETE", "").catch(() => {});
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function untilItAnswers(address: string): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return await webDriver(address, "GET", "/status");
    } catch (error) {
      if (tries * 100 > TIMEOUT) throw error;
      await setTimeout(100);
    }
}
