// The shortcuts of the lab and the site: one meaning per key, one table, and one switch.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isKey } from "../../lab/src/shortcuts/bind.js";
import { SHORTCUTS, type Shortcut } from "../../lab/src/shortcuts/table.js";

const ROOT = join(import.meta.dirname, "../..");
const ALL: readonly Shortcut[] = Object.values(SHORTCUTS);

test("each key has one meaning", () => {
  const keys = ALL.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(ALL.map(({ meaning }) => meaning)).size).toBe(keys.length);
});

test("no shortcut is a key of a game", () => {
  for (const { key } of ALL) expect(["w", "a", "s", "d", " ", "enter"]).not.toContain(key);
  for (const { key } of ALL) expect(key).toHaveLength(1);
});

test("keys count by what they write, and by their place on a keyboard with other letters", () => {
  const press = (key: string, code: string) =>
    (Object.keys(SHORTCUTS) as (keyof typeof SHORTCUTS)[]).filter((name) => isKey({ key, code }, name));
  expect(press("P", "KeyP")).toEqual(["pause"]);
  // Dvorak has P on the key R.
  expect(press("p", "KeyR")).toEqual(["pause"]);
  // German: Shift and ß. The letter ß itself is none.
  expect(press("?", "Minus")).toEqual(["help"]);
  expect(press("ß", "Minus")).toEqual([]);
  // Russian and Greek letters, in capitals, too.
  expect([press("з", "KeyP"), press("З", "KeyP"), press("ρ", "KeyR")]).toEqual([
    ["pause"],
    ["pause"],
    ["restart"],
  ]);
  expect(press("ё", "Backquote")).toEqual(["overlay"]);
  expect(press("Process", "KeyP")).toEqual([]);
});

/** Files that may listen to the keys of the window, besides the shortcuts: games, and Space or Enter on a button. */
const GAME_KEYS = [
  "lab/src/arena/keys.ts",
  "lab/src/controls.ts",
  "lab/src/shortcuts/bind.ts",
  "lab/src/time/keys.ts",
  // Ctrl+K.
  "site/src/search/set-up.ts",
];

test("pages of the lab and the site listen to keys of the window only through the table", () => {
  const listening = ["lab/src", "site/src"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => file.endsWith(".ts") && !file.endsWith("text.ts"))
    .filter((file) =>
      /^\s*(window\.)?addEventListener\(\s*"key/m.test(readFileSync(join(ROOT, file), "utf8")),
    );
  expect(listening.sort()).toEqual(GAME_KEYS);
});
