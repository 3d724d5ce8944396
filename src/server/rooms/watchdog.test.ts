import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { Watchdog } from "./watchdog.js";

/** A module with a function that never returns: (func (export "loop") (loop (br 0))). */
const ENDLESS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 108, 111, 111, 112, 0, 0, 10, 9, 1,
  7, 0, 3, 64, 12, 0, 11, 11,
]);

describe.each(["thread", "timer", "vm"] as const)("by means of: %s", (means) => {
  const dog = () => new Watchdog(100, means);
  beforeAll(async () => {
    while (means === "thread" && !Watchdog.startThread())
      await new Promise<void>((done) => void setTimeout(done, 5));
  });

  test("a call that returns is not noticed", () => {
    let calls = 0;
    expect(dog().run(() => void calls++)).toBe(true);
    expect(calls).toBe(1);
  });

  test("a call that does not return is ended, whatever it catches", () => {
    const passed: string[] = [];
    const isDone = dog().run(() => {
      passed.push("begun");
      try {
        for (;;);
      } catch {
        passed.push("caught");
      } finally {
        passed.push("finally");
      }
    });
    expect([isDone, passed]).toEqual([false, ["begun"]]);
    // The next one runs as if nothing had happened.
    expect(dog().run(() => void passed.push("next"))).toBe(true);
    expect(passed).toEqual(["begun", "next"]);
  });

  test("a call that hangs in wasm is ended", async () => {
    const { instance } = await WebAssembly.instantiate(ENDLESS);
    expect(dog().run(instance.exports["loop"] as () => void)).toBe(false);
  });

  test("an error is passed on as it is", () => {
    const error = new RangeError("too far");
    expect(() =>
      dog().run(() => {
        throw error;
      }),
    ).toThrow(error);
  });

  test("many calls, of which some end just when they are ended", () => {
    const ended = Array.from({ length: 12 }, (_, i) => {
      const end = performance.now() + 20 * i;
      let isThrough = false;
      const isDone = dog().run(() => {
        while (performance.now() < end);
        isThrough = true;
      });
      // One that was ended may have come through, but one that returns has.
      return isDone && !isThrough;
    });
    expect(ended).not.toContain(true);
  });

  test("a call within a call is ended with it", () => {
    const passed: unknown[] = [];
    expect(dog().run(() => void passed.push(dog().run(() => void passed.push("inner"))))).toBe(true);
    const isDone = dog().run(() => {
      dog().run(() => {
        for (;;);
      });
      passed.push("after the inner call");
    });
    expect([isDone, passed]).toEqual([false, ["inner", true]]);
    expect(dog().run(() => {})).toBe(true);
  });

  test("timers and promises go on after a call was ended", async () => {
    let isInTimer = false;
    const isDone = await new Promise<boolean>((done) => {
      setTimeout(() => {
        isInTimer = true;
        done(
          dog().run(() => {
            for (;;);
          }),
        );
      }, 1);
    });
    await new Promise<void>((done) => void setTimeout(done, 1));
    expect([isInTimer, isDone]).toEqual([true, false]);
  });

  test("sockets go on after a call of one of their listeners was ended", async () => {
    const ended: boolean[] = [];
    const server = createServer((socket) => {
      socket.on("data", () => {
        ended.push(
          dog().run(() => {
            while (ended.length === 0);
          }),
        );
        socket.write("done");
      });
    });
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    for (let i = 0; i < 3; i++) {
      client.write("go");
      await once(client, "data");
    }
    client.destroy();
    await new Promise((done) => server.close(done));
    expect(ended).toEqual([false, true, true]);
  });
});

test("without a limit, calls are plain calls", () => {
  let calls = 0;
  expect(new Watchdog(0).run(() => void calls++)).toBe(true);
  expect(calls).toBe(1);
});
