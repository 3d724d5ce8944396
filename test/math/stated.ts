import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../src/math", import.meta.url));

/** What the comment of each public function says that it errs by, in ulp. */
export function statedErrors(): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const file of readdirSync(FOLDER).filter((name) => /^[\w-]+\.ts$/.test(name))) {
    const source = readFileSync(`${FOLDER}/${file}`, "utf8");
    for (const [, comment, name] of source.matchAll(
      /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\nexport function (\w+)/g,
    )) {
      const said = /Errs by less than ([\d.]+) ulp/.exec(comment!.replace(/\s*\n \* /g, " "));
      if (said) errors[name!] = Number(said[1]);
    }
  }
  return errors;
}
