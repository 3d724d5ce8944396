import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Saves } from "./saves.js";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tickwise-saves-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test("after a save that could not be written, nothing is appended to the old one", async () => {
  const saves = Saves.open(folder, () => {});
  const room = { id: "a1", code: "0000-0000-0000", isPublic: false, tokens: [], attempts: 0 };
  const saved = () => [...readFileSync(join(folder, "a1.save"))];
  await saves.write(room, Uint8Array.of(1));
  saves.append("a1", Uint8Array.of(2));
  // Stands in for a full disk.
  mkdirSync(join(folder, "a1.save.new"));
  await saves.write(room, Uint8Array.of(3));
  saves.append("a1", Uint8Array.of(4));
  await saves.write(room);
  expect(saved()).toEqual([1, 2]);
  rmSync(join(folder, "a1.save.new"), { recursive: true });
  await saves.write(room, Uint8Array.of(5));
  saves.append("a1", Uint8Array.of(6));
  await saves.write(room);
  expect(saved()).toEqual([5, 6]);
});

test("rooms that may have ended the last process are continued in parts", async () => {
  const saves = Saves.open(folder, () => {});
  const write = async (count: number, attempts: number) => {
    const ids = Array.from({ length: count }, (_, i) => `${attempts}${i.toString(16)}`);
    for (const id of ids)
      await saves.write({ id, code: "0000-0000-0000", isPublic: false, tokens: [], attempts });
    return ids.sort();
  };
  expect(await saves.parts()).toEqual([]);
  const fresh = await write(5, 0);
  expect((await saves.parts()).map((part) => part.sort())).toEqual([fresh]);
  const suspects = await write(25, 1);
  const parts = await saves.parts();
  expect(parts.map(({ length }) => length)).toEqual([5, 3, 3, 3, 3, 3, 3, 3, 3, 1]);
  expect(parts.shift()!.sort()).toEqual(fresh);
  expect(parts.flat().sort()).toEqual(suspects);
});
