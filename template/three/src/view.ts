// Draws the game with three.js. It only reads the world, which is already blended for the moment of the frame.
import * as THREE from "three";
import type { EffectOf, ViewOf } from "tickwise/sim";
import { FIELD, SHIP_RADIUS, STAR_RADIUS, type game } from "./game.ts";

const COLOURS = ["#ffb454", "#59c2ff"];
const BURST = 0.6; // seconds
const HEIGHT = 0.5; // of ships and star above the floor

export class View {
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
  readonly #ships = COLOURS.map(shipOf);
  readonly #star = starOf();
  readonly #own = ringOf("white");
  #bursts: { ring: THREE.Mesh<THREE.BufferGeometry, THREE.Material>; age: number }[] = [];

  constructor(canvas: HTMLCanvasElement) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.#renderer.shadowMap.enabled = true;
    this.#scene.background = new THREE.Color("#0b1020");
    this.#scene.add(...fieldOf(), ...lights(), ...this.#ships, this.#star, this.#own);
    this.#own.material.opacity = 0.4;
  }

  /** Shows what happened in a step. */
  effect({ seat, x, y, age }: EffectOf<typeof game>): void {
    const ring = ringOf(COLOURS[seat]!);
    ring.position.set(x, HEIGHT, y);
    this.#scene.add(ring);
    this.#bursts.push({ ring, age });
  }

  /** Draws a frame, `delta` seconds after the last one. `own` is the seat of the player at this screen. */
  draw({ ships, star }: ViewOf<typeof game>, own: number | undefined, delta: number): void {
    this.#fit();
    this.#own.visible = own !== undefined;
    for (const { row, x, y, vx, vy, heading } of ships) {
      const ship = this.#ships[row]!;
      ship.position.set(x, HEIGHT, y);
      ship.rotation.set(0.05 * (vy * Math.cos(heading) - vx * Math.sin(heading)), -heading, 0, "YXZ");
      if (row === own) this.#own.position.set(x, 0.05, y);
    }
    this.#star.position.set(star.x, HEIGHT, star.y);
    this.#star.rotation.y += 2 * delta;
    this.#star.rotation.x += delta;

    for (const burst of this.#bursts) {
      burst.ring.scale.setScalar(1 + 5 * burst.age);
      burst.ring.material.opacity = Math.max(0, 1 - burst.age / BURST);
      burst.age += delta;
      if (burst.age >= BURST) this.#remove(burst.ring);
    }
    this.#bursts = this.#bursts.filter(({ age }) => age < BURST);
    this.#renderer.render(this.#scene, this.#camera);
  }

  #remove(ring: THREE.Mesh<THREE.BufferGeometry, THREE.Material>): void {
    this.#scene.remove(ring);
    ring.geometry.dispose();
    ring.material.dispose();
  }

  /** Fits the field into the window. */
  #fit(): void {
    const { clientWidth, clientHeight } = this.#renderer.domElement;
    const size = this.#renderer.getSize(new THREE.Vector2());
    if (size.x === clientWidth && size.y === clientHeight) return;
    this.#renderer.setPixelRatio(devicePixelRatio);
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#camera.aspect = clientWidth / clientHeight;
    const distance = Math.max(1.35 * FIELD.height, (1.35 * FIELD.width) / this.#camera.aspect);
    this.#camera.position.set(0, distance, 0.6 * distance);
    this.#camera.lookAt(0, 0, 0.3);
    this.#camera.updateProjectionMatrix();
  }
}

function shipOf(colour: string): THREE.Mesh {
  // A cone that points to the right, flattened.
  const geometry = new THREE.ConeGeometry(0.8 * SHIP_RADIUS, 2.2 * SHIP_RADIUS, 5);
  geometry.rotateZ(-Math.PI / 2).scale(1, 0.5, 1);
  const material = new THREE.MeshStandardMaterial({
    color: colour,
    emissive: colour,
    emissiveIntensity: 0.35,
    flatShading: true,
  });
  const ship = new THREE.Mesh(geometry, material);
  ship.castShadow = true;
  ship.add(new THREE.PointLight(colour, 4, 5));
  return ship;
}

function starOf(): THREE.Mesh {
  const material = new THREE.MeshStandardMaterial({
    color: "#fff3c4",
    emissive: "#ffd45e",
    emissiveIntensity: 0.8,
    flatShading: true,
  });
  const star = new THREE.Mesh(new THREE.OctahedronGeometry(STAR_RADIUS), material);
  star.castShadow = true;
  star.add(new THREE.PointLight("#ffe9a8", 12, 6));
  return star;
}

function ringOf(colour: string) {
  const geometry = new THREE.TorusGeometry(1.6 * SHIP_RADIUS, 0.04, 8, 48).rotateX(Math.PI / 2);
  return new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: colour, transparent: true }));
}

function fieldOf(): THREE.Object3D[] {
  const floor = new THREE.Mesh(
    new THREE.PlaneGeometry(FIELD.width, FIELD.height).rotateX(-Math.PI / 2),
    new THREE.MeshStandardMaterial({ color: "#1a2342", roughness: 0.8 }),
  );
  floor.receiveShadow = true;
  const wall = new THREE.MeshStandardMaterial({
    color: "#2b3860",
    emissive: "#2b3860",
    emissiveIntensity: 0.5,
  });
  const [right, bottom] = [FIELD.width / 2, FIELD.height / 2];
  const walls = [
    [0, -bottom, FIELD.width, 0.12],
    [0, bottom, FIELD.width, 0.12],
    [-right, 0, 0.12, FIELD.height],
    [right, 0, 0.12, FIELD.height],
  ] as const;
  return [
    floor,
    ...walls.map(([x, z, width, depth]) => {
      const box = new THREE.Mesh(new THREE.BoxGeometry(width, 0.4, depth), wall);
      box.position.set(x, 0.2, z);
      return box;
    }),
  ];
}

function lights(): THREE.Light[] {
  const sun = new THREE.DirectionalLight("white", 2.5);
  sun.position.set(-4, 10, 3);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -9, right: 9, top: 7, bottom: -7 });
  return [sun, new THREE.HemisphereLight("#cfe0ff", "#1d2745", 1.5)];
}
