import { JWT_PREFIX, SUBPROTOCOL, TOKEN_PREFIX } from "../net/room-lobby.js";
import { readCode } from "./codes.js";

/** What an address asks for. */
export interface Route {
  readonly kind: "room" | "meeting";
  /** `"quick"`, `"new"`, or a code. Undefined for a text that is no code. */
  readonly room: string | undefined;
  readonly watch: boolean;
}

/** Reads the address of a handshake. Undefined if it is none of ours. */
export function readRoute(url: string): Route | undefined {
  const [path = "", query = ""] = url.split("?", 2);
  const [, kind, text] = /^\/(rooms|signal)\/([^/]{1,64})$/.exec(path) ?? [];
  if (kind === undefined || text === undefined) return undefined;
  const watch = kind === "rooms" && query.split("&").some((part) => part === "watch" || part === "watch=1");
  let room: string;
  try {
    room = decodeURIComponent(text);
  } catch {
    return undefined;
  }
  const isWord = room === "new" || (room === "quick" && kind === "rooms");
  return { kind: kind === "rooms" ? "room" : "meeting", room: isWord ? room : readCode(room), watch };
}

/** The secrets of a handshake. */
export interface Credentials {
  readonly token: string | undefined;
  readonly jwt: string | undefined;
}

/** Reads the subprotocols of a handshake. Undefined if it does not speak ours. */
export function readSubprotocols(header: string | undefined): Credentials | undefined {
  const offered = header?.split(",").map((text) => text.trim()) ?? [];
  if (!offered.includes(SUBPROTOCOL)) return undefined;
  const find = (prefix: string) => offered.find((text) => text.startsWith(prefix))?.slice(prefix.length);
  return { token: find(TOKEN_PREFIX), jwt: find(JWT_PREFIX) };
}
