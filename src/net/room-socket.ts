import { realScheduler, type Scheduler } from "../platform/index.js";
import { badValue, misuse, requireFunction, requireNumber, TickwiseError } from "../errors/index.js";
import { endOfCode, JWT_PREFIX, SUBPROTOCOL, TOKEN_PREFIX, type RoomEnd } from "./room-lobby.js";
import type { SocketLike } from "./websocket.js";

/** How to reach a room server. */
export interface RoomSocketOptions {
  /** The token of an earlier connection to the same room, to get the same seat again. */
  readonly token?: string | undefined;
  /** A signed token (JWT), if the server requires one. */
  readonly jwt?: string | undefined;
  /** The WebSocket class. Default: the platform's. In Node below 22, pass `WebSocket` of the package `ws`. */
  readonly webSocket?: (new (address: string, protocols: string[]) => SocketLike) | undefined;
  /** Seconds to wait for the server's answer. Default 10. */
  readonly timeout?: number | undefined;
  /** The timers. Default: `realScheduler`. */
  readonly scheduler?: Scheduler | undefined;
}

/** What a page may send as a subprotocol: letters, digits, `-`, `_` and `.`, as tokens of a server and JWTs have. */
const TOKEN_TEXT = /^[\w.-]{1,8192}$/;
/** Names of rooms in an address: `quick`, `new`, or a code, which people may write with spaces and hyphens. */
const ROOM_TEXT = /^[\w -]{1,64}$/;

/** A socket, and the address of its server: absolute, without the code of a room. */
export interface RoomSocket {
  readonly socket: SocketLike;
  readonly server: string;
}

/** Opens a socket to `path` below a server's address. */
export function openRoomSocket(
  call: string,
  address: string,
  path: string,
  options: RoomSocketOptions,
): RoomSocket {
  const { token, jwt, webSocket } = options;
  for (const [name, value] of Object.entries({ token, jwt }))
    if (value !== undefined && !(typeof value === "string" && TOKEN_TEXT.test(value)))
      badValue(`${call}: ${name}`, "a token of the server", value, "link.token");
  const platform = typeof WebSocket === "undefined" ? undefined : WebSocket;
  const maker = webSocket ?? (platform as RoomSocketOptions["webSocket"]);
  if (maker === undefined)
    misuse(
      "unsupported",
      call,
      "this platform has no WebSocket",
      'Install "ws", and pass { webSocket: WebSocket }',
    );
  requireFunction(`${call}: webSocket`, maker, "WebSocket");
  const protocols = [SUBPROTOCOL];
  if (token !== undefined) protocols.push(TOKEN_PREFIX + token);
  if (jwt !== undefined) protocols.push(JWT_PREFIX + jwt);
  const url = socketAddress(call, address);
  const server = `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, "")}`;
  const [pathname, search = ""] = path.split("?");
  url.search = search;
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${pathname}`;
  return { socket: new maker(url.href, protocols), server };
}

function socketAddress(call: string, address: string): URL {
  const fail = () => badValue(`${call}: address`, "an address", address, '"wss://example.com"');
  if (typeof address !== "string") return fail();
  let url: URL;
  try {
    // In a page, an address may be relative to it.
    url = new URL(address, typeof location === "undefined" ? undefined : location.href);
  } catch {
    return fail();
  }
  url.protocol = url.protocol.replace("http", "ws");
  if (url.protocol !== "ws:" && url.protocol !== "wss:") return fail();
  return url;
}

/** Throws unless a text can name a room. */
export function requireRoom(subject: string, room: unknown): void {
  if (typeof room !== "string" || !ROOM_TEXT.test(room))
    badValue(subject, 'the code of a room, "quick" or "new"', room, '"quick"');
}

/** The end of a socket: the reason as text, and why, if the server said so. */
export interface SocketEnd {
  readonly reason: string;
  readonly end: RoomEnd | undefined;
}

/** Reads a close event. */
export function endOfEvent(event: object): SocketEnd {
  const { code = 0, reason = "" } = event as { code?: number; reason?: string };
  const isNormal = code === 1000 || code === 1005;
  return { end: endOfCode(code), reason: reason || (isNormal ? "closed by the server" : "connection lost") };
}

/** Waits for the first text that `read` understands. Rejects if the socket closes before, or nothing comes in time. */
export function firstText<T>(
  call: string,
  { socket, server }: RoomSocket,
  { timeout = 10, scheduler = realScheduler }: RoomSocketOptions,
  read: (data: unknown) => T | undefined,
): Promise<T> {
  requireNumber(`${call}: timeout`, timeout, 0.1, 3600, 10);
  return new Promise((resolve, reject) => {
    let isDone = false;
    let cause: string | undefined;
    const fail = (end: SocketEnd) => {
      if (isDone) return;
      isDone = true;
      cancel();
      socket.close();
      reject(refusal(call, server, end, cause));
    };
    const cancel = scheduler.after(timeout * 1000, () =>
      fail({ reason: `the server did not answer within ${timeout} s`, end: undefined }),
    );
    socket.addEventListener("message", (event) => {
      if (isDone) return;
      const first = read((event as { data: unknown }).data);
      if (first === undefined)
        return fail({
          reason: "the answer is not that of a room server of this version",
          end: undefined,
        });
      isDone = true;
      cancel();
      resolve(first);
    });
    socket.addEventListener("close", (event) => fail(endOfEvent(event)));
    // A close follows. Node says why, such as "Unexpected server response: 403"; browsers hide it.
    socket.addEventListener("error", (event) => (cause ??= (event as { message?: string }).message));
  });
}

const FIXES: Partial<Record<RoomEnd, string>> = {
  restarting: "Join again in a few seconds",
  overloaded: "Try again later",
  "unknown-room": "Check the code",
  "not-allowed": "Pass a valid one",
};
const UNREACHABLE =
  "Check the address and the network. If the server refused the connection, its log says why";

/** The error of a server that does not let this program in, or cannot be reached. `value` says why. */
function refusal(
  call: string,
  server: string,
  { reason, end }: SocketEnd,
  cause: string | undefined,
): TickwiseError {
  const isLost = end === undefined && reason === "connection lost";
  const problem = isLost
    ? `the server at ${server} cannot be reached, or refused the connection${cause ? ` (${cause})` : ""}`
    : reason;
  const advice = end && FIXES[end];
  const fix = isLost ? UNREACHABLE : `${advice ? `${advice}; t` : "T"}he server is ${server}`;
  return new TickwiseError(end === undefined ? "unreachable" : "refused", call, problem, fix, { value: end });
}
