import { measureSizes } from "./size.mjs";

const sizes = await measureSizes();
console.log("Bytes, minified and gzipped");
console.table(Object.fromEntries(Object.entries(sizes).map(([path, bytes]) => [path, { bytes }])));
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "size", ...sizes }));
