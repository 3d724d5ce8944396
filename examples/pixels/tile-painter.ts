// Draws tiles of an atlas by WebGL: one textured square each.
import { TILE, type Atlas, type TileName } from "./atlas.js";

const VERTEX = `#version 300 es
  uniform vec2 screen;
  uniform vec2 texels;
  in vec4 vertex; // x and y on the screen, x and y in the atlas
  out vec2 place;
  void main() {
    place = vertex.zw / texels;
    gl_Position = vec4(vertex.x / screen.x * 2.0 - 1.0, 1.0 - vertex.y / screen.y * 2.0, 0, 1);
  }`;

const FRAGMENT = `#version 300 es
  precision highp float;
  uniform sampler2D atlas;
  in vec2 place;
  out vec4 colour;
  void main() {
    colour = texture(atlas, place);
  }`;

/** Two triangles. */
const CORNERS = [
  [0, 0],
  [TILE, 0],
  [0, TILE],
  [TILE, 0],
  [0, TILE],
  [TILE, TILE],
] as const;

export class TilePainter {
  readonly #gl: WebGL2RenderingContext;
  readonly #atlas: Atlas;
  readonly #program: WebGLProgram;
  readonly #texture: WebGLTexture;
  readonly #vertexArray: WebGLVertexArrayObject;
  readonly #buffer: WebGLBuffer;
  #vertices: number[] = [];

  constructor(canvas: HTMLCanvasElement, atlas: Atlas, filter: "linear" | "nearest") {
    const gl = canvas.getContext("webgl2", { antialias: false })!;
    this.#gl = gl;
    this.#atlas = atlas;
    const program = (this.#program = gl.createProgram());
    for (const [type, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.uniform2f(gl.getUniformLocation(program, "screen"), canvas.width, canvas.height);
    gl.uniform2f(gl.getUniformLocation(program, "texels"), atlas.canvas.width, atlas.canvas.height);
    this.#texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, atlas.canvas);
    const sampling = filter === "linear" ? gl.LINEAR : gl.NEAREST;
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, sampling);
    this.#vertexArray = gl.createVertexArray();
    gl.bindVertexArray(this.#vertexArray);
    this.#buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    const vertex = gl.getAttribLocation(program, "vertex");
    gl.enableVertexAttribArray(vertex);
    gl.vertexAttribPointer(vertex, 4, gl.FLOAT, false, 0, 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0.56, 0.83, 0.91, 1);
  }

  /** Adds a tile with its top left corner at a position of the screen, in pixels; fractions are allowed. */
  tile(name: TileName, x: number, y: number): void {
    const left = this.#atlas.left(name);
    const top = this.#atlas.border;
    for (const [right, down] of CORNERS) this.#vertices.push(x + right, y + down, left + right, top + down);
  }

  /** Draws what was added. */
  paint(): void {
    const gl = this.#gl;
    // Another painter may have used the same canvas.
    gl.useProgram(this.#program);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.bindVertexArray(this.#vertexArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(this.#vertices), gl.STREAM_DRAW);
    gl.drawArrays(gl.TRIANGLES, 0, this.#vertices.length / 4);
    this.#vertices = [];
  }
}
