// three.js. The body is the state. The mesh only shows it: no step ever reads the mesh.
import * as THREE from "three";
import { display, Loop } from "tickwise";
import { rotation, smooth, teleport, vector3 } from "tickwise/blend";
import { controls, hasWebGL } from "../page.js";

class Body {
  position = new THREE.Vector3();
  rotation = new THREE.Quaternion();
  velocity = new THREE.Vector3();
  spin = new THREE.Vector3(); // its direction is the axis, its length the radians per second

  throw() {
    this.position.set(-4.6, 2.6, 0);
    this.velocity.set(2.9, 3, 0);
    this.spin.set(0.6, 0.4, -2.6);
    teleport(this); // do not blend across the jump
  }

  step(dt: number) {
    this.velocity.y -= 9.81 * dt;
    this.position.addScaledVector(this.velocity, dt);
    axis.copy(this.spin).normalize();
    this.rotation.premultiply(turn.setFromAxisAngle(axis, this.spin.length() * dt));
    if (this.position.y < 0.6 && this.velocity.y < 0) {
      this.velocity.y *= -0.9;
      this.spin.x = -this.spin.x;
    }
    if (this.position.x > 4.6) this.throw();
  }
}
const turn = new THREE.Quaternion();
const axis = new THREE.Vector3();

function run() {
  const body = new Body();
  body.throw();

  const scene = new THREE.Scene();
  scene.background = new THREE.Color("#1b2733");
  const box = new THREE.Mesh(
    new THREE.BoxGeometry(0.9, 0.9, 0.9),
    new THREE.MeshStandardMaterial({ color: "#ff8c00" }),
  );
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.ShadowMaterial({ opacity: 0.5 }));
  floor.rotation.x = -Math.PI / 2;
  const sun = new THREE.DirectionalLight("white", 2.5);
  sun.position.set(-3, 8, 4);
  box.castShadow = floor.receiveShadow = sun.castShadow = true;
  const sky = new THREE.HemisphereLight("#cfe8ff", "#334455", 1.5);
  scene.add(box, floor, sun, sky, new THREE.GridHelper(16, 16, "#48627a", "#2c3e50"));

  const camera = new THREE.PerspectiveCamera(40, 16 / 9, 0.1, 100);
  camera.position.set(0, 3.2, 9.5);
  camera.lookAt(0, 1.5, 0);
  const canvas = document.querySelector("canvas")!;
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(canvas.clientWidth, canvas.clientHeight, false);
  renderer.shadowMap.enabled = true;

  const loop = new Loop({
    rate: 30,
    step: ({ dt }) => body.step(dt),
    render() {
      box.position.copy(shown.position);
      box.quaternion.copy(shown.rotation);
      renderer.render(scene, camera);
    },
  });
  const shown = smooth(loop, body, { position: vector3, rotation });
  controls(loop);
  loop.start(display());
}

if (hasWebGL()) run();
