import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readReplay, replayPlayer } from "../../src/replay/index.js";
import { duel } from "./duel.js";
import { MAKERS, summaryOf } from "./golden.js";

const FOLDER = new URL("../golden/", import.meta.url);
const names = readdirSync(FOLDER).flatMap((name) => (name.endsWith(".twr") ? [name.slice(0, -4)] : []));
const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(`${name}.twr`, FOLDER)));

test("none is missing", () => {
  expect(names).toEqual(expect.arrayContaining(Object.keys(MAKERS)));
});

// If the mathematics get another profile, golden replays still must be read, but can be played no more: then compare all
// but the hash, and make new ones for that.
test.each(names)("%s is read as it always was, and comes out the same", (name) => {
  const json = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
  expect(JSON.parse(JSON.stringify(summaryOf(readReplay(bytesOf(name)))))).toEqual(json);
});

test.each(names)("%s can be sought in", (name) => {
  const replay = readReplay(bytesOf(name));
  const player = replayPlayer(duel(), replay);
  player.seek(replay.end);
  const { hash } = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
  expect([...player.hash()]).toEqual(hash);
  player.seek(replay.start + 20);
  player.seek(replay.end);
  expect([...player.hash()]).toEqual(hash);
});

// A recorder of this version writes the same bytes but for how the platform deflates.
test.each(Object.keys(MAKERS).filter((name) => name !== "v1-full"))(
  "%s is still written so",
  async (name) => {
    expect(Buffer.compare(await MAKERS[name]!(), bytesOf(name))).toBe(0);
  },
);
