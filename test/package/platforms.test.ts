// The lock files hold the native binaries of every platform, so that `npm ci` works on all of them. No network.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}
interface Platform {
  os: string;
  cpu: string;
  libc: string | undefined;
}

/** With their names for test titles. */
const PLATFORMS = ["linux glibc", "linux musl", "darwin", "win32"].flatMap((system) =>
  ["x64", "arm64"].map((cpu): [string, Platform] => {
    const [os, libc] = system.split(" ");
    return [`${system} ${cpu}`, { os: os!, cpu, libc }];
  }),
);

/** Every folder of the repository that has a lock file. */
const FOLDERS = [".", ...readdirSync(ROOT)].filter((folder) =>
  existsSync(join(ROOT, folder, "package-lock.json")),
);

const packagesOf = (folder: string): Record<string, Locked> =>
  JSON.parse(readFileSync(join(ROOT, folder, "package-lock.json"), "utf8")).packages;

/** Returns the locked package that the package at `path` gets for `name`, as Node resolves it. */
function findLocked(packages: Record<string, Locked>, path: string, name: string): Locked | undefined {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const found = packages[`${at}${at && "/"}node_modules/${name}`];
    if (found || at === "") return found;
  }
}

/** All optional dependencies of all locked packages: the dependent, the name and the locked package. */
const optionalOf = (packages: Record<string, Locked>) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).map(([name, version]) => {
      return { path, name, version, locked: findLocked(packages, path, name) };
    }),
  );

/** npm's rule: a list has allowed values, or forbidden ones with "!". Without a list, all are allowed. */
function allows(list: string[] | undefined, value: string | undefined): boolean {
  if (!list || value === undefined) return true;
  return list.includes(value) || (!list.includes(`!${value}`) && list.every((one) => one.startsWith("!")));
}

const runsOn = ({ os, cpu, libc }: Locked, platform: Platform) =>
  allows(os, platform.os) && allows(cpu, platform.cpu) && allows(libc, platform.libc);

/**
 * Packages with a binary for each of several systems, and these binaries by name. Not those that are optional themselves, such
 * as msgpackr-extract: what uses them also works without.
 */
function bindingsOf(packages: Record<string, Locked>) {
  const all = new Map<string, Map<string, Locked>>();
  for (const { path, name, locked } of optionalOf(packages))
    if (locked?.os && !packages[path]?.optional)
      all.set(path, (all.get(path) ?? new Map()).set(name, locked));
  const systems = (binaries: Map<string, Locked>) => new Set([...binaries.values()].map(({ os }) => `${os}`));
  return new Map([...all].filter(([, binaries]) => systems(binaries).size > 1));
}

describe.each(FOLDERS)("the lock file of %s", (folder) => {
  const packages = packagesOf(folder);

  test("locks every optional dependency, with version and integrity", () => {
    const wrong = optionalOf(packages).filter(({ version, locked }) => {
      const isExact = /^\d/.test(version);
      return !locked?.integrity || !locked.version || (isExact && locked.version !== version);
    });
    expect(wrong.map(({ path, name, version }) => `${path}: ${name}@${version}`)).toEqual([]);
  });

  test("names no registry", () => {
    const resolved = Object.values(packages).filter((each) => each.resolved && !each.link);
    expect(resolved).toEqual([]);
  });

  test.each(PLATFORMS)("has a binary of every native package for %s", (_, platform) => {
    const without = [...bindingsOf(packages)]
      .filter(([, binaries]) => ![...binaries.values()].some((binary) => runsOn(binary, platform)))
      .map(([path]) => path);
    expect(without).toEqual([]);
  });

  // Without native packages, all platforms install the same.
  const targets = bindingsOf(packages).size > 0 ? PLATFORMS : PLATFORMS.slice(0, 1);
  test.each(targets)("`npm ci` installs all of it, and every binary, on %s", (_, platform) => {
    const binaries = [...bindingsOf(packages).values()].flatMap((each) =>
      [...each].filter(([, binary]) => runsOn(binary, platform)).map(([name]) => name),
    );
    const required = Object.entries(packages)
      .filter(([path, { link, optional, devOptional, peer }]) => {
        return path.includes("node_modules/") && !link && !optional && !devOptional && !peer;
      })
      .map(([path]) => path.split("node_modules/").at(-1)!);
    const installed = dryRun(folder, platform);
    expect([...required, ...binaries].filter((name) => !installed.includes(name))).toEqual([]);
  });
});

test("the native tools of this repository are among those checked", () => {
  const names = [...bindingsOf(packagesOf(".")).keys()].map((path) => path.split("node_modules/").at(-1));
  const tools = ["esbuild", "lightningcss", "oxc-parser", "oxc-resolver", "oxfmt", "oxlint", "rolldown"];
  expect(names).toEqual(expect.arrayContaining([...tools, "typescript"]));
});

/** Returns the names of the packages that `npm ci` would install in a fresh clone on a platform. */
function dryRun(folder: string, { os, cpu, libc }: Platform): string[] {
  const clone = mkdtempSync(join(tmpdir(), "tickwise-platforms-"));
  try {
    const { workspaces = [] } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const manifests = ["", ...workspaces].map((workspace: string) => join(workspace, "package.json"));
    for (const file of [...manifests, "package-lock.json"]) {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      cpSync(join(ROOT, folder, file), join(clone, file));
    }
    cpSync(join(ROOT, ".npmrc"), join(clone, ".npmrc"));
    const target = [`--os=${os}`, `--cpu=${cpu}`, ...(libc ? [`--libc=${libc}`] : [])];
    // Offline and without a cache, npm has only the lock file.
    const options = ["--dry-run", "--offline", `--cache=${join(clone, "cache")}`, "--ignore-scripts"];
    const output = execFileSync("npm", ["ci", ...options, ...target], {
      cwd: clone,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    return [...output.matchAll(/^add (\S+) /gm)].map(([, name]) => name!);
  } finally {
    rmSync(clone, { recursive: true });
  }
}
