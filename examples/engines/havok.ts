// Havok. The engine itself has no accumulator: it simulates what you pass. Babylon.js, around it, has one.
import HavokPhysics from "@babylonjs/havok";

/** A ball that moves at 60 units per second. Pass the bytes of HavokPhysics.wasm, or let the browser fetch them. */
export async function havokBall(wasmBinary?: ArrayBuffer) {
  const havok = await HavokPhysics(wasmBinary ? { wasmBinary } : {});
  const [, world] = havok.HP_World_Create();
  havok.HP_World_SetGravity(world, [0, 0, 0]);
  const [, ball] = havok.HP_Body_Create();
  const [, shape] = havok.HP_Shape_CreateSphere([0, 0, 0], 1);
  havok.HP_Body_SetShape(ball, shape);
  havok.HP_Body_SetMotionType(ball, havok.MotionType.DYNAMIC);
  havok.HP_Body_SetMassProperties(ball, [[0, 0, 0], 1, [1, 1, 1], [0, 0, 0, 1]]);
  havok.HP_Body_SetLinearDamping(ball, 0);
  havok.HP_World_AddBody(world, ball, false);
  havok.HP_Body_SetLinearVelocity(ball, [60, 0, 0]);
  return {
    step(dt: number) {
      havok.HP_World_SetIdealStepTime(world, dt); // or it adjusts its solver to 1/60 s
      havok.HP_World_Step(world, dt);
    },
    x: () => havok.HP_Body_GetPosition(ball)[1][0],
  };
}
