import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_MESSAGE } from "./link.js";
import {
  HELLO,
  jsonMessage,
  message,
  PROTOCOL,
  readHello,
  readJson,
  readRejection,
  readSeatRequest,
  type Hello,
} from "./messages.js";

const hello: Hello = {
  protocol: PROTOCOL,
  simulation: "brawl",
  version: 1,
  fingerprint: "0123456789abcdef",
  profile: 3,
  id: 77,
  name: "Ada",
  game: 0,
  parent: 0,
  wants: 1,
  isRelay: false,
  members: 1,
  hasBegun: false,
  isMember: true,
};

test("a message is its type and its body", () => {
  expect(message(HELLO, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(HELLO, 1, 2));
  expect(message(HELLO)).toEqual(Uint8Array.of(HELLO));
  expect(readJson(jsonMessage(HELLO, hello).subarray(1))).toEqual(hello);
});

test("what is no JSON, or no UTF-8, is undefined", () => {
  expect(readJson(new TextEncoder().encode("{"))).toBeUndefined();
  expect(readJson(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
  expect(readJson(new Uint8Array(0))).toBeUndefined();
});

describe("a hello", () => {
  test("is accepted if all of it is valid", () => {
    expect(readHello(hello)).toEqual(hello);
    expect(readHello({ ...hello, game: 5, parent: 0, wants: 1, isRelay: true, name: "" })).toBeDefined();
  });

  test.each<[keyof Hello, unknown[]]>([
    ["protocol", [-1, 0.5, "1", null, undefined]],
    ["simulation", [5, "x".repeat(201), undefined]],
    ["version", [-1, "1", undefined]],
    ["fingerprint", [5, "x".repeat(101), undefined]],
    ["profile", [NaN, undefined]],
    ["id", [0, -1, 2 ** 32, 1.5, "7", undefined]],
    ["name", ["x".repeat(25), "a\tb", 5, undefined]],
    ["game", [-1, 2 ** 32, undefined]],
    ["isRelay", [0, "no", undefined]],
    ["members", [-1, undefined]],
    ["hasBegun", [0, undefined]],
    ["isMember", [1, undefined]],
  ])("is rejected with a wrong %s", (field, values) => {
    for (const value of values) expect(readHello({ ...hello, [field]: value })).toBeUndefined();
  });

  test("with the longest texts fits into one message", () => {
    const long = { ...hello, simulation: "ß".repeat(200), fingerprint: "x".repeat(100), id: 2 ** 32 - 1 };
    expect(jsonMessage(HELLO, long).length).toBeLessThan(MAX_MESSAGE);
  });
});

describe("a rejection", () => {
  test("has a known code and a text, which is shortened", () => {
    expect(readRejection({ code: "version", text: "x".repeat(5000) })).toEqual({
      code: "version",
      text: "x".repeat(1000),
    });
    for (const bad of [
      null,
      5,
      {},
      { code: "no", text: "" },
      { code: "version" },
      { code: "version", text: 5 },
    ])
      expect(readRejection(bad)).toBeUndefined();
  });
});

describe("a request for seats", () => {
  const request = { id: 7, name: "Ada", seats: [1, 2], count: 2 };

  test("names seats, or how many", () => {
    expect(readSeatRequest(request, 4)).toEqual(request);
    expect(readSeatRequest({ ...request, seats: [], count: 1 }, 4)).toBeDefined();
    for (const change of [
      { id: 0 },
      { name: "\n" },
      { seats: [4] },
      { seats: [2, 1] },
      { count: 5 },
      { count: -1 },
    ])
      expect(readSeatRequest({ ...request, ...change }, 4)).toBeUndefined();
  });
});

test("no value of a stranger throws", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      readHello(value);
      readRejection(value);
      readSeatRequest(value, 4);
      expect(true).toBe(true);
    }),
  );
});
