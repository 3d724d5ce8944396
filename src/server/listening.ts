// The web servers: for players, and for those who operate the server.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import {
  createServer as createPlainServer,
  type AddressInfo,
  type Server as PlainServer,
  type Socket,
} from "node:net";
import { createSecureContext } from "node:tls";
import { badValue, misuse } from "../errors/index.js";
import { addressGroup } from "./addresses.js";
import { requireFolder } from "./folders.js";
import type { Front } from "./front.js";
import type { CheckedLimits } from "./limits.js";
import type { CheckedServerOptions } from "./options.js";
import { StaticFiles } from "./static-files.js";

const CALL = "roomServer";
const EXAMPLE = '{ key: "key.pem", cert: "cert.pem" }';
/** Against clients that send a request byte by byte, to occupy connections. Milliseconds. */
const timeoutsOf = ({ request }: CheckedLimits) => ({
  headersTimeout: request,
  requestTimeout: request,
  keepAliveTimeout: Math.min(5000, request),
  connectionsCheckingInterval: Math.min(2000, request),
});
/** Milliseconds without any byte, after which a connection without a handshake is closed. */
const MAX_SILENCE = 30_000;
const MAX_HEADERS = 16_384;
/** Sockets without a handshake, besides those that are connected: they load files, or are slow. */
const SPARE_SOCKETS = 1000;
const SPARE_PER_ADDRESS = 32;

/** Creates the server for players: handshakes, `/healthz`, and files of `page`. */
export function playerServer(options: CheckedServerOptions, front: Front): Server {
  const { page, tls, limits } = options;
  if (page !== undefined) requireFolder("roomServer: page", page);
  const files = page === undefined ? undefined : new StaticFiles(page, true);
  const settings = { ...timeoutsOf(limits), maxHeaderSize: MAX_HEADERS };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split("?", 1)[0];
    if (path === "/healthz") return healthz(response, front.isDraining);
    if (/^\/(rooms|signal)\//.test(path ?? ""))
      return plain(response, 426, "Connect with a WebSocket: see joinRoom of tickwise/net.");
    if (files) return void files.answer(request, response);
    plain(response, 404, "This server hosts games. With --page FOLDER, it also serves a page.");
  };
  const server = tls
    ? createSecureServer({ ...settings, ...tlsFiles(tls) }, answer)
    : createServer(settings, answer);
  server.maxConnections = limits.connections + SPARE_SOCKETS;
  server.setTimeout(MAX_SILENCE);
  server.on("upgrade", (request, socket: Socket, head) => front.upgrade(request, socket, head));
  server.on("clientError", (_, socket) => socket.destroy());
  limitSockets(server, front, limits.connectionsPerAddress + SPARE_PER_ADDRESS);
  return server as Server;
}

/** Limits the sockets of an address, whether or not they ever send anything. */
function limitSockets(server: { on: Server["on"] }, front: Front, max: number): void {
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || front.isProxy(address)) return;
    const group = addressGroup(address);
    const count = (counts.get(group) ?? 0) + 1;
    if (count > max) return void socket.destroy();
    counts.set(group, count);
    socket.on("close", () => {
      const left = counts.get(group)! - 1;
      if (left > 0) counts.set(group, left);
      else counts.delete(group);
    });
  });
}

/** Creates the server for operators: `/metrics` and `/healthz`. */
export function metricsServer(options: CheckedServerOptions, front: Front, text: () => string): Server {
  return createServer({ ...timeoutsOf(options.limits), maxHeaderSize: MAX_HEADERS }, (request, response) => {
    const path = request.url?.split("?", 1)[0];
    if (path === "/healthz") return healthz(response, front.isDraining);
    if (path !== "/metrics") return plain(response, 404, "See /metrics.");
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text());
  });
}

function healthz(response: ServerResponse, isDraining: boolean): void {
  const status = isDraining ? "stopping" : "ok";
  response
    .writeHead(isDraining ? 503 : 200, { "content-type": "application/json", "cache-control": "no-store" })
    .end(`${JSON.stringify({ status })}\n`);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

function tlsFiles({ key, cert }: { readonly key: string; readonly cert: string }) {
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file);
    } catch (error) {
      return badValue(
        `${CALL}: tls.${name}`,
        `a file that can be read (${(error as Error).message})`,
        file,
        `"${name}.pem"`,
      );
    }
  };
  const files = { key: read("key", key), cert: read("cert", cert) };
  try {
    createSecureContext(files);
  } catch (error) {
    badValue(
      `${CALL}: tls`,
      `a private key and its certificate (${(error as Error).message})`,
      cert,
      EXAMPLE,
    );
  }
  return files;
}

/** Listens. Rejects with a clear error if the port is in use. */
export function listen(server: PlainServer, name: string, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      try {
        rejectPort(name, port, host, error);
      } catch (failure) {
        reject(failure as Error);
      }
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function rejectPort(name: string, port: number, host: string, error: NodeJS.ErrnoException): never {
  const isTaken = error.code === "EADDRINUSE";
  const isForbidden = error.code === "EACCES";
  return misuse(
    "in-use",
    CALL,
    isTaken
      ? `${name} ${port} of ${host} is in use`
      : isForbidden
        ? `${name} ${port} needs more permissions than this process has`
        : `cannot listen on ${host}: ${error.message}`,
    isTaken
      ? "Choose another one, or 0 for any that is free"
      : isForbidden
        ? "Choose one from 1024 on, such as 8080"
        : "Choose an address of this machine",
    error,
  );
}

/** Rejects with a clear error if a port is in use. */
export async function requireFreePort(name: string, port: number, host: string): Promise<void> {
  const server = createPlainServer((socket) => socket.destroy());
  await listen(server, name, port, host);
  await new Promise((resolve) => server.close(resolve));
}
