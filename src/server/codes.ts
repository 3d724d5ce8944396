import { createHash, randomBytes } from "node:crypto";

/** Digits and letters without I, L, O and U, which are read as others, or make words. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 60 bits: at a million guesses per second, one room among a thousand is found in 18 years. */
const LETTERS = 12;
const GROUP = 4;

/** Returns a new code that lets people into a room: `"7K3M-Q0VX-2HRD"`. Nobody can guess it. */
export function newCode(): string {
  const letters = Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]!);
  const groups = Array.from({ length: LETTERS / GROUP }, (_, i) => letters.slice(i * GROUP, (i + 1) * GROUP));
  return groups.map((group) => group.join("")).join("-");
}

/** Returns the code that a person meant: in any case, with or without hyphens and spaces. Undefined if it is no code. */
export function readCode(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (letters.length !== LETTERS || [...letters].some((letter) => !ALPHABET.includes(letter)))
    return undefined;
  return letters.replace(/(?<=^(?:.{4})+)(?=.)/g, "-");
}

/** Returns a new token that lets one player in again: 128 random bits. */
export const newToken = (): string => randomBytes(16).toString("base64url");

/** Returns the name of a room in logs and of its files. It lets nobody in. */
export const newRoomId = (): string => randomBytes(6).toString("hex");

/** Returns the key under which a token is kept. The time that a search takes says nothing about tokens that are similar. */
export const keyOfToken = (token: string): string => createHash("sha256").update(token).digest("base64url");
