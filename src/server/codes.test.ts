import { expect, test } from "vitest";
import { keyOfToken, newCode, newToken, readCode } from "./codes.js";

test("codes have 60 random bits, in letters that nobody confuses", () => {
  const codes = Array.from({ length: 2000 }, newCode);
  expect(new Set(codes).size).toBe(2000);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  // Every letter occurs at every place.
  for (const place of [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13])
    expect(new Set(codes.map((code) => code[place])).size).toBe(32);
});

test("a code is read as people write it", () => {
  const code = newCode();
  expect(readCode(code)).toBe(code);
  expect(readCode(code.toLowerCase().replaceAll("-", " "))).toBe(code);
  expect(readCode("ol1i-0000-zzzz")).toBe("0111-0000-ZZZZ");
  for (const wrong of [
    "",
    "quick",
    "new",
    `${code}A`,
    code.slice(1),
    "UUUU-UUUU-UUUU",
    "7K3M/Q0VX/2HRD",
    "ÄÄÄÄ-ÄÄÄÄ-ÄÄÄÄ",
  ])
    expect(readCode(wrong), wrong).toBeUndefined();
});

test("tokens have 128 bits, and are kept by their hash", () => {
  const token = newToken();
  expect(Buffer.from(token, "base64url").length).toBe(16);
  expect(newToken()).not.toBe(token);
  expect(keyOfToken(token)).not.toContain(token);
  expect(keyOfToken(token)).toBe(keyOfToken(token));
});
