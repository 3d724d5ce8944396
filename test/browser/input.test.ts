// Devices in real browsers, with real keys and a real mouse. Only the gamepad is a fake.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { FULL } from "../full.js";
import { launch, openChromium, until, type TestBrowser, type TestPage } from "./launch.js";
import { usePackage } from "./server.js";

/** A latch with a keyboard and a pointer on a canvas, and `next()`, which returns what the next step sees. */
const TOOLS = `(() => {
  const { Packing, axis, button, inputLatch, bindInputs, keyboard, pointer } = tickwise.input;
  document.body.innerHTML =
    '<canvas style="position: fixed; left: 100px; top: 100px; width: 200px; height: 100px"></canvas><input>';
  const packing = new Packing({ left: button, jump: button, fire: button, move: axis(8), aim: axis(8) });
  const words = new Uint32Array(packing.words);
  window.latch = inputLatch(packing);
  const canvas = document.querySelector("canvas");
  const mapping = {
    left: ["KeyA", "ArrowLeft"],
    jump: ["Space"],
    move: ["-KeyA", "KeyD"],
    fire: ["pointer left"],
    aim: ["pointer x"],
  };
  window.bindings = bindInputs(latch, mapping, [keyboard(window, { preventDefault: true }), pointer(canvas)]);
  window.next = () => {
    latch.sample(words, 0, { tick: 0, peek: false, due: 1, from: Infinity, to: Infinity });
    return packing.unpack(words);
  };
})()`;

interface Seen {
  left: boolean;
  jump: boolean;
  fire: boolean;
  move: number;
  aim: number;
}

const server = usePackage();

