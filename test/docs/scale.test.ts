import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scaleTables, withTables } from "../../bench/scale.mjs";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/scale.md");
const { server } = JSON.parse(read("bench/results.json"));

test("the tables of docs/scale.md follow from the bench results; `node bench/scale.mjs` writes them", () => {
  expect(withTables(page, scaleTables(server))).toBe(page);
});

test("other results give another page, and a page without its tables is an error", () => {
  const tables = scaleTables({ ...server, roomsPerCore: { ...server.roomsPerCore, ours: 12_345 } });
  expect(withTables(page, tables)).toContain("12,345");
  expect(() => withTables("", tables)).toThrow("docs/scale.md has no table measured");
});
