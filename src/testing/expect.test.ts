import { describe, expect, test } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import { chunksOf, withBody } from "../../test/replay/files.js";
import { readReplay, record } from "../replay/index.js";
import { simulation } from "../sim/index.js";
import { expectDeterministic, expectReplay } from "./index.js";

function recorded(ticks = 100, options = {}) {
  const session = duelSession();
  const recorder = record(session, options);
  session.skip(ticks);
  return recorder.bytes();
}

describe("expectReplay", () => {
  test("passes if the simulation matches, for bytes and for a replay", () => {
    expect(expectReplay(duel(), recorded())).toBeUndefined();
    expect(expectReplay(duel(), readReplay(recorded()))).toBeUndefined();
    expect(expectReplay(duel(), Buffer.from(recorded()))).toBeUndefined();
    expect(expectReplay(duel(), recorded().buffer as ArrayBuffer)).toBeUndefined();
  });

  test("throws an error with the state that differs and its fields", () => {
    const other = duel({ change: (world, tick) => tick === 70 && (world.heat += 1) });
    expect(() => expectReplay(other, recorded())).toThrow(
      /^expectReplay: duel diverges from the recording: state 100 differs, state 60 did not.*\nheat: .* ≠ .*$/,
    );
  });

  test("accepts a truncated file, but not a damaged one or one without checkpoints", () => {
    const bytes = recorded();
    expect(expectReplay(duel(), bytes.subarray(0, -3))).toBeUndefined();
    const damaged = withBody(bytes, chunksOf(bytes).length - 1, Uint8Array.of(99));
    expect(() => expectReplay(duel(), damaged)).toThrow(
      expect.objectContaining({
        code: "corrupt-data",
        message: expect.stringMatching(
          /^expectReplay: the file is damaged: byte \d+: DONE chunk at another tick/,
        ),
      }),
    );
    const without = recorded(100, { checkpoints: 0 });
    expect(() => expectReplay(duel(), without)).toThrow(
      "expectReplay: no checkpoints were recorded in 100 ticks, so there is nothing to compare. Record with checkpoints.",
    );
    expect(() => expectReplay(duel(), Uint8Array.of(1, 2, 3))).toThrow(
      "expectReplay: not a replay: only 3 bytes long.",
    );
    expect(() => expectReplay(duel(), "one.twr" as never)).toThrow(
      'expectReplay: file must be the bytes of a replay, got "one.twr". Try readFileSync("one.twr").',
    );
    expect(() => expectReplay(duel(), readReplay(new Blob([recorded()])) as never)).toThrow(
      "expectReplay: replay must be a replay, got a Promise, did you forget `await`?",
    );
  });
});

test("expectReplay rejects unknown options", () => {
  expect(() => expectReplay(duel(), recorded(), { gaurd: undefined } as never)).toThrow(
    'expectReplay: unknown option "gaurd". Did you mean "guard"?',
  );
});

describe("expectDeterministic", () => {
  test("passes, or throws the message of the sync test", () => {
    expect(expectDeterministic(duel(), { ticks: 60 })).toBeUndefined();
    let cache = 0;
    const { options } = duel();
    const leaking = simulation({
      ...options,
      step(world, inputs, context) {
        options.step(world, inputs, context);
        world.heat += cache++;
      },
    });
    expect(() => expectDeterministic(leaking)).toThrow(
      /^syncTest: duel is not deterministic: state \d+ .*\nheat: /,
    );
  });
});
