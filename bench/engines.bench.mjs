// Havok in Babylon.js, in a loop: with its own steps in scene.render, and with those switched off. Virtual time, so exact.
import { readFileSync } from "node:fs";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode.js";
import { Logger } from "@babylonjs/core/Misc/logger.js";
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent.js";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin.js";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody.js";
import { PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape.js";
import { Scene } from "@babylonjs/core/scene.js";
import HavokPhysics from "@babylonjs/havok";
import { Loop } from "../dist/index.js";

Logger.LogLevels = Logger.NoneLogLevel;
const DYNAMIC = 2;
const wasm = new URL(import.meta.resolve("@babylonjs/havok/lib/esm/HavokPhysics.wasm"));
const havok = await HavokPhysics({ wasmBinary: new Uint8Array(readFileSync(wasm)).buffer });

/** Draws a ball of 60 units per second for a second. Returns how far it came, in what it should have. */
function run({ isOn, fps }) {
  const scene = new Scene(new NullEngine());
  new FreeCamera("camera", Vector3.Zero(), scene);
  // With `true`, render would pass on the time of a real frame.
  const plugin = new HavokPlugin(!isOn, havok);
  scene.enablePhysics(Vector3.Zero(), plugin);
  const node = new TransformNode("ball", scene);
  const body = new PhysicsBody(node, DYNAMIC, false, scene);
  body.shape = new PhysicsShapeSphere(Vector3.Zero(), 1, scene);
  body.setMassProperties({ mass: 1 });
  body.setLinearDamping(0);
  body.setLinearVelocity(new Vector3(60, 0, 0));
  scene.physicsEnabled = isOn;
  let x = 0;
  const loop = new Loop({
    rate: 50,
    step({ dt }) {
      if (isOn) return;
      plugin.executeStep(dt, scene.getPhysicsEngine().getBodies());
      x = node.position.x;
    },
    render() {
      // What is drawn must not move the body.
      if (!isOn) node.position.x = x - 0.5;
      scene.render();
      if (isOn) x = node.position.x;
    },
  });
  for (let i = 0; i < fps; i++) loop.advance(1 / fps);
  return Number((x / 60).toFixed(3));
}

console.log("Havok in Babylon.js: speed of a ball, in what it should be");
const speeds = {
  leftOn: { fps30: run({ isOn: true, fps: 30 }), fps144: run({ isOn: true, fps: 144 }) },
  switchedOff: { fps30: run({ isOn: false, fps: 30 }), fps144: run({ isOn: false, fps: 144 }) },
};
console.table(speeds);
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "engines", ...speeds }));