describe.each(BROWSER_NAMES)("%s", (name) => {
  describe.runIf(findBrowser(name) || process.env.CI)("reads devices", () => {
    let browser: TestBrowser;
    let page: TestPage;
    beforeAll(async () => void (browser = await launch(name)));
    afterAll(() => browser?.close());
    const open = async () => {
      page = await browser.open(server.page());
      await page.show();
      await page.evaluate(TOOLS);
    };
    afterEach(() => page?.close());
    const next = () => page.evaluate<Seen>("next()");

    /** What does not depend on the engine is tested in one, and in all in the full run. */
    const isFirst = FULL || name === "chromium";

    test("physical keys: a tap is down for one tick, and two keys of a button count as one press", async () => {
      await open();
      await page.key("Space", true);
      await page.key("Space", false);
      expect([await next(), await next(), await next()].map(({ jump }) => jump)).toEqual([
        true,
        false,
        false,
      ]);
      await page.key("KeyA", true);
      await page.key("ArrowLeft", true);
      await page.key("KeyA", false);
      expect(await next()).toMatchObject({ left: true, move: 0 });
      await page.key("ArrowLeft", false);
      await page.key("KeyD", true);
      expect(await next()).toMatchObject({ left: false, move: 1 });
      await page.key("KeyD", false);
      expect(await next()).toMatchObject({ move: 0 });
    });

    test("a loop sees each of many taps exactly once, with timestamps of its own clock", async () => {
      await open();
      await page.evaluate(`void (() => {
        bindings.dispose();
        const { simulation, button, play } = tickwise.sim;
        const { inputLatch, bindInputs, keyboard } = tickwise.input;
        const game = simulation({
          name: "taps", version: 1, rate: 30,
          state: tickwise.state.layout({ taps: tickwise.state.u32, longest: tickwise.state.u32 }),
          input: { jump: button },
          step(world, [player]) {
            if (player.pressed.jump) world.taps++;
            world.longest = Math.max(world.longest, player.held.jump);
          },
        });
        window.latch = inputLatch(game.packing);
        bindInputs(latch, { jump: ["Space"] }, [keyboard()]);
        window.off = [];
        addEventListener("keydown", ({ timeStamp }) => off.push(performance.now() - timeStamp));
        window.running = play(game, { inputs: latch });
      })()`);
      for (let i = 0; i < 10; i++) {
        await page.key("Space", true);
        await page.key("Space", false);
      }
      await until(page, "running.session.world.taps >= 10 && latch.waiting === 0");
      const seen = await page.evaluate<number[]>(
        "[running.session.world.taps, latch.waiting, latch.lost, off.length]",
      );
      expect(seen).toEqual([10, 0, 0, 10]);
      const off = await page.evaluate<number[]>("off");
      // May be coarse in some browsers and late on a busy machine, but is of the same clock.
      for (const milliseconds of off) expect(Math.abs(milliseconds)).toBeLessThan(600_000);
      await page.evaluate("running.dispose()");
    });

    test.runIf(isFirst)("ignores keys while text is typed", async () => {
      await open();
      await page.evaluate("document.querySelector('input').focus()");
      await page.key("KeyA", true);
      await page.key("KeyA", false);
      expect(await page.evaluate("[latch.waiting, document.querySelector('input').value]")).toEqual([0, "a"]);
    });

    test("a pointer is pressed on its element and released anywhere", async () => {
      await open();
      await page.mouse(20, 20, true);
      await page.mouse(20, 20, false);
      expect(await page.evaluate("latch.waiting")).toBe(0);
      await page.mouse(150, 150, true);
      expect(await next()).toMatchObject({ fire: true, aim: -64 / 127 });
      await page.mouse(290, 20, true);
      expect(await next()).toMatchObject({ fire: true, aim: 114 / 127 });
      await page.mouse(290, 20, false);
      expect(await next()).toMatchObject({ fire: false });
    });

    test.runIf(isFirst)("releases everything when the page is hidden or loses the focus", async () => {
      await open();
      await page.key("KeyA", true);
      await page.mouse(200, 150, true);
      expect(await next()).toMatchObject({ left: true, move: -1, fire: true });
      // WebKit's WebDriver cannot hide a page.
      if (page.hide) await page.hide();
      else await page.evaluate("void window.dispatchEvent(new Event('blur'))");
      await until(page, "!next().left");
      expect(await next()).toMatchObject({ left: false, move: 0, fire: false });
    });

    test.runIf(isFirst)("releases nothing when another element loses the focus", async () => {
      await open();
      await page.evaluate("document.querySelector('canvas').tabIndex = 0");
      await page.evaluate("document.querySelector('canvas').focus()");
      await page.key("KeyD", true);
      await page.evaluate("document.querySelector('canvas').blur()");
      expect(await next()).toMatchObject({ move: 1 });
      await page.key("KeyD", false);
      expect(await next()).toMatchObject({ move: 0 });
    });

    test.runIf(isFirst)("reads a fake gamepad", async () => {
      await open();
      const seen = await page.evaluate<unknown[]>(`(() => {
        const { gamepads, bindInputs } = tickwise.input;
        const pad = {
          index: 0, connected: true, timestamp: performance.now(), axes: [0, 0, 0, 0],
          buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })),
        };
        let pads = [pad, null];
        Object.defineProperty(navigator, "getGamepads", { configurable: true, value: () => pads });
        const bound = bindInputs(latch, { jump: ["pad a"], move: ["pad leftX"] }, [gamepads()]);
        const seen = [];
        const look = () => { const { jump, move } = next(); seen.push([jump, move]); };
        look();
        pad.buttons[0] = { pressed: true, value: 1 };
        pad.axes[0] = 1;
        look();
        pads = [null, null];
        window.dispatchEvent(new Event("gamepaddisconnected"));
        look();
        bound.dispose();
        return seen;
      })()`);
      expect(seen).toEqual([
        [false, 0],
        [true, 1],
        [false, 0],
      ]);
    });

    test.runIf(isFirst)("dispose leaves nothing behind", async () => {
      await open();
      const left = await page.evaluate<number[]>(`(() => {
        const { bindInputs, gamepads, keyboard, pointer, touch } = tickwise.input;
        let listeners = 0;
        const { addEventListener, removeEventListener } = EventTarget.prototype;
        EventTarget.prototype.addEventListener = function (...args) {
          listeners++;
          return addEventListener.apply(this, args);
        };
        EventTarget.prototype.removeEventListener = function (...args) {
          listeners--;
          return removeEventListener.apply(this, args);
        };
        Object.defineProperty(navigator, "getGamepads", { configurable: true, value: () => [] });
        const counts = [];
        const canvas = document.querySelector("canvas");
        for (let i = 0; i < 3; i++) {
          const devices = [
            keyboard(), keyboard(canvas), pointer(canvas, { preventDefault: true }), touch(canvas), gamepads(),
          ];
          const bound = bindInputs(latch, { jump: ["Space", "pointer left", "touch", "pad a"] }, devices);
          counts.push(Math.min(listeners, 1));
          bound.dispose();
          counts.push(listeners);
        }
        EventTarget.prototype.addEventListener = addEventListener;
        EventTarget.prototype.removeEventListener = removeEventListener;
        return counts;
      })()`);
      expect(left).toEqual([1, 0, 1, 0, 1, 0]);
      await page.evaluate("bindings.dispose()");
      await page.key("Space", true);
      await page.key("Space", false);
      expect(await page.evaluate("latch.waiting")).toBe(0);
    });
  });
});

// Only Chromium's driver can simulate touch.
test.runIf(findBrowser("chromium"))(
  "chromium: two fingers hold their zones until each is lifted",
  async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.setViewport({ width: 400, height: 200, hasTouch: true });
      await page.goto(server.page());
      await page.evaluate(TOOLS);
      await page.evaluate(`void (() => {
      bindings.dispose();
      document.documentElement.style.touchAction = "none";
      const { bindInputs, touch } = tickwise.input;
      const zones = { go: [0, 0, 0.5, 1], jump: [0.5, 0, 1, 1] };
      const mapping = { left: ["touch go"], jump: ["touch jump"], fire: ["touch"], aim: ["touch x"] };
      bindInputs(latch, mapping, [touch(window, { zones })]);
    })()`);
      const next = async () => {
        const { left, jump, fire, aim } = (await page.evaluate("next()")) as Seen;
        return [left, jump, fire, Math.round(aim * 100) / 100];
      };
      const first = await page.touchscreen.touchStart(50, 100);
      expect(await next()).toEqual([true, false, true, -0.75]);
      const second = await page.touchscreen.touchStart(300, 100);
      await first.move(250, 100);
      expect(await next()).toEqual([true, true, true, 0.25]);
      await first.end();
      expect(await next()).toEqual([false, true, true, 0.25]);
      await second.end();
      expect(await next()).toEqual([false, false, false, 0.25]);
    } finally {
      await browser.close();
    }
  },
);
