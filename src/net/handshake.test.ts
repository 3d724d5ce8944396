import { describe, expect, test } from "vitest";
import { PROFILE } from "../math/index.js";
import { button, simulation } from "../sim/index.js";
import { f64, layout, u32 } from "../state/index.js";
import { describeSimulation, helloOf, helloProblem, layoutProblem } from "./handshake.js";
import { PROTOCOL, readHello, readJson } from "./messages.js";

const game = (
  changes: { name?: string; version?: number; rate?: number; input?: object; state?: object } = {},
) =>
  simulation({
    name: "duel",
    version: 1,
    rate: 60,
    players: 2,
    state: layout({ score: u32, x: f64 }),
    input: { go: button },
    step() {},
    ...changes,
  } as never);

const peer = {
  id: 7,
  name: "Ada",
  game: 0,
  parent: 0,
  wants: 1,
  isRelay: false,
  members: 1,
  hasBegun: false,
  isMember: true,
};

test("peers with the same simulation have no problem", () => {
  const hello = helloOf(game(), peer);
  expect(readHello(hello)).toEqual(hello);
  expect(helloProblem(game(), hello)).toBeUndefined();
});

describe("peers that cannot play together learn why", () => {
  const theirs = helloOf(game(), peer);

  test.each([
    [
      "protocol",
      { ...theirs, protocol: PROTOCOL + 1 },
      `one peer speaks version ${PROTOCOL + 1} of the protocol, the other ${PROTOCOL}. Use the same version of tickwise`,
    ],
    ["simulation", { ...theirs, simulation: "chess" }, 'one peer plays "chess", the other "duel"'],
    ["version", { ...theirs, version: 2 }, 'one peer has version 2 of "duel", the other 1. Reload both'],
    [
      "math profile",
      { ...theirs, profile: PROFILE + 1 },
      `one peer has profile ${PROFILE + 1} of tickwise/math, the other ${PROFILE}. Use the same version of tickwise`,
    ],
  ])("%s", (code, hello, text) => {
    expect(helloProblem(game(), hello)).toEqual({ code, text });
  });
});

describe("peers with different layouts exchange descriptions, and learn which field differs", () => {
  const differenceTo = (other: ReturnType<typeof game>): string => {
    expect(helloProblem(game(), helloOf(other, peer))).toBe("describe");
    return layoutProblem(game(), readJson(describeSimulation(other)));
  };

  test("a field of the state", () => {
    expect(differenceTo(game({ state: layout({ score: u32, y: f64 }) }))).toMatch(
      /^the peers have different builds of "duel", version 1: from the other to this one, .*\by\b/,
    );
  });
  test("the type of a field", () => {
    expect(differenceTo(game({ state: layout({ score: f64, x: f64 }) }))).toContain("score");
  });
  test("an input", () => {
    expect(differenceTo(game({ input: { jump: button } }))).toContain("jump");
  });
  test("the rate", () => {
    expect(differenceTo(game({ rate: 30 }))).toContain("30/1");
  });
  test("a description that is none", () => {
    for (const nothing of [undefined, null, 5, {}, []])
      expect(layoutProblem(game(), nothing)).toContain("the layout differs");
  });
});
