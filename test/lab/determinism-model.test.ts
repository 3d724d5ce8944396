// The models of "Determinism": lanes on displays, planted faults, and the sync test.
import { describe, expect, test } from "vitest";
import { sceneOf } from "../../lab/src/scenes/drawable.js";
import { Pair } from "../../lab/src/determinism/pair.js";
import { testScene } from "../../lab/src/determinism/sync.js";
import type { DeterminismSettings } from "../../lab/src/determinism/settings.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";

const settings = (some: Partial<DeterminismSettings>): DeterminismSettings => ({
  scene: "platformer",
  left: "30",
  right: "144",
  fault: "none",
  ...some,
});
const DRAWN = ["platformer", "balls", "orbit", "tumble"] as const;

describe.each(DRAWN)("%s:", (scene) => {
  test("gives the same hashes on any two displays", () => {
    const seconds = scene === "balls" ? 1 : 5;
    const results = (
      [
        ["15", "jitter"],
        ["30", "144"],
        ["60", "240"],
        ["jitter", "jitter"],
      ] as const
    ).map(([left, right]) => {
      const pair = new Pair(settings({ scene, left, right }));
      // In uneven slices of the page's time.
      for (let now = 0; now < seconds; now += 0.0137) pair.advanceTo(now);
      pair.advanceTo(seconds);
      expect(pair.firstDifference).toBe(-1);
      expect(pair.differing).toBe(0);
      expect(pair.compared).toBeGreaterThan(60 * seconds - 6);
      return pair.latest.find(({ tick }) => tick === 50)!;
    });
    for (const result of results) {
      expect(result.left).toBe(results[0]!.left);
      expect(result.right).toBe(results[0]!.left);
    }
  });

  test("Math.random makes the lanes diverge; syncTest finds the tick, the field and both values", () => {
    const pair = new Pair(settings({ scene, fault: "random" }));
    pair.advanceTo(1);
    expect(pair.firstDifference).toBe(30);
    const result = testScene(settings({ scene, fault: "random" }));
    expect(result).toMatchObject({ ok: false, tick: 30, against: "rollback" });
    expect(result.message).toMatch(/vx|vy\[?|velocity/);
  });

  test("hidden state does not make the lanes diverge, but syncTest finds it", () => {
    const pair = new Pair(settings({ scene, fault: "hidden" }));
    pair.advanceTo(1);
    expect(pair.firstDifference).toBe(-1);
    const result = testScene(settings({ scene, fault: "hidden" }));
    expect(result).toMatchObject({ ok: false });
    expect(result.message).toContain("is not deterministic");
  });

  test("variable steps make the lanes diverge at once, and syncTest finds them", () => {
    const pair = new Pair(settings({ scene, fault: "variable" }));
    pair.advanceTo(1);
    expect(pair.firstDifference).toBe(1);
    expect(testScene(settings({ scene, fault: "variable" })).ok).toBe(false);
  });

  test("passes syncTest without a fault", () => {
    expect(testScene(settings({ scene })).message).toBe("");
  });
});

test("advanceToNextState compares at least one more state", () => {
  const pair = new Pair(settings({ left: "15", right: "240" }));
  for (let tick = 2; tick < 40; tick++) {
    pair.advanceToNextState();
    expect(pair.compared).toBeGreaterThanOrEqual(tick);
  }
  // A frame of the first display runs four steps.
  expect(pair.compared).toBeLessThan(40 * 4 + 2);
});

test("shows the hashes of the session", () => {
  const { simulation, script } = sceneOf("platformer");
  const session = localSession(simulation, { inputs: (players, { tick }) => script(players, tick) });
  const pair = new Pair(settings({ left: "jitter", right: "60" }));
  pair.advanceTo(4);
  for (const { tick, left, right } of pair.latest) {
    expect(session.tick).toBe(tick);
    expect([left, right]).toEqual([hashText(session.hash()), hashText(session.hash())]);
    session.advance();
  }
});
