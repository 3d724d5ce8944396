// Every error code is thrown by a real call, with a message that begins with the call and contains the problem and the
// fix.
import { expect, test } from "vitest";
import { TickwiseError, type ErrorCode } from "../src/errors/index.js";
import { button, inputLatch, keyboard, Packing } from "../src/input/index.js";
import { Loop } from "../src/loop/index.js";
import { random } from "../src/math/index.js";
import { joinRoom } from "../src/net/index.js";
import { guard, localSession, simulation, type LocalSession } from "../src/sim/index.js";
import { f64, layout, table } from "../src/state/index.js";

const state = layout({ x: f64, rows: table(1, { y: f64 }) });
const packing = new Packing({ jump: button });
type World = ReturnType<typeof state.allocate>["world"];

const session = (step: (world: World) => void, options: object = {}) =>
  localSession(simulation({ name: "errors", version: 1, rate: 60, state, step }), options);

/** An external state, which only a session with a history can restore after a failed step. */
const counter = () => {
  let count = 0;
  return {
    add: () => void count++,
    save: () => Uint8Array.of(count),
    load: ([saved]: Uint8Array) => void (count = saved!),
    hash: () => [count, 0] as const,
  };
};

/** A call that throws each code. The type makes sure that no code is missing. */
const TRIGGERS: Readonly<Record<ErrorCode, () => unknown>> = {
  "bad-value": () => new Loop({ rate: 0 }),
  "unknown-option": () => inputLatch(packing, { fraction: {} } as never),
  "unknown-name": () => inputLatch(packing).press("jmup" as never),
  disposed() {
    const disposed = session(() => {});
    disposed.dispose();
    disposed.advance();
  },
  reentrant() {
    const loop: Loop = new Loop({ rate: 60, step: () => void loop.advance(1 / 60) });
    loop.advance(1 / 60);
  },
  "async-callback": () => new Loop({ rate: 60, step: async () => {} }).advance(1 / 60),
  "not-ready": () => random(new Uint32Array(4)).float(),
  "in-use"() {
    const generator = random(new Uint32Array(4)).seed(1);
    generator.fork("loot", generator);
  },
  "table-full"() {
    const { rows } = state.allocate().world;
    rows.add();
    rows.add();
  },
  "stale-row"() {
    const stepped = session(
      ({ rows }) => {
        rows.add();
        let stale: { y: number } | undefined;
        for (const row of rows) stale = row;
        stale!.y = 1;
      },
      { guard: guard() },
    );
    stepped.advance();
  },
  "read-only"() {
    const guarded = session(() => {}, { guard: guard() });
    guarded.advance();
    (guarded.world as World).x = 1;
    guarded.advance();
  },
  "rate-mismatch"() {
    const stepped = session(() => {});
    new Loop({ rate: 30, step: () => stepped.advance() }).advance(0.1);
  },
  "step-failed"() {
    let failed: Pick<LocalSession<never, never, never, never>, "advance"> | undefined;
    try {
      failed = localSession(
        simulation({
          name: "failed",
          version: 1,
          rate: 60,
          state,
          external: { counter },
          step(_, __, { external }) {
            external.counter.add();
            throw new Error("mine");
          },
        }),
      );
      failed.advance();
    } catch (error) {
      if ((error as Error).message !== "mine") throw error;
    }
    failed!.advance();
  },
  "not-finite": () => session((world) => (world.x = NaN), { guard: guard() }).advance(),
  "forbidden-call": () => session((world) => (world.x = Math.random()), { guard: guard() }).advance(),
  "wrong-simulation": () => state.allocate().loadBytes(layout({ other: f64 }).allocate().bytes()),
  "corrupt-data"() {
    const bytes = state.allocate().bytes();
    bytes[bytes.length - 1]! ^= 1;
    state.allocate().loadBytes(bytes);
  },
  unsupported: () => keyboard(),
  refused: () => joinRoom("ws://localhost", { webSocket: closesWith(4003, "the room is full") as never }),
  unreachable: () => joinRoom("ws://localhost", { webSocket: closesWith(1006, "") as never }),
};

/** A WebSocket that the server closes. */
const closesWith = (code: number, reason: string) =>
  class {
    addEventListener(type: string, listener: (event: object) => void) {
      if (type === "close") queueMicrotask(() => listener({ code, reason }));
    }
    close() {}
  };

const errorOf = async (act: () => unknown): Promise<unknown> => {
  try {
    return await act();
  } catch (error) {
    return error;
  }
};

async function check(code: ErrorCode): Promise<void> {
  const error = await errorOf(TRIGGERS[code]);
  expect(error).toBeInstanceOf(TickwiseError);
  const { code: thrown, name, call, problem, fix, message } = error as TickwiseError;
  expect({ thrown, name }).toEqual({ thrown: code, name: "TickwiseError" });
  expect(message.startsWith(call), `"${message}" begins with "${call}"`).toBe(true);
  expect(message).toContain(problem);
  expect(message).toContain(fix ?? "");
  expect(message).toMatch(/[.?!]$/);
}

const codes = Object.keys(TRIGGERS) as ErrorCode[];
test.each(codes)("%s is thrown", check);

test("a bad value has a rule and a value, a forbidden call has its name, and a refusal says why", async () => {
  const errors = await Promise.all(codes.map((code) => errorOf(TRIGGERS[code]) as Promise<TickwiseError>));
  const withRule = codes.filter((_, i) => errors[i]!.rule !== undefined);
  const withValue = codes.filter((_, i) => errors[i]!.value !== undefined);
  expect({ withRule, withValue }).toEqual({
    withRule: ["bad-value"],
    withValue: ["bad-value", "forbidden-call", "refused"],
  });
});
