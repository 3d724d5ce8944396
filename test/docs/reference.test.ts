// docs/reference is generated from the doc comments. The committed pages must match what `npm run reference` writes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { pagesOf } from "../../scripts/reference/pages.mjs";
import { readSubpaths } from "../../scripts/reference/subpaths.mjs";
import { ROOT } from "../../scripts/setup.mjs";

const FOLDER = join(ROOT, "docs/reference");
const STALE = "docs/reference is stale: run `npm run reference` and commit the result";

const subpaths = await readSubpaths();
const pages = pagesOf(subpaths);

test("the reference has a page for every subpath of the package, and an index", () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const paths = Object.keys(exports).filter((path) => path !== "./package.json");
  expect(subpaths.map(({ title }) => title)).toEqual(paths.map((path) => `tickwise${path.slice(1)}`));
  expect(readdirSync(FOLDER).sort(), STALE).toEqual([...pages.keys()].sort());
});

test.each([...pages])("docs/reference/%s is up to date", (name, text) => {
  expect(readFileSync(join(FOLDER, name), "utf8"), STALE).toBe(text);
});

test.each(subpaths.map((subpath) => [subpath.title, subpath] as const))(
  "%s lists every name that it exports at run time",
  async (_, { file, entries }) => {
    const exported = Object.keys(await import(pathToFileURL(file.replace(/\.d\.ts$/, ".js")).href));
    const listed = entries.map(({ name }) => name);
    expect(exported.filter((name) => !listed.includes(name))).toEqual([]);
  },
);

test("every subpath and every exported name has a doc comment", () => {
  const silent = subpaths.flatMap(({ title, doc, entries }) => [
    ...(doc ? [] : [title]),
    ...entries
      .filter(({ declarations }) => declarations.every((each) => each.doc === ""))
      .map(({ name }) => `${title}: ${name}`),
  ]);
  expect(silent).toEqual([]);
});

