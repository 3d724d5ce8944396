import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SimFolder } from "./sim-folder.js";

let root: string;
let sims: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tickwise-sims-"));
  sims = join(root, "sims");
  mkdirSync(sims);
});
afterEach(() => rmSync(root, { recursive: true }));

const add = (path: string) => {
  mkdirSync(join(sims, path, ".."), { recursive: true });
  writeFileSync(join(sims, path), "");
};

test("finds modules by name and version", () => {
  for (const path of ["crates/1.mjs", "crates/2.ts", "arena/10.js"]) add(path);
  // None of these is a version.
  for (const path of [
    "crates/01.mjs",
    "crates/helpers.mjs",
    "crates/3.json",
    "readme.md",
    "node_modules/4.js",
  ])
    add(path);
  const folder = new SimFolder(sims);
  expect(folder.names).toEqual(["arena/10.js", "crates/1.mjs", "crates/2.ts"]);
  expect(folder.find("crates", 2)).toEqual({ path: join(sims, "crates/2.ts"), shown: "crates/2.ts" });
  expect(folder.find("crates", 10)).toBeUndefined();
  expect(folder.find("node_modules", 4)).toBeUndefined();
  add("crates/3.mjs");
  expect(folder.find("crates", 3)?.shown).toBe("crates/3.mjs");
});

test("names from a file cannot leave the folder", () => {
  add("crates/1.mjs");
  add("../1.mjs");
  add("../other/1.mjs");
  const folder = new SimFolder(sims);
  for (const name of [
    ".",
    "..",
    "../other",
    "..%2Fother",
    "crates/../../other",
    join(root, "other"),
    "",
    "\0",
    "\ud800",
  ])
    expect(folder.find(name, 1), name).toBeUndefined();
  expect(folder.find("crates", "../1" as never)).toBeUndefined();
  expect(folder.find("__proto__", 1)).toBeUndefined();
});

test("names with special characters are escaped as in addresses", () => {
  add("space%20race%2F2/1.mjs");
  expect(new SimFolder(sims).find("space race/2", 1)?.shown).toBe("space%20race%2F2/1.mjs");
});

test("follows links of the operator", () => {
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "elsewhere/1.mjs"), "");
  symlinkSync(join(root, "elsewhere"), join(sims, "crates"), "dir");
  symlinkSync(join(root, "gone"), join(sims, "broken"), "dir");
  symlinkSync("loop", join(sims, "loop"), "dir");
  expect(new SimFolder(sims).names).toEqual(["crates/1.mjs"]);
});

test("rejects two modules of one version, a folder without any, and what is no folder", () => {
  expect(() => new SimFolder(join(sims, "gone"))).toThrow(
    "verifyWorker: sims must be a folder that can be read (ENOENT",
  );
  expect(() => new SimFolder(sims)).toThrow(
    `verifyWorker: no simulations in ${sims}. Add one, such as crates/1.mjs.`,
  );
  add("crates/1.mjs");
  add("crates/1.js");
  expect(() => new SimFolder(sims)).toThrow(
    "verifyWorker: crates/1.js and crates/1.mjs are modules of the same version. Remove one of them.",
  );
});
