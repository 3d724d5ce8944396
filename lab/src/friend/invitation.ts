import { readAddress } from "../address.js";
import { FRIEND } from "./name.js";

/** What a link invites to. */
export interface Invitation {
  readonly offer: string;
  /** The name of who invites; "" if unknown. */
  readonly from: string;
  /** Whether both use a STUN server. */
  readonly usesStun: boolean;
}

/** Returns the part of a link after the address of the lab. */
export function writeInvitation({ offer, from, usesStun }: Invitation): string {
  const query = new URLSearchParams({ offer, ...(from ? { from } : {}), ...(usesStun ? { stun: "1" } : {}) });
  return `#${FRIEND}?${query}`;
}

/** Reads the query of an address; undefined if it is not an invitation. */
export function readInvitation(query: URLSearchParams): Invitation | undefined {
  const offer = query.get("offer") ?? "";
  if (offer === "") return undefined;
  return { offer, from: cleanName(query.get("from") ?? ""), usesStun: query.get("stun") === "1" };
}

/** Reads what a person pasted: a whole link, or only its offer. */
export function readPasted(text: string): Invitation | undefined {
  const trimmed = text.trim();
  const hash = trimmed.indexOf("#");
  if (hash >= 0) return readInvitation(readAddress(trimmed.slice(hash)).query);
  return trimmed === "" ? undefined : { offer: trimmed, from: "", usesStun: false };
}

/** The longest name of a player: in characters, and in bytes with all that JSON escapes. */
const MAX_NAME = 24;
const MAX_NAME_BYTES = 40;

/** Shortens a name to what others accept. */
export function cleanName(text: string): string {
  const encoder = new TextEncoder();
  let letters = [...text.replace(/\p{C}/gu, "").trim()].slice(0, MAX_NAME);
  const fits = () =>
    letters.join("").length <= MAX_NAME &&
    encoder.encode(JSON.stringify(letters.join(""))).length - 2 <= MAX_NAME_BYTES;
  while (!fits()) letters = letters.slice(0, -1);
  return letters.join("");
}
