import { describe, expect, test } from "vitest";
import golden from "../../scenes/golden.json" with { type: "json" };
import { ALL_SCENES, inputsOf } from "../../scenes/index.js";
import { guard, localSession, syncTest } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";

describe.each(ALL_SCENES)("%s", (name, scene) => {
  // Change golden.json only on purpose, together with the version of the scene: copy the hash that a failure prints.
  test.each(["wasm", "js"] as const)("has its golden hash, with %s kernels", (kernels) => {
    const session = localSession(scene.simulation, { inputs: inputsOf(scene), kernels });
    expect(session.kernels).toBe(kernels);
    const hashes: Record<string, string> = {};
    while (session.tick < 6000) {
      session.advance();
      if (session.tick === 600 || session.tick === 6000) hashes[session.tick] = hashText(session.hash());
    }
    expect(hashes).toEqual(golden[name]);
  });

  test("passes the guard", () => {
    const session = localSession(scene.simulation, { inputs: inputsOf(scene), guard: guard() });
    while (session.tick < 600) session.advance();
    expect(hashText(session.hash())).toBe(golden[name]["600"]);
  });

  test("passes the sync test with random inputs", () => {
    const found = syncTest(scene.simulation, { inputs: inputsOf(scene), ticks: 600 });
    expect(found).toMatchObject({ ok: true });
    expect(found.ok && hashText(found.hash)).toBe(golden[name]["600"]);
    expect(syncTest(scene.simulation, { ticks: 300, back: 3, seed: "anything" })).toMatchObject({ ok: true });
  });
});
