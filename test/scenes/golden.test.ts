import { describe, expect, test } from "vitest";
import golden from "../../scenes/golden.json" with { type: "json" };
import { ALL_SCENES, inputsOf } from "../../scenes/index.js";
import { guard, localSession, syncTest } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";

describe.each(ALL_SCENES)("%s", (name, scene) => {
  // Changed only on purpose, with the version of the scene: write into golden.json what is printed here.
  test.each(["wasm", "js"] as const)("ends where it always did, with %s kernels", (kernels) => {
    const session = localSession(scene.simulation, { inputs: inputsOf(scene), kernels });
    expect(session.kernels).toBe(kernels);
    const hashes: Record<string, string> = {};
    while (session.tick < 6000) {
      session.advance();
      if (session.tick === 600 || session.tick === 6000) hashes[session.tick] = hashText(session.hash());
    }
    expect(hashes).toEqual(golden[name]);
  });

  test("does nothing that would make it differ elsewhere", () => {
    const session = localSession(scene.simulation, { inputs: inputsOf(scene), guard: guard() });
    while (session.tick < 600) session.advance();
    expect(hashText(session.hash())).toBe(golden[name]["600"]);
  });

  test("the sync test finds nothing, whatever players do", () => {
    const found = syncTest(scene.simulation, { inputs: inputsOf(scene), ticks: 600 });
    expect(found).toMatchObject({ ok: true });
    expect(found.ok && hashText(found.hash)).toBe(golden[name]["600"]);
    expect(syncTest(scene.simulation, { ticks: 300, back: 3, seed: "anything" })).toMatchObject({ ok: true });
  });
});
