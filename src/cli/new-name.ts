import { CliError } from "./cli-error.js";
import { escaped } from "./escape.js";

/** What npm allows in a new name without a scope. */
const VALID = /^[a-z0-9][a-z0-9._~-]*$/;
const MAX_LENGTH = 214;
const RESERVED = ["node_modules", "favicon.ico"];
/** A package cannot depend on another one of its own name. */
const NEEDED = ["tickwise", "three", "tsx", "typescript", "vite", "vitest", "ws"];

/** Throws unless npm accepts the name of a folder as that of a package. */
export function requirePackageName(name: string): void {
  const problem = problemOf(name);
  if (problem === undefined) return;
  const shown = escaped(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  throw new CliError(
    `new: the folder's name must be a valid name for npm, got "${shown}": ${problem}. Try ${similar(name)}.`,
  );
}

function problemOf(name: string): string | undefined {
  if (RESERVED.includes(name)) return "npm reserves this name";
  if (NEEDED.includes(name)) return "the game needs a package of this name";
  if (name.length > MAX_LENGTH) return `it has ${name.length} characters, npm allows ${MAX_LENGTH}`;
  return VALID.test(name)
    ? undefined
    : "npm allows a to z and digits, and after the first character also - _ . ~";
}

/** A valid name that resembles another one. */
function similar(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
    .slice(0, 40);
  return plain === "" || problemOf(plain) !== undefined ? "my-game" : plain;
}
