import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../src/math", import.meta.url));

/** The error that the doc comment of each public function states, in ulp. */
export function statedErrors(): Record<string, number> {
  return statedBy(/Error below ([\d.]+) ulp/);
}

/** The error for normal results, of the functions that state it separately. */
export function statedWhereNormal(): Record<string, number> {
  return statedBy(/below (\d\.\d+) for normal results/);
}

function statedBy(pattern: RegExp): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const file of readdirSync(FOLDER).filter((name) => /^[\w-]+\.ts$/.test(name))) {
    const source = readFileSync(`${FOLDER}/${file}`, "utf8");
    for (const [, comment, name] of source.matchAll(
      /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\nexport function (\w+)/g,
    )) {
      const said = pattern.exec(comment!.replace(/\s*\n \* /g, " "));
      if (said) errors[name!] = Number(said[1]);
    }
  }
  return errors;
}
