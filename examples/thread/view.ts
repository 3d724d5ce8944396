// Draws the pile with three.js. The same code runs in the page and in the worker that draws for itself.
import * as THREE from "three";
import { BALL, BOX, BOXES, FLOOR, type Pile } from "./game.js";

const COLOURS = ["#6fc3df", "#4f94b8", "#8fd3c7", "#7d8fa1"];

export class PileView {
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(40, 4 / 3, 0.1, 100);
  readonly #ball = new THREE.Mesh(
    new THREE.SphereGeometry(BALL, 32, 24),
    new THREE.MeshLambertMaterial({ color: "#ff8c00" }),
  );
  readonly #boxes = new THREE.InstancedMesh(
    new THREE.BoxGeometry(BOX, BOX, BOX),
    new THREE.MeshLambertMaterial(),
    BOXES,
  );

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas) {
    this.#renderer = new THREE.WebGLRenderer({ canvas });
    this.#scene.background = new THREE.Color("#1b2733");
    this.#camera.position.set(0, 14, 15);
    this.#camera.lookAt(0, 0, 0.6);
    const sun = new THREE.DirectionalLight("white", 2.2);
    sun.position.set(-4, 9, 5);
    const sky = new THREE.HemisphereLight("#cfe8ff", "#334455", 1.6);
    const floor = new THREE.GridHelper(2 * FLOOR, 12, "#48627a", "#2c3e50");
    for (let i = 0; i < BOXES; i++) this.#boxes.setColorAt(i, new THREE.Color(COLOURS[i % COLOURS.length]));
    // Its boxes move, so what it was culled by would be out of date.
    this.#boxes.frustumCulled = false;
    this.#scene.add(this.#ball, this.#boxes, floor, sun, sky);
  }

  draw({ ball, boxes }: Pile): void {
    const [x, y, z] = ball.position;
    this.#ball.position.set(x!, y!, z!);
    for (let row = 0; row < boxes.count; row++) {
      position.fromArray(boxes.position, 3 * row);
      rotation.fromArray(boxes.rotation, 4 * row);
      this.#boxes.setMatrixAt(row, matrix.compose(position, rotation, scale));
    }
    this.#boxes.instanceMatrix.needsUpdate = true;
    this.#renderer.render(this.#scene, this.#camera);
  }
}

const position = new THREE.Vector3();
const rotation = new THREE.Quaternion();
const scale = new THREE.Vector3(1, 1, 1);
const matrix = new THREE.Matrix4();
