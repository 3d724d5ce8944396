import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../src/math", import.meta.url));

/** What the comment of each public function states as its error, in ulp. */
export function statedErrors(): Record<string, number> {
  return statedBy(/Errs by less than ([\d.]+) ulp/);
}

/** The same for normal results, of those functions that tell them apart. */
export function statedWhereNormal(): Record<string, number> {
  return statedBy(/where the result is a normal number, by less than (\d\.\d+)/);
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
