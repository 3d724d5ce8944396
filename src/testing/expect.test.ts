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
  test("says nothing where all is as it was: of bytes, and of a replay that was read", () => {
    expect(expectReplay(duel(), recorded())).toBeUndefined();
    expect(expectReplay(duel(), readReplay(recorded()))).toBeUndefined();
    expect(expectReplay(duel(), Buffer.from(recorded()))).toBeUndefined();
    expect(expectReplay(duel(), recorded().buffer as ArrayBuffer)).toBeUndefined();
  });

  test("throws the state that differs and its fields", () => {
    const other = duel({ change: (world, tick) => tick === 70 && (world.heat += 1) });
    expect(() => expectReplay(other, recorded())).toThrow(
      /^verify: duel diverges from the recording: state 100 differs, state 60 did not.*\nheat: .* ≠ .*$/,
    );
  });

  test("takes what an autosave left, cut off or not, but nothing that is damaged or proves nothing", () => {
    const bytes = recorded();
    expect(expectReplay(duel(), bytes.subarray(0, -3))).toBeUndefined();
    const damaged = withBody(bytes, chunksOf(bytes).length - 1, Uint8Array.of(99));
    expect(() => expectReplay(duel(), damaged)).toThrow("expectReplay: file must be undamaged, got");
    const without = recorded(100, { checkpoints: 0 });
    expect(() => expectReplay(duel(), without)).toThrow(
      "expectReplay: file must be a recording with checkpoints",
    );
    expect(() => expectReplay(duel(), Uint8Array.of(1, 2, 3))).toThrow(
      "readReplay: bytes must be at least 8",
    );
    expect(() => expectReplay(duel(), readReplay(new Blob([recorded()])) as never)).toThrow(
      "verify: replay must be a replay, got a Promise (did you forget await?).",
    );
  });
});

describe("expectDeterministic", () => {
  test("says nothing, or throws what the sync test found", () => {
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
