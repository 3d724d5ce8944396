// react-three-fiber. Its loop runs, and its frames drive ours. React renders once; meshes follow the views.
import { addEffect, Canvas, useFrame } from "@react-three/fiber";
import { useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { Quaternion, Vector3, type Mesh } from "three";
import { display, Loop } from "tickwise";
import { rotation, smoothAll, teleport, vector3 } from "tickwise/blend";
import { controls, hasWebGL } from "../page.js";

/** The frames of react-three-fiber, before it calls `useFrame` and draws. */
const screen = display({
  frames: {
    begin: (frame) => addEffect((timestamp) => frame(timestamp)),
    now: () => performance.now(),
  },
});

class Body {
  position = new Vector3();
  rotation = new Quaternion();
  velocity = new Vector3();
  constructor(
    readonly size: number,
    readonly colour: string,
    x: number,
    readonly z: number,
  ) {
    this.position.set(x, 2 + 0.3 * x, z);
    this.velocity.set(2 + 0.3 * z, 1, 0);
  }

  step(dt: number) {
    this.velocity.y -= 9.81 * dt;
    this.position.addScaledVector(this.velocity, dt);
    this.rotation.premultiply(turn.setFromAxisAngle(axis, -2.5 * dt));
    if (this.position.y < this.size / 2 && this.velocity.y < 0) this.velocity.y = 6 - 0.4 * this.z;
    if (this.position.x < 5) return;
    this.position.x = -5;
    teleport(this); // do not blend across the jump
  }
}
const turn = new Quaternion();
const axis = new Vector3(0.3, 0, 1).normalize();

const bodies = Array.from(
  { length: 7 },
  (_, i) => new Body(i ? 0.4 : 0.8, i ? "#3aa0c8" : "#ff8c00", i ? 1.4 * i - 5 : -4, i ? -1.5 - (i % 3) : 1),
);
const loop = new Loop({
  rate: 30,
  step({ dt }) {
    for (const body of bodies) body.step(dt);
  },
});
const shown = smoothAll(loop, bodies, { position: vector3, rotation });

function Box({ body, index }: { body: Body; index: number }) {
  const mesh = useRef<Mesh>(null);
  // Writes to the mesh. Setting React state in every frame would render the component in every frame.
  useFrame(() => {
    const view = shown[index];
    if (!view || !mesh.current) return;
    mesh.current.position.copy(view.position);
    mesh.current.quaternion.copy(view.rotation);
  });
  return (
    <mesh ref={mesh}>
      <boxGeometry args={[body.size, body.size, body.size]} />
      <meshStandardMaterial color={body.colour} />
    </mesh>
  );
}

function App() {
  useEffect(() => {
    loop.start(screen);
    return () => loop.stop(); // on unmount, on hot reload, and twice in strict mode
  }, []);
  return (
    <Canvas camera={{ fov: 40, position: [0, 2.4, 9.5] }}>
      <color attach="background" args={["#1b2733"]} />
      <directionalLight position={[-3, 8, 4]} intensity={2.5} />
      <hemisphereLight args={["#cfe8ff", "#334455", 1.5]} />
      <gridHelper args={[16, 16, "#48627a", "#2c3e50"]} />
      {bodies.map((body, i) => (
        <Box key={i} body={body} index={i} />
      ))}
    </Canvas>
  );
}

if (hasWebGL()) {
  controls(loop);
  createRoot(document.querySelector("main")!).render(<App />);
}
