import { describe, expect, test } from "vitest";
import { f32, f64, layout, list, table, u8, vec3, type State } from "../state/index.js";
import { bodyOf, FAN_OUT, HashTree, LEAF_BYTES, levelSizes } from "./hash-tree.js";

const treeOf = (state: State, snapshot?: number) =>
  new HashTree(state.layout, bodyOf(state.layout, state.bytes(snapshot)));

/** Lists the nodes that differ, level by level, leaves first. */
const differing = (a: HashTree, b: HashTree) =>
  a.levels.map((level, i) => [...level.keys()].filter((node) => level[node] !== b.levels[i]![node]));

test("a tree of 1 MB has four levels, and at most 16 nodes at the top", () => {
  expect(levelSizes(2 ** 20)).toEqual([16384, 1024, 64, 4]);
  expect(levelSizes(LEAF_BYTES)).toEqual([1]);
  expect(levelSizes(LEAF_BYTES * FAN_OUT)).toEqual([16]);
  expect(levelSizes(LEAF_BYTES * FAN_OUT + LEAF_BYTES)).toEqual([17, 2]);
});

const state = layout({
  heat: f64,
  small: f32,
  on: u8,
  far: list(3000, f64),
  near: list(300, f32),
  crates: table(100, { position: vec3, kind: u8 }),
}).allocate(1) as unknown as State;
const world = state.world as unknown as Record<string, Float64Array> & { heat: number };

test("a change of one number changes one node per level", () => {
  state.save(0);
  world["far"]![2999] = 5e-324;
  const found = differing(treeOf(state), treeOf(state, 0));
  expect(found.map((nodes) => nodes.length)).toEqual(found.map(() => 1));
  for (let level = 1; level < found.length; level++)
    expect(found[level]![0]).toBe(Math.floor(found[level - 1]![0]! / FAN_OUT));
  state.load(0);
});

describe("trees are equal if and only if hashes are", () => {
  const bits = (...words: number[]) => new Uint32Array(words);
  test.each([
    ["0 and -0", () => (world.heat = 0), () => (world.heat = -0)],
    [
      "NaN of several bits",
      () => setNaN("far", bits(1, 0x7ff80000)),
      () => setNaN("far", bits(2, 0xfff00000)),
    ],
    [
      "float NaN of several bits",
      () => setNaN("near", bits(0x7fc00001)),
      () => setNaN("near", bits(0xffc00000)),
    ],
    ["NaN and a number", () => (world["far"]![7] = NaN), () => (world["far"]![7] = 1)],
    ["two numbers swapped", () => world["far"]!.set([1, 2], 4), () => world["far"]!.set([2, 1], 4)],
    ["bits of NaN in integers", () => {}, () => {}],
  ])("%s", (_, first, second) => {
    first();
    state.save(0);
    second();
    const isSame = state.hash().join() === state.hash(0).join();
    expect(differing(treeOf(state), treeOf(state, 0)).every((nodes) => nodes.length === 0)).toBe(isSame);
  });

  /** Writes bits that an engine may canonicalise if they are written as a number. */
  function setNaN(name: string, words: Uint32Array): void {
    const column = world[name]!;
    new Uint32Array(column.buffer, column.byteOffset, words.length).set(words);
    expect(column[0]).toBeNaN();
  }
});
