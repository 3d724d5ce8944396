import { basename } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

/** Returns the files of this folder that a program contains. */
async function filesOf(names: string, contents: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `import { ${names} } from "./src/blend/index.ts"; ${contents}`, resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const { inputs } = Object.values(metafile.outputs)[0]!;
  return Object.entries(inputs)
    .filter(([path, { bytesInOutput }]) => path.startsWith("src/blend/") && bytesInOutput > 0)
    .map(([path]) => basename(path, ".ts"))
    .sort();
}

const SMOOTH = [
  "compiled-passes",
  "interpreted-passes",
  "kinds",
  "lerp",
  "listen",
  "motion",
  "object-tracks",
  "passes",
  "shape",
  "smooth",
  "track",
  "trackers",
];

test.each([
  ["scalar, smooth", "smooth(loop, ship, { x: scalar });", []],
  ["angle, smooth", "smooth(loop, ship, { x: angle });", ["angle"]],
  ["rotation, smooth", "smooth(loop, ship, { x: rotation });", ["quat"]],
  [
    "curve, scalar, smooth",
    "smooth(loop, ship, { x: curve(scalar) });",
    ["angle", "curve", "curve-motion", "hermite"],
  ],
  [
    "extrapolate, scalar, smooth",
    "smooth(loop, ship, { x: scalar }, { ahead: extrapolate(1) });",
    ["extrapolation"],
  ],
  [
    "contact, scalar, smooth",
    "smooth(loop, ship, { x: scalar }); contact(ship, 0.5, { x: 0 });",
    ["angle", "contact", "contacts", "hermite", "require-trackers"],
  ],
  [
    "scalar, smooth, teleport",
    "smooth(loop, ship, { x: scalar }); teleport(ship);",
    ["require-trackers", "teleport"],
  ],
  ["scalar, smoothAll", "smoothAll(loop, [ship], { x: scalar });", ["track-list"]],
])("a program contains what it imports: %s", async (names, contents, more) => {
  expect(await filesOf(names, contents)).toEqual([...SMOOTH, ...more].sort());
});
