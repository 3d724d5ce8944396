// Players over real sockets.
import { WebSocket } from "ws";
import {
  clientSession,
  joinRoom,
  peerSession,
  viewerSession,
  type ClientSession,
  type JoinOptions,
  type PeerSession,
  type RoomLink,
  type ViewerSession,
} from "../../src/net/index.js";
import { roomServer, type RoomServer, type RoomServerOptions } from "../../src/server/index.js";
import type { AnySimulation } from "../../src/sim/index.js";
import { runners, stepping } from "./game.js";

export const webSocket = WebSocket as never;

/** Everything that must end with a test. */
const ends: (() => unknown)[] = [];
export const later = (end: () => unknown): void => void ends.push(end);
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** Starts a server that ends with the test. */
export async function serve(
  options: RoomServerOptions = {},
  game: AnySimulation = runners,
): Promise<RoomServer> {
  // Steps are late on a busy machine: that must not keep players out.
  const limits = { lateMs: 1e6, ...options.limits };
  const server = await roomServer(game, { ...options, limits });
  later(() => server.close({ grace: 0 }));
  return server;
}

/** Opens a plain WebSocket, as a program that is not ours would. */
export function rawSocket(
  address: string,
  path: string,
  options: object = {},
  protocols = ["tickwise"],
): RawSocket {
  const socket = new WebSocket(address + path, protocols, options);
  later(() => socket.terminate());
  const ended = new Promise<RawEnd>((resolve) => {
    socket.on("unexpected-response", (_, response) => {
      resolve({ status: response.statusCode ?? 0, code: 0, reason: "" });
      socket.terminate();
    });
    socket.on("close", (code, reason) => resolve({ status: 101, code, reason: reason.toString() }));
    socket.on("error", () => {});
  });
  return { socket, ended };
}

/** How a plain WebSocket ended: refused with an HTTP status, or closed with a code. */
interface RawEnd {
  readonly status: number;
  readonly code: number;
  readonly reason: string;
}
interface RawSocket {
  readonly socket: WebSocket;
  readonly ended: Promise<RawEnd>;
}

export const join = (address: string, options: JoinOptions = {}): Promise<RoomLink> =>
  joinRoom(address, { webSocket, ...options });

/** Somebody in a room, who moves as `move` says. */
export interface Guest<S> {
  readonly link: RoomLink;
  readonly session: S;
  move: number;
  stop(): void;
}

function guest<S extends { advance(): unknown; dispose(): void }>(
  link: RoomLink,
  make: (inputs: (players: readonly { move: number }[]) => void) => S,
): Guest<S> {
  const session = make((players) => {
    for (const player of players) player.move = one.move;
  });
  const timer = setInterval(() => {
    stepping.isClient = true;
    try {
      session.advance();
    } finally {
      stepping.isClient = false;
    }
  }, 1000 / 60);
  const one = {
    link,
    session,
    move: 1,
    stop() {
      clearInterval(timer);
      session.dispose();
    },
  };
  later(() => one.stop());
  return one;
}

/** For how many ticks a seat has moved, as somebody sees it. */
export const moved = (one: { readonly session: { readonly world: object } }, seat: number): number =>
  (one.session.world as { moved: number[] }).moved[seat]!;

/** Joins, and plays as a client of the server. */
export async function player(
  game: AnySimulation,
  address: string,
  options: JoinOptions = {},
): Promise<Guest<ClientSession>> {
  const link = await join(address, options);
  return guest(link, (inputs) => clientSession(game, link, { token: link.token, inputs: inputs as never }));
}

/** Joins, and plays as a peer of the others. */
export async function peer(
  game: AnySimulation,
  address: string,
  options: JoinOptions = {},
): Promise<Guest<PeerSession>> {
  const link = await join(address, options);
  const window = link.mode === "lockstep" ? { window: 0 } : {};
  return guest(link, (inputs) =>
    peerSession(game, {
      links: [link],
      seats: 1,
      token: link.token,
      inputs: inputs as never,
      warn: false,
      ...window,
    }),
  );
}

/** Watches a room. */
export async function watcher(
  game: AnySimulation,
  address: string,
  room: string,
): Promise<Guest<ViewerSession>> {
  const link = await join(address, { room, watch: true });
  return guest(link, () => viewerSession(game, link));
}

/** Waits until a condition holds. The time limit only ends a test that hangs. */
export async function until(condition: () => unknown, details: () => unknown = () => ""): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never happened: ${String(condition)} ${String(details())}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Resolves with the reason when a link is closed. */
export const closed = (link: RoomLink): Promise<string> =>
  new Promise((resolve) => {
    if (link.state === "closed") resolve("already closed");
    else link.on("close", resolve);
  });
