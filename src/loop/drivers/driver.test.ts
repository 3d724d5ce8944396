// What a loop asks of any driver.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualDriver } from "../../testing/index.js";
import { Loop } from "../loop.js";
import type { Driver } from "./driver.js";
import { timer } from "./timer.js";

/** A driver of the user's own, which logs its calls. */
function ownDriver(onStart: (loop: Loop) => void = () => {}) {
  const heard: string[] = [];
  const driver: Driver = {
    start(loop) {
      heard.push("start");
      onStart(loop);
    },
    stop: () => void heard.push("stop"),
    now: () => 0,
  };
  return { heard, driver };
}

test("a driver of your own starts and stops with the loop, and calls advance", () => {
  let host: Loop | undefined;
  const { driver, heard } = ownDriver((loop) => (host = loop));
  const loop = new Loop({ rate: 100 });
  loop.start(driver);
  loop.start();
  loop.start(driver);
  host!.advance(0, 5000);
  host!.advance(0.05, 5050);
  expect([loop.tick, loop.frame.timestamp, loop.driver === driver, loop.running]).toEqual([
    5,
    5050,
    true,
    true,
  ]);
  loop.stop();
  loop.stop();
  expect([heard, loop.running]).toEqual([["start", "stop"], false]);
  loop.start();
  expect(heard).toEqual(["start", "stop", "start"]);
});

test("another driver takes over without a stop in between", () => {
  const heard: string[] = [];
  const [first, second] = [ownDriver(), ownDriver()];
  const loop = new Loop({ rate: 100 });
  for (const event of ["start", "stop"] as const) loop.on(event, () => void heard.push(event));
  loop.start(first.driver);
  loop.start(second.driver);
  expect([first.heard, second.heard, heard]).toEqual([["start", "stop"], ["start"], ["start", "start"]]);
  expect([loop.driver === second.driver, loop.running]).toEqual([true, true]);
});

describe("a driver that cannot start", () => {
  const broken = () =>
    ownDriver(() => {
      throw new Error("no display");
    }).driver;

  test("leaves the loop stopped", () => {
    const loop = new Loop({ rate: 60 });
    expect(() => loop.start(broken())).toThrow("no display");
    expect(loop.running).toBe(false);
  });

  test("has stopped the driver that it should have replaced", () => {
    const loop = new Loop({ rate: 60 });
    const first = manualDriver();
    loop.start(first);
    expect(() => loop.start(broken())).toThrow("no display");
    expect(loop.running).toBe(false);
    expect(() => first.wait(0.1)).toThrow("no loop is running");
    loop.start(first);
    first.wait(0.1);
    expect(loop.tick).toBe(6);
  });

  test("as it drives another loop already, goes on with that one", () => {
    const driver = manualDriver();
    const [first, second] = [new Loop({ rate: 100 }), new Loop({ rate: 100 })];
    first.start(driver);
    expect(() => second.start(driver)).toThrow(
      errorWith("in-use", "Loop.start: this driver already drives another loop. Create one per loop."),
    );
    driver.wait(0.1);
    expect([first.tick, first.running, second.running]).toEqual([10, true, false]);
  });
});

test("a driver that stops the loop while it starts does not run and emits no event", () => {
  const { driver, heard } = ownDriver((loop) => loop.stop());
  const loop = new Loop({ rate: 60 });
  loop.on("start", () => void heard.push("event"));
  loop.start(driver);
  expect([loop.running, heard]).toEqual([false, ["start", "stop"]]);
});

test("an error in a listener to the driver's notices stops a loop that is starting", () => {
  const { driver, heard } = ownDriver((loop) => loop.emit("driver", { kind: "hidden", reason: "" }));
  const loop = new Loop({ rate: 50 });
  loop.on("driver", () => {
    throw new Error("broken");
  });
  expect(() => loop.start(driver)).toThrow("broken");
  expect([loop.running, heard]).toEqual([false, ["start", "stop"]]);
});

test("a driver that throws when it stops leaves the loop stopped", () => {
  const heard: string[] = [];
  const loop = new Loop({ rate: 60 });
  loop.on("stop", () => void heard.push("stop"));
  loop.start({
    start() {},
    now: () => 0,
    stop() {
      throw new Error("mine");
    },
  });
  expect(() => loop.stop()).toThrow("mine");
  expect([loop.running, heard]).toEqual([false, ["stop"]]);
});

test("without a driver, the first start is an error", () => {
  expect(() => new Loop({ rate: 60 }).start()).toThrow(
    "Loop.start: driver must be a driver, got undefined. Try display(), timer() or nodeTimer().",
  );
});

test.each<[unknown, string]>([
  ["raf", '"raf"'],
  [true, "true"],
  [null, "null"],
  [timer, "a function"],
  [{}, "{}"],
  [{ start() {} }, "{}"],
  [{ start() {}, stop() {} }, "{}"],
  [{ start() {}, stop() {}, now: 0 }, "{}"],
])("rejects %o as a driver", (driver, shown) => {
  const loop = new Loop({ rate: 60 });
  expect(() => loop.start(driver as never)).toThrow(errorWith("bad-value", `Loop.start: driver`));
  expect([loop.running, loop.driver, shown.length > 0]).toEqual([false, undefined, true]);
});