describe("a generated page", () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** Generates the pages of a package with these files. */
  async function generate(files: Record<string, string>) {
    const folder = mkdtempSync(join(tmpdir(), "tickwise-reference-"));
    folders.push(folder);
    const exports = { ".": { types: "./index.d.ts" }, "./more": { types: "./more/index.d.ts" } };
    const all = {
      "package.json": JSON.stringify({
        name: "pkg",
        exports: { ...exports, "./package.json": "./package.json" },
      }),
      "index.d.ts": "export {};",
      "more/index.d.ts": "export {};",
      ...files,
    };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return pagesOf(await readSubpaths(folder));
  }

  /** Returns the page of a package with one file. */
  const pageFor = async (source: string) => (await generate({ "index.d.ts": source })).get("pkg.md")!;

  test("shows signature and doc comment of a function, and each overload", async () => {
    const page = await pageFor(`
      /** Doubles a number. */
      export declare function twice(value: number): number;
      /**
       * Doubles a text.
       *
       * Slowly.
       */
      export declare function twice(value: string): string;`);
    expect(page).toContain(
      [
        "## function twice",
        "```typescript\nfunction twice(value: number): number;\n```",
        "Doubles a number.",
        "```typescript\nfunction twice(value: string): string;\n```",
        "Doubles a text.\n\nSlowly.",
      ].join("\n\n"),
    );
  });

  test("finds the name of a function that is a part of its keywords", async () => {
    const page = await pageFor("/** Listens. */ export declare function on(event: string): void;");
    expect(page).toContain("```typescript\nfunction on(event: string): void;\n```");
  });

  test("leaves out private, protected and internal members", async () => {
    const page = await pageFor(`
      interface Secret { x: number }
      declare const HIDDEN: unique symbol;
      /** A box. */
      export declare class Box {
        #private;
        private secret1;
        protected secret2(): void;
        /** @internal */ readonly secret3: number;
        /** @internal For tests. */
        constructor(secret4: number);
        readonly [HIDDEN]: "secret5";
        /** Shown. */
        open(options: { /** Old. @internal */ secret6: Secret; shown: number }): void;
      }
      /** @internal */
      export declare function secret7(): void;
      /** Options. */
      export interface Options {
        /** @internal */ secret8?: number;
        width: number;
      }`);
    expect(page).not.toMatch(/secret|Secret|private|HIDDEN|@internal/);
    expect(page).toContain("- `open(options: { shown: number }): void`\n\n  Shown.");
    expect(page).toContain("- `width: number`");
  });

  test("lists the members of a base class that is not exported as the class's own", async () => {
    const page = await pageFor(`
      declare class Base { /** Of the base. */ run(): void; both(): void; /** Hidden. */ constructor(hidden: string); }
      declare class Generic<T> { /** Of the generic. */ value: T; }
      /** Public. */
      export declare class Known { known(): void }
      /** A child. */
      export declare class Child extends Base { constructor(size: number); /** Of the child. */ both(): void; }
      /** Another. */
      export declare class Other extends Known {}
      /** With a type argument, which the members of the base would need. */
      export declare class Text extends Generic<string> {}`);
    expect(page).toContain(
      "## class Child\n\nA child.\n\n- `new Child(size: number)`\n\n- `both(): void`\n\n  Of the child.\n\n- `run(): void`\n\n  Of the base.\n\n##",
    );
    expect(page).toContain("class Other extends Known\n");
    expect(page).toContain("class Text extends Generic<string>\n");
    expect(page).toContain("### class Generic\n");
    expect(page).not.toMatch(/\bBase\b|[Hh]idden/);
  });

  test("shows accessors as properties, and constructors as calls", async () => {
    const page = await pageFor(`
      /** A box. */
      export declare class Box {
        constructor(size: number);
        get size(): number;
        /** How fast. */
        get speed(): number;
        set speed(speed: number | string);
      }`);
    expect(page).toContain("- `new Box(size: number)`");
    expect(page).toContain("- `readonly size: number`");
    expect(page).toContain("  get speed(): number;\n  set speed(speed: number | string)\n");
  });

  test("inherits the doc comment of an undocumented member", async () => {
    const page = await pageFor(`
      /** An animal. */
      export interface Animal { /** Its noise. */ speak(): string; /** Its age. */ readonly age: number }
      /** A pet. */
      export interface Pet extends Animal { name: string }
      /** A dog. */
      export declare class Dog implements Pet { name: string; get age(): number; /** Barks. */ speak(): string }`);
    const dog = page.slice(page.indexOf("## class Dog"), page.indexOf("## interface"));
    expect(dog).toContain("- `readonly age: number`\n\n  Its age.");
    expect(dog).toContain("- `speak(): string`\n\n  Barks.");
    expect(dog).not.toContain("Its noise.");
  });

  test("fences a member whose type has backticks", async () => {
    const page = await pageFor("/** Keys. */ export interface Keys { code: `Key${string}` }");
    expect(page).toContain("- ```typescript\n  code: `Key${string}`\n  ```");
  });

  test("follows re-exports, aliases, stars and defaults to the declaration", async () => {
    const all = await generate({
      "index.d.ts":
        'import { plugin } from "./parts.js"; export { one as first } from "./parts.js"; export * from "./stars.js"; export default plugin;',
      "parts.d.ts":
        "/** One. */ export declare const one: 1; /** A plugin. */ export declare const plugin: { name: string };",
      "stars.d.ts": "/** Two. */ export type Two = 2;",
    });
    const page = all.get("pkg.md");
    expect(page).toContain("## const first\n\n```typescript\nconst first: 1;\n```\n\nOne.");
    expect(page).toContain(
      "## const default\n\n```typescript\nconst plugin: { name: string };\n```\n\nA plugin.",
    );
    expect(page).toContain("## type Two");
    const named = await pageFor("/** Runs. */ export default function run(): void;");
    expect(named).toContain("## function default\n\n```typescript\nfunction run(): void;\n```\n\nRuns.");
  });

  test("links to the types that it uses, on this page or another, and shows those that are not exported", async () => {
    const all = await generate({
      "index.d.ts": `
        import type { Far } from "./more/index.js";
        type Helper<T> = T | Near;
        /** Near. */
        export interface Near { x: number }
        /** Uses all; see {@link Near}. */
        export declare function use(helper: Helper<Far>): void;`,
      "more/index.d.ts": "/** Far. */ export interface Far { y: number }",
    });
    const page = all.get("pkg.md");
    expect(page).toContain("Uses all; see [`Near`](#interface-near).");
    expect(page).toContain("See [`Far`](more.md#interface-far), [`Helper`](#type-helper).");
    expect(page).toContain("## Helper types");
    expect(page).toContain("### type Helper\n\n```typescript\ntype Helper<T> = T | Near;\n```");
    // It is not exported.
    expect(all.get("README.md")).not.toContain("Helper");
    expect(all.get("README.md")).toContain("- [`Far`](more.md#interface-far): interface, `pkg/more`");
  });

  test("is the same for any line endings and any order of declarations", async () => {
    const parts = [
      "/**\n * First line,\n * second line.\n */\nexport declare function b(options: {\n    /** A size. */\n    size: number;\n}): void;\n",
      "/** Large. */\nexport declare class B {\n}\n",
      "/** Small. */\nexport declare const a: 1;\n",
    ];
    const page = await pageFor(parts.join(""));
    expect(await pageFor(parts.join("").replaceAll("\n", "\r\n"))).toBe(page);
    expect(await pageFor([...parts].reverse().join(""))).toBe(page);
    expect(page).not.toContain("\r");
  });

  test("rejects tags and links that it cannot show", async () => {
    await expect(pageFor("/** @beta */ export declare const a: 1;")).rejects.toThrow(
      "does not support @beta",
    );
    await expect(pageFor("/** {@link Lost} */ export declare const a: 1;")).rejects.toThrow("{@link Lost}");
  });
});
