// three.js. The body is the state; the mesh is only its picture, and no step ever reads it.
import {
  BoxGeometry,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from "three";
import { Loop } from "tickwise";
import { quat, smooth, teleport, vec3 } from "tickwise/blend";
import { controls, hasWebGL } from "../page.js";

class Body {
  position = new Vector3();
  rotation = new Quaternion();
  velocity = new Vector3();
  spin = new Vector3(); // its direction is the axis, its length radians a second

  throw() {
    this.position.set(-4.6, 2.6, 0);
    this.velocity.set(2.9, 3, 0);
    this.spin.set(0.6, 0.4, -2.6);
    teleport(this); // in a step, this is not to be blended across
  }

  step(dt: number) {
    this.velocity.y -= 9.81 * dt;
    this.position.addScaledVector(this.velocity, dt);
    this.rotation.premultiply(
      turn.setFromAxisAngle(axis.copy(this.spin).normalize(), this.spin.length() * dt),
    );
    if (this.position.y < 0.6 && this.velocity.y < 0) {
      this.velocity.y *= -0.9;
      this.spin.x = -this.spin.x;
    }
    if (this.position.x > 4.6) this.throw();
  }
}
const turn = new Quaternion();
const axis = new Vector3();

function run() {
  const body = new Body();
  body.throw();

  const scene = new Scene();
  scene.background = new Color("#1b2733");
  const box = new Mesh(new BoxGeometry(0.9, 0.9, 0.9), new MeshStandardMaterial({ color: "#ff8c00" }));
  const floor = new Mesh(
    new PlaneGeometry(40, 40).rotateX(-Math.PI / 2),
    new ShadowMaterial({ opacity: 0.5 }),
  );
  const sun = new DirectionalLight("white", 2.5);
  sun.position.set(-3, 8, 4);
  box.castShadow = floor.receiveShadow = sun.castShadow = true;
  scene.add(
    box,
    floor,
    sun,
    new HemisphereLight("#cfe8ff", "#334455", 1.5),
    new GridHelper(16, 16, "#48627a", "#2c3e50"),
  );

  const camera = new PerspectiveCamera(40, 16 / 9, 0.1, 100);
  camera.position.set(0, 3.2, 9.5);
  camera.lookAt(0, 1.5, 0);
  const canvas = document.querySelector("canvas")!;
  const renderer = new WebGLRenderer({ canvas, antialias: true });
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
  const shown = smooth(loop, body, { position: vec3, rotation: quat });
  controls(loop);
  loop.start();
}

if (hasWebGL()) run();
