// Merges folders of the template into a new project.
import { copyFileSync, constants, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { createFolders } from "../server/folders.js";
import { CliError } from "./cli-error.js";
import { escaped } from "./escape.js";
import { kindOf, statOf } from "./files.js";

/** The root of the package, or of the repository. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What the template's own files call the project. */
const PLACEHOLDER = "my-game";
/** Files that name the project. */
const NAMING = ["index.html", "README.md"];
const MANIFEST = "package.json";

type Manifest = Record<string, unknown>;

export interface NewProject {
  readonly folder: string;
  readonly name: string;
  /** Folders of the template. No two of them have the same file, except package.json. */
  readonly parts: readonly string[];
  /** A packed copy of Tickwise to depend on, instead of a version from npm. */
  readonly packed: string | undefined;
}

/** Throws unless a project can be written here without touching a file that exists. A repository of git may exist. */
export function requireEmpty(folder: string): void {
  const stat = statOf(folder);
  if (stat === undefined) return;
  if (!stat.isDirectory())
    throw new CliError(
      `new: ${escaped(folder)} exists and is ${stat.isFile() ? "a file" : kindOf(stat)}. Choose another name.`,
    );
  const found = attempt(folder, () => readdirSync(folder)).filter((name) => name !== ".git");
  if (found.length > 0)
    throw new CliError(
      `new: ${escaped(folder)} is not empty: it contains ${escaped(found.sort()[0]!)}${found.length > 1 ? ` and ${found.length - 1} more` : ""}. Choose a new folder, or empty this one.`,
    );
}

/** Writes all files of a project. */
export function writeProject({ folder, name, parts, packed }: NewProject): void {
  if (packed !== undefined && !statOf(packed)?.isFile())
    throw new CliError(`new: --package: no file ${escaped(packed)}. Run npm pack in a clone of Tickwise.`);
  const manifests: Manifest[] = [];
  attempt(folder, () => {
    createFolders(folder);
    for (const part of parts) {
      const from = join(ROOT, "template", part);
      for (const file of filesBelow(from)) {
        if (file === MANIFEST) manifests.push(readManifest(join(from, file)));
        else copy(join(from, file), join(folder, file === "gitignore" ? ".gitignore" : file), name);
      }
    }
    const manifest = merged(manifests);
    const { version } = readManifest(join(ROOT, MANIFEST));
    const tickwise = packed === undefined ? `^${String(version)}` : fileReference(folder, packed);
    const dependencies = { ...(manifest.dependencies as object), tickwise };
    const json = JSON.stringify({ ...manifest, name, dependencies }, undefined, 2);
    writeFileSync(join(folder, MANIFEST), `${json}\n`, { flag: "wx" });
  });
}

/** Paths of all files, relative to the folder. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((path) => join(entry.name, path))
      : [entry.name],
  );

/** Copies a file, but never over another one. */
function copy(from: string, to: string, name: string): void {
  createFolders(dirname(to));
  if (NAMING.some((file) => from.endsWith(sep + file)))
    writeFileSync(to, readFileSync(from, "utf8").replaceAll(PLACEHOLDER, name), { flag: "wx" });
  else copyFileSync(from, to, constants.COPYFILE_EXCL);
}

const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;

/** Merges the objects in manifests, such as dependencies; sorts dependencies by name, as npm does. */
function merged(manifests: readonly Manifest[]): Manifest {
  const all: Manifest = {};
  for (const [key, value] of manifests.flatMap((manifest) => Object.entries(manifest))) {
    if (typeof value !== "object") all[key] = value;
    else {
      const entries = Object.entries({ ...(all[key] as object | undefined), ...value });
      all[key] = Object.fromEntries(key.endsWith("ependencies") ? entries.sort(byName) : entries);
    }
  }
  return all;
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

/** A dependency on a file, as npm writes it: relative to the project, with slashes. */
const fileReference = (folder: string, file: string): string =>
  `file:${relative(resolve(folder), resolve(file)).split(sep).join("/")}`;

/** Says which file could not be written, and why. */
function attempt<T>(folder: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CliError(`new: cannot write ${escaped(path ?? folder)}: ${escaped(reasonOf(code, message))}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EEXIST: "it exists already",
  ENOTDIR: "a part of the path is a file",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};
const reasonOf = (code: string, message: string): string => REASONS[code] ?? message;
