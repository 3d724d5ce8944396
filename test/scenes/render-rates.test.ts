import { describe, expect, test } from "vitest";
import { noise } from "../../scenes/display.js";
import golden from "../../scenes/golden.json" with { type: "json" };
import { ALL_SCENES, inputsOf, type Scene } from "../../scenes/index.js";
import { play } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";
import { manualDisplay, manualDriver } from "../../src/testing/index.js";

const RATES = [15, 30, 60, 144, 240];
const TICKS = 600;
const DRIVERS = { timer: () => manualDriver(), display: () => manualDisplay() };

/** Plays a scene at an average frame rate, with each frame up to half a frame early or late. */
function played(scene: Scene, hertz: number, createDriver: typeof DRIVERS.timer) {
  const driver = createDriver();
  const effects: string[] = [];
  let hash = "";
  let frames = 0;
  const { session, dispose } = play(scene.simulation, {
    driver,
    inputs: inputsOf(scene),
    render: () => void frames++,
    effect: ({ name, tick }) => void (tick < TICKS && effects.push(`${tick} ${name}`)),
  });
  session.on("confirmed", ({ tick }) => {
    if (tick === TICKS - 1) hash = hashText(session.hash());
  });
  const shake = noise(hertz);
  // A few more frames, so that all effects are delivered.
  while (session.tick < TICKS + 20) driver.wait((0.5 + shake()) / hertz);
  dispose();
  return { hash, effects, frames };
}

describe.each(ALL_SCENES)("%s", (name, scene) => {
  test.each(Object.entries(DRIVERS))(
    "has the same hash and effects at 15, 30, 60, 144 and 240 frames per second (%s)",
    (_, createDriver) => {
      const [first, ...others] = RATES.map((hertz) => played(scene, hertz, createDriver));
      expect(first!.hash).toBe(golden[name]["600"]);
      for (const other of others) {
        expect(other.hash).toBe(first!.hash);
        expect(other.effects).toEqual(first!.effects);
      }
      // The number of frames differs: ten seconds at each rate.
      expect(first!.frames).toBeLessThan(200);
      expect(others.at(-1)!.frames).toBeGreaterThan(2000);
    },
  );
});
