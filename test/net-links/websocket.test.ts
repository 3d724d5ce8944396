// WebSocket links over real sockets of the ws package.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { MAX_MESSAGE, type Link } from "../../src/net/link.js";
import { websocketLink, type SocketLike } from "../../src/net/websocket.js";
import { closing, exchange, opening } from "./exchange.js";

let server: WebSocketServer;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
});
afterEach(() => {
  for (const client of server.clients) client.terminate();
  server.close();
});

const connect = () => new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);

/** The two ends of a new connection: the client's socket, and the server's as a link. */
async function pair(): Promise<{ client: WebSocket; far: WebSocket; link: Link }> {
  const client = connect();
  const [far] = (await once(server, "connection")) as [WebSocket];
  return { client, far, link: websocketLink(far) };
}

/** A socket in memory that records what is sent. */
function fakeSocket(readyState = 1) {
  const listeners: Record<string, ((event: object) => void)[]> = {};
  const sent: number[][] = [];
  const closes: unknown[][] = [];
  const socket = {
    binaryType: "blob",
    readyState,
    bufferedAmount: 0,
    send: (bytes: Uint8Array) => void sent.push([...bytes]),
    close: (...args: unknown[]) => void closes.push(args),
    addEventListener: (type: string, listener: (event: object) => void) =>
      void (listeners[type] ??= []).push(listener),
  } satisfies SocketLike;
  const emit = (type: string, event: object = {}) => listeners[type]?.forEach((listener) => listener(event));
  return { socket, sent, closes, emit };
}

describe("a WebSocket link with ws", () => {
  test("carries both kinds both ways", async () => {
    const near = websocketLink(connect());
    expect(near.state).toBe("connecting");
    const first = exchange(near);
    const [far] = (await once(server, "connection")) as [WebSocket];
    const results = await Promise.all([first, exchange(websocketLink(far))]);
    expect(near.state).toBe("open");
    for (const { reliable, unreliable, wrong } of results) {
      expect([reliable, wrong]).toEqual([300, 0]);
      expect(unreliable).toBeGreaterThanOrEqual(10);
    }
  });

  test("a close reaches the peer with its reason, after all messages", async () => {
    const { client, link } = await pair();
    const near = websocketLink(client);
    await opening(near);
    let count = 0;
    link.on("message", () => void count++);
    const closed = closing(link);
    for (let i = 0; i < 100; i++) near.send(new Uint8Array(MAX_MESSAGE), true);
    near.close("enough for today");
    expect(near.state).toBe("closed");
    expect(await closed).toBe("enough for today");
    expect([count, link.state]).toEqual([100, "closed"]);
  });

  test("a connection that breaks, or cannot be made, closes the link", async () => {
    const { client, link } = await pair();
    await opening(websocketLink(client));
    client.terminate();
    expect(await closing(link)).toBe("connection lost");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const lost = websocketLink(new WebSocket(`ws://127.0.0.1:${port}`));
    expect(await closing(lost)).toBe("connection lost");
  });

  test("a link that is closed while it connects never opens", async () => {
    const socket = connect();
    const near = websocketLink(socket);
    let opens = 0;
    near.on("open", () => void opens++);
    near.close();
    await new Promise((resolve) => socket.on("close", resolve));
    expect([near.state, opens]).toEqual(["closed", 0]);
  });

  test("ignores texts and long messages, and cuts off a peer that insists", async () => {
    const { client, link } = await pair();
    const lengths: number[] = [];
    link.on("message", (bytes) => lengths.push(bytes.length));
    const closed = closing(link);
    await once(client, "open");
    for (let i = 0; i < 15; i++) client.send(i % 2 ? "a text" : new Uint8Array(MAX_MESSAGE + 1));
    client.send(new Uint8Array(MAX_MESSAGE));
    client.send(new Uint8Array(0));
    client.send("a text too many");
    expect(await closed).toBe("the peer sent too many invalid messages");
    expect(lengths).toEqual([MAX_MESSAGE, 0]);
  });
});

describe("a WebSocket link", () => {
  test("drops unreliable messages while many bytes wait, and gives up when too many do", () => {
    const { socket, sent, closes } = fakeSocket();
    const link = websocketLink(socket);
    socket.bufferedAmount = 16 * 1024;
    link.send(Uint8Array.of(1));
    socket.bufferedAmount++;
    link.send(Uint8Array.of(2));
    link.send(Uint8Array.of(3), true);
    expect(sent).toEqual([[1], [3]]);
    socket.bufferedAmount = 65 * 1024 * 1024;
    link.send(Uint8Array.of(4), true);
    expect([sent.length, link.state]).toEqual([2, "closed"]);
    expect(closes).toEqual([[1000, "the peer does not read"]]);
  });

  test("while it connects, keeps reliable messages only, up to a bound", () => {
    const { socket, sent, emit } = fakeSocket(0);
    const link = websocketLink(socket);
    expect([link.state, socket.binaryType]).toEqual(["connecting", "arraybuffer"]);
    const bytes = Uint8Array.of(1);
    link.send(bytes, true);
    bytes[0] = 2;
    link.send(bytes);
    emit("open");
    link.send(bytes);
    expect([link.state, sent]).toEqual(["open", [[1], [2]]]);

    const slow = fakeSocket(0);
    const waiting = websocketLink(slow.socket);
    for (let i = 0; i < 60_000 && waiting.state !== "closed"; i++) waiting.send(new Uint8Array(1200), true);
    expect(waiting.state).toBe("closed");
  });

  test("never throws when the socket does, and keeps a close reason short", () => {
    const { socket, closes } = fakeSocket();
    const link = websocketLink(socket);
    socket.send = () => {
      throw new Error("full");
    };
    link.send(Uint8Array.of(1));
    expect(link.state).toBe("open");
    link.send(Uint8Array.of(1), true);
    expect(link.state).toBe("closed");
    const other = fakeSocket();
    websocketLink(other.socket).close("ü".repeat(200));
    expect(new TextEncoder().encode(other.closes[0]![1] as string).length).toBeLessThanOrEqual(123);
    expect(closes.length).toBe(1);
  });

  test("no data of a message event throws", () => {
    const data = [
      null,
      undefined,
      "",
      0,
      {},
      [],
      new Date(),
      new DataView(new ArrayBuffer(3)),
      new ArrayBuffer(2),
    ];
    const { socket, emit } = fakeSocket();
    const link = websocketLink(socket);
    const lengths: number[] = [];
    link.on("message", (bytes) => lengths.push(bytes.length));
    for (const each of data) emit("message", { data: each });
    expect(lengths).toEqual([3, 2]);
    expect(link.state).toBe("open");
  });

  test.skipIf("WebSocket" in globalThis)("an address needs a platform with WebSocket", () => {
    expect(() => websocketLink("ws://127.0.0.1")).toThrow("this platform has no WebSocket");
  });

  test("rejects what is no socket, and is closed from the start over a closed one", () => {
    expect(() => websocketLink(5 as never)).toThrow("websocketLink: socket must be an object, got 5");
    expect(() => websocketLink({} as never)).toThrow(
      "websocketLink: socket.addEventListener must be a function",
    );
    expect(websocketLink(fakeSocket(3).socket).state).toBe("closed");
  });
});
