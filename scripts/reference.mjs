// `npm run reference`: writes docs/reference from the doc comments. A test checks that the committed pages are up to
// date.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { ROOT, setUp } from "./setup.mjs";

setUp();
build();
// Imported only now, as setUp may have to install their dependencies.
const { pagesOf } = await import("./reference/pages.mjs");
const { readSubpaths } = await import("./reference/subpaths.mjs");
const folder = join(ROOT, "docs/reference");
const pages = pagesOf(await readSubpaths());
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
console.log(`Wrote ${pages.size} pages to docs/reference`);
