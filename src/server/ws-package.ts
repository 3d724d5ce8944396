// The package `ws` is an optional peer dependency: only servers need it.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { misuse } from "../errors/index.js";

/** The part of a socket of `ws` that is used here. */
export interface ServerSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: Uint8Array | string, options: { binary: boolean; compress: boolean }): void;
  close(code: number, reason: string): void;
  terminate(): void;
  pause(): void;
  ping(): void;
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): void;
  on(event: "close", listener: (code: number, reason: Buffer) => void): void;
  on(event: "ping" | "pong", listener: (data: Buffer) => void): void;
  on(event: "error", listener: () => void): void;
}

/** Answers the handshakes of WebSockets. */
export interface Handshakes {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    done: (socket: ServerSocket) => void,
  ): void;
  on(event: "wsClientError", listener: (error: Error, socket: Duplex) => void): void;
}

interface WsPackage {
  readonly WebSocketServer: new (options: object) => Handshakes;
}

let loaded: Promise<WsPackage> | undefined;

/** Loads `ws`, and returns what makes handshakes for messages of up to `maxPayload` bytes. */
export async function loadHandshakes(
  call: string,
): Promise<(maxPayload: number, subprotocol: string) => Handshakes> {
  // Another try later may succeed.
  loaded ??= import("ws").catch((error: unknown) => {
    loaded = undefined;
    return misuse("unsupported", call, 'the package "ws" is not installed', "Run npm install ws", error);
  }) as Promise<unknown> as Promise<WsPackage>;
  const { WebSocketServer } = await loaded;
  return (maxPayload, subprotocol) => {
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // It costs memory and time, and packets are dense already.
      perMessageDeflate: false,
      maxPayload,
      handleProtocols: (offered: ReadonlySet<string>) => (offered.has(subprotocol) ? subprotocol : false),
    });
    server.on("wsClientError", (_, socket) => socket.destroy());
    return server;
  };
}
