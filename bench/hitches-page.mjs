// The page of the bench: a loop on the page's display, and work that a game does while it runs, done badly and well.
import { diagnose } from "../src/hud/index.ts";
import { display, Loop, measure as measureLoop } from "../src/index.ts";

/** Frames before and after the work. */
const MARGIN = 20;
/** Size of the level, in rows, and of an image, in pixels per side. */
const ROWS = 150_000;
const SIDE = 2048;
const IMAGES = 4;
const PROGRAMS = 8;
/** Objects that a frame allocates, how many frames keep theirs, and how many frames are measured. */
const OBJECTS = 40_000;
const KEPT = 12;
const GC_FRAMES = 180;

const level = JSON.stringify(
  Array.from({ length: ROWS }, (_, i) => ({ id: i, kind: `tree ${i % 40}`, x: i * 0.37, y: i * 0.73 })),
);
const levelUrl = URL.createObjectURL(new Blob([level]));
let image;
let count = 0;

/**
 * Runs work in a loop. Returns the longest time between two drawings in milliseconds, the lost seconds, and what `diagnose`
 * says.
 */
async function longestFrame(name) {
  const work = WORK[name];
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const loop = new Loop({ rate: 60 });
  measureLoop(loop);
  let longest = 0;
  let last = Infinity;
  const frames = (number) =>
    new Promise((resolve) => {
      const off = loop.on("render", () => {
        if (--number > 0) return;
        off();
        resolve();
      });
    });
  /** Runs `each` in this many frames, inside of the loop's drawing. */
  const inFrames = async (number, each) => {
    let frame = 0;
    const off = loop.on("beforeRender", () => each(frame++, context));
    await frames(number);
    off();
  };
  const warm = name === "shadersWarmedUp" ? warmUp() : undefined;
  loop.on("render", () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  });
  loop.start(display());
  await frames(MARGIN);
  longest = 0;
  await Promise.all([frames(1), work(inFrames, context, warm)]);
  await frames(MARGIN);
  const hitch = diagnose(loop).find(({ kind }) => kind === "hitch");
  loop.stop();
  return { longest, lost: loop.lostSeconds, hitch: hitch?.text ?? "" };
}

const imageUrl = () => URL.createObjectURL(new Blob([image], { type: "image/png" }));

async function prepareImage() {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(SIDE, SIDE);
  // Noise on a gradient, as in a photograph: a plain picture would be decoded in no time.
  for (let i = 0; i < pixels.data.length; i++)
    pixels.data[i] = i % 4 === 3 ? 255 : (i >> 15) + ((Math.imul(i, 2654435761) >>> 24) & 31);
  context.putImageData(pixels, 0, 0);
  image = await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer();
}

/** Draws an image, and reads a pixel, so that it is really drawn. */
function paint(context, source) {
  context.drawImage(source, 0, 0);
  context.getImageData(0, 0, 1, 1);
}

/** A worker that parses the level, and answers with objects or with columns. */
const WORKER = `onmessage = async ({ data: { url, columns } }) => {
  const rows = await (await fetch(url)).json();
  if (!columns) return postMessage(rows);
  const x = Float32Array.from(rows, (row) => row.x);
  const y = Float32Array.from(rows, (row) => row.y);
  postMessage({ x, y }, [x.buffer, y.buffer]);
};`;

async function askWorker(columns) {
  const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  const worker = new Worker(url);
  const answer = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage({ url: levelUrl, columns });
  const result = await answer;
  worker.terminate();
  URL.revokeObjectURL(url);
  return result;
}

/** A shader that takes a while to compile. Each is different, or the browser would have it in its cache. */
function fragmentShader(seed) {
  const lines = Array.from(
    { length: 30 },
    (_, i) =>
      `p = mat2(cos(p.x + ${seed}.${i}), sin(p.y), -sin(p.x * ${i}.5), cos(p.y)) * p + noise(p * ${i + 1}.0);`,
  );
  return `precision highp float;
    uniform vec2 size;
    float noise(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
    void main() { vec2 p = gl_FragCoord.xy / size; ${lines.join("\n")} gl_FragColor = vec4(p, 0.5, 1.0); }`;
}
const VERTEX = "attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }";

function startProgram(gl) {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, fragmentShader(++count)],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

/** Draws a triangle on a small canvas and reads a pixel, so that it is really drawn. */
function draw(gl, program) {
  gl.useProgram(program);
  gl.uniform2f(gl.getUniformLocation(program, "size"), 16, 16);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

function newContext() {
  const gl = Object.assign(document.createElement("canvas"), { width: 16, height: 16 }).getContext("webgl");
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return gl;
}

/** Compiles programs and draws each of them once, before the loop starts. */
function warmUp() {
  const gl = newContext();
  const programs = Array.from({ length: PROGRAMS }, () => startProgram(gl));
  for (const program of programs) draw(gl, program);
  return { gl, programs };
}

/** What is measured, by name. Each gets what runs callbacks in frames. */
const WORK = {
  nothing: (inFrames) => inFrames(30, () => {}),

  jsonOnThePage: async () => void (await (await fetch(levelUrl)).json()),
  jsonInWorker: async () => void (await askWorker(false)),
  jsonInWorkerAsColumns: async () => void (await askWorker(true)),

  async imageByOnload(inFrames, context) {
    for (let i = 0; i < IMAGES; i++) {
      const element = new Image();
      const loaded = new Promise((resolve) => (element.onload = resolve));
      element.src = imageUrl();
      await loaded;
      await inFrames(1, () => paint(context, element));
    }
  },
  async imageByDecode(inFrames, context) {
    for (let i = 0; i < IMAGES; i++) {
      const element = new Image();
      element.src = imageUrl();
      await element.decode();
      await inFrames(1, () => paint(context, element));
    }
  },
  async imageBitmap(inFrames, context) {
    for (let i = 0; i < IMAGES; i++) {
      const bitmap = await createImageBitmap(new Blob([image], { type: "image/png" }));
      await inFrames(1, () => paint(context, bitmap));
      bitmap.close();
    }
  },

  async shadersAtFirstUse(inFrames) {
    const gl = newContext();
    await inFrames(1, () => {
      for (let i = 0; i < PROGRAMS; i++) draw(gl, startProgram(gl));
    });
  },
  async shadersOnePerFrame(inFrames) {
    const gl = newContext();
    await inFrames(PROGRAMS, () => draw(gl, startProgram(gl)));
  },
  async shadersWarmedUp(inFrames, _, warm) {
    await inFrames(1, () => {
      for (const program of warm.programs) draw(warm.gl, program);
    });
  },

  async garbage(inFrames) {
    const kept = Array.from({ length: KEPT }, () => []);
    await inFrames(GC_FRAMES, (frame) => {
      kept[frame % KEPT] = Array.from({ length: OBJECTS }, (_, i) => ({ x: i, y: frame + 0.5 }));
    });
  },
  async noGarbage(inFrames) {
    const x = new Float64Array(OBJECTS * KEPT);
    const y = new Float64Array(OBJECTS * KEPT);
    await inFrames(GC_FRAMES, (frame) => {
      const from = (frame % KEPT) * OBJECTS;
      for (let i = 0; i < OBJECTS; i++) {
        x[from + i] = i;
        y[from + i] = frame + 0.5;
      }
    });
  },
};

export const names = Object.keys(WORK);

export async function prepare() {
  await prepareImage();
  return { levelMegabytes: level.length / 1e6, imageMegabytes: image.byteLength / 1e6 };
}

export const measure = (name) => longestFrame(name);
