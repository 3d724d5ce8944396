import {
  BoxGeometry,
  DirectionalLight,
  EdgesGeometry,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from "three";
import { SIZE } from "../../../scenes/tumble.js";
import { colour } from "../theme/colours.js";

/** Colours of the faces: +x, −x, +y, −y, +z, −z. */
const SIDES = ["muted", "muted", "far", "far", "ball", "ring"] as const;

/** Draws a box in one orientation, and its outline in another. */
export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(28, 1, 0.1, 100);
  readonly #sides = SIDES.map(() => new MeshLambertMaterial());
  readonly #box = new Mesh(new BoxGeometry(...SIZE), this.#sides);
  readonly #line = new LineBasicMaterial({ depthTest: false });
  readonly #outline = new LineSegments(new EdgesGeometry(this.#box.geometry), this.#line);

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.#renderer = new WebGLRenderer({ canvas, context });
    this.#renderer.setClearColor(0, 0);
    const lamp = new DirectionalLight(0xffffff, 1.6);
    lamp.position.set(2, 3, 5);
    this.#camera.position.set(0, 1.6, 8.4);
    this.#camera.lookAt(0, 0, 0);
    this.#scene.add(this.#box, this.#outline, lamp, new HemisphereLight(0xffffff, 0x888888, 1.9));
  }

  /** Creates a stage on a canvas; undefined without WebGL. */
  static on(canvas: HTMLCanvasElement): Stage | undefined {
    // Check first, as three.js would log an error.
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true });
    return context ? new Stage(canvas, context) : undefined;
  }

  draw(turn: ArrayLike<number>, outline: ArrayLike<number>): void {
    const { width, height } = this.#renderer.domElement;
    this.#box.quaternion.fromArray(turn as number[]);
    this.#outline.quaternion.fromArray(outline as number[]);
    SIDES.forEach((name, index) => this.#sides[index]!.color.set(colour(name)));
    this.#line.color.set(colour("ink"));
    this.#renderer.setViewport(0, 0, width, height);
    this.#camera.aspect = width / height;
    // Zoom out on a narrow canvas, or the corners would be cut off.
    this.#camera.zoom = Math.min(1, (1.1 * width) / height);
    this.#camera.updateProjectionMatrix();
    this.#renderer.render(this.#scene, this.#camera);
  }

  dispose(): void {
    this.#renderer.dispose();
    // Browsers allow only a few contexts per page, and collect them late.
    this.#renderer.forceContextLoss();
    for (const thing of [...this.#sides, this.#line, this.#box.geometry, this.#outline.geometry])
      thing.dispose();
  }
}
