import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the bytes of a program in the package's folder: bundled, minified, gzipped. */
export async function sizeOf(/** @type {string} */ program) {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external: ["node:*"],
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

const LOOP = "const loop = new Loop({ rate: 60, step() {}, render() {} });";

/** A game of one number, for the smallest programs with a simulation. */
const GAME = `import { drive, play, simulation } from "tickwise/sim";
  import { f64, layout } from "tickwise/state";
  const game = simulation({
    name: "game", version: 1, rate: 60, players: 2,
    state: layout({ x: f64 }),
    step(world) { world.x++; },
  });
  const render = ({ x }) => console.log(x);`;

const onNet = (/** @type {string} */ session) => `import { ${session}, websocketLink } from "tickwise/net";
  ${GAME}
  const link = websocketLink("wss://example.com");`;

/** Programs as users write them: the smallest that do what their name says. */
const PROGRAMS = {
  raw: `import { Loop } from "tickwise"; ${LOOP} loop.advance(1 / 60);`,
  loop: `import { display, Loop } from "tickwise"; ${LOOP} loop.start(display());`,
  loopSmooth: `import { display, Loop } from "tickwise";
    import { scalar, smooth } from "tickwise/blend";
    const ship = { x: 0 };
    const loop = new Loop({
      rate: 60,
      step: ({ dt }) => void (ship.x += 100 * dt),
      render: () => console.log(shown.x),
    });
    const shown = smooth(loop, ship, { x: scalar });
    loop.start(display());`,
  play: `${GAME} play(game, { render });`,
  peer: `${onNet("peerSession")} drive(peerSession(game, { seats: [0], links: [link] }), { render });`,
  client: `${onNet("clientSession")} drive(clientSession(game, link), { render });`,
  viewer: `${onNet("viewerSession")} drive(viewerSession(game, link), { render });`,
};

/** Maximum bytes of programs. */
export const BUDGETS = { raw: 4096, loop: 9216, loopSmooth: 15_360 };

/** Returns the bytes of each program, by name. Needs dist. */
export async function measurePrograms() {
  /** @type {Record<string, number>} */
  const sizes = {};
  for (const [name, program] of Object.entries(PROGRAMS)) sizes[name] = await sizeOf(program);
  return sizes;
}

/** Import paths for Node, where size does not matter. */
const FOR_NODE = ["./server", "./queue", "./colyseus"];

/** Returns the size of each program, and of each import path with all of its exports. Needs dist. */
export async function measureSizes() {
  const { name, exports } = JSON.parse(await readFile(`${root}/package.json`, "utf8"));
  const sizes = await measurePrograms();
  for (const [path, { default: file }] of Object.entries(
    /** @type {Record<string, { default?: string }>} */ (exports),
  ))
    // A plain file such as package.json has no conditions.
    if (file && !FOR_NODE.includes(path))
      sizes[path.replace(".", name)] = await sizeOf(`export * from "${file}";`);
  return sizes;
}
