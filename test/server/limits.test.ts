// Every limit of the server, against real sockets.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { SUBPROTOCOL } from "../../src/net/room-lobby.js";
import { runners } from "./game.js";
import { endAll, join, later, player, rawSocket, serve, until } from "./party.js";

afterEach(endAll);

test("connections of one address, and of all", async () => {
  const { address } = await serve({ limits: { connectionsPerAddress: 2 } });
  const first = await join(address);
  await join(address);
  expect(await rawSocket(address, "/rooms/quick").ended).toMatchObject({ status: 429 });
  await expect(join(address)).rejects.toMatchObject({ code: "unreachable" });
  first.close();
  // A place is free again.
  await until(() =>
    join(address).then(
      () => true,
      () => false,
    ),
  );
  const small = await serve({ limits: { connections: 1 } });
  await join(small.address);
  expect(await rawSocket(small.address, "/rooms/quick").ended).toMatchObject({ status: 503 });
  expect(small.stats().refused).toEqual({ "too many connections": 1 });
});

test("behind a trusted proxy, each client counts by its own address", async () => {
  const { address } = await serve({ trustProxy: ["127.0.0.1"], limits: { connectionsPerAddress: 1 } });
  const from = (client: string) =>
    rawSocket(address, "/rooms/quick", { headers: { "x-forwarded-for": client } });
  const first = from("198.51.100.1");
  await once(first.socket, "message");
  const second = from("198.51.100.2");
  await once(second.socket, "message");
  expect(await from("198.51.100.1").ended).toMatchObject({ status: 429 });
  // What the client made up comes before what the proxy saw.
  expect(await from("203.0.113.7, 198.51.100.2").ended).toMatchObject({ status: 429 });
  const strict = await serve({ limits: { connectionsPerAddress: 1 } });
  await once(rawSocket(strict.address, "/rooms/quick").socket, "message");
  const forged = rawSocket(strict.address, "/rooms/quick", {
    headers: { "x-forwarded-for": "198.51.100.9" },
  });
  expect(await forged.ended).toMatchObject({ status: 429 });
});

test("sockets that never send anything are limited, too", async () => {
  const server = await serve({ limits: { connectionsPerAddress: 1, request: 60 } });
  const sockets = Array.from({ length: 40 }, () => connect(server.port, "127.0.0.1"));
  let closed = 0;
  for (const socket of sockets) {
    later(() => socket.destroy());
    socket.on("error", () => {}).on("close", () => closed++);
  }
  // 1 + 32 may stay.
  await until(() => closed >= 7);
  expect(closed).toBe(7);
});

test("a request that comes byte by byte is cut off", async () => {
  const server = await serve({ limits: { request: 0.2 } });
  const socket = connect(server.port, "127.0.0.1");
  later(() => socket.destroy());
  socket.on("error", () => {});
  // Not `once`, which rejects: the server may reset the connection.
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.write("GET /rooms/quick HTTP/1.1\r\nHost: x\r\n");
  const timer = setInterval(() => socket.write("X"), 20);
  later(() => clearInterval(timer));
  await closed;
  // Others are served. On a busy machine, that may take more than one attempt.
  const healthz = `${server.address.replace("ws", "http")}/healthz`;
  await until(() =>
    fetch(healthz).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  expect(socket.destroyed).toBe(true);
});

test("rooms, and new rooms of one address", async () => {
  const { address } = await serve({ limits: { rooms: 2 } });
  await join(address, { room: "new" });
  await join(address, { room: "new" });
  await expect(join(address, { room: "new" })).rejects.toMatchObject({
    value: "overloaded",
    message: `joinRoom: the server has too many rooms. Try again later; the server is ${address}.`,
  });
  const other = await serve({ limits: { newRoomsPerMinute: 1 } });
  const first = await join(other.address, { room: "new" });
  await expect(join(other.address, { room: "new" })).rejects.toMatchObject({ value: "overloaded" });
  // Rooms that exist can still be joined.
  expect((await join(other.address, { room: first.code })).room).toBe(first.room);
});

test("wrong codes and tokens: after some, the address is refused", async () => {
  const { address } = await serve({ limits: { wrongCodesPerMinute: 3 } });
  const { code } = await join(address, { room: "new" });
  await expect(join(address, { room: "0000-0000-0000" })).rejects.toMatchObject({ value: "unknown-room" });
  await expect(join(address, { room: "not a code" })).rejects.toMatchObject({ value: "unknown-room" });
  await expect(join(address, { room: code, token: "forged" })).rejects.toMatchObject({
    value: "not-allowed",
  });
  // Even with the right one: an attacker would not learn that it is.
  await until(async () => (await rawSocket(address, `/rooms/${code}`).ended).status === 429);
});

test("messages per second, bytes per second, and the size of a message", async () => {
  const { address } = await serve({ limits: { messages: 50, bytes: 2000 } });
  const good = await player(runners, address, { room: "new" });
  const talk = async (send: (socket: { send(data: Uint8Array | string): void }) => void) => {
    const { socket, ended } = rawSocket(address, "/rooms/new");
    await once(socket, "message");
    send(socket);
    return ended;
  };
  const many = await talk((socket) => {
    for (let i = 0; i < 250; i++) socket.send(Uint8Array.of(1));
  });
  // The game may have enough of it first.
  expect(many.code === 4005 || many.code === 1000, many.reason).toBe(true);
  const long = await talk((socket) => {
    for (let i = 0; i < 10; i++) socket.send(new Uint8Array(1000));
  });
  expect(long).toMatchObject({ code: 4005, reason: "sends too many bytes" });
  expect(await talk((socket) => socket.send(new Uint8Array(1201)))).toMatchObject({ code: 1009 });
  const texts = await talk((socket) => {
    for (let i = 0; i < 16; i++) socket.send("hello");
  });
  expect(texts).toMatchObject({ code: 4009, reason: "the peer sent too many invalid messages" });
  const { tick } = good.session;
  await until(() => good.session.tick > tick + 30);
});

test("a message that is too long is not read to its end", async () => {
  const { address } = await serve({});
  const { hostname, port } = new URL(address);
  // One that goes on after the server has closed its side.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => {});
  socket.write(
    `GET /rooms/new HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n` +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toContain("101 Switching");
  // More than fits into the buffers of the system: 64 MB, with a mask of zeros.
  socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]));
  const isAllRead = await new Promise<boolean>((resolve) => {
    socket.on("close", () => resolve(false));
    socket.write(Buffer.alloc(64 * 2 ** 20), (error) => error || resolve(true));
    socket.resume();
  });
  socket.destroy();
  expect(isAllRead).toBe(false);
});

test("pings and pongs count as messages", async () => {
  const { address } = await serve({ limits: { messages: 10 } });
  for (const kind of ["ping", "pong"] as const) {
    const { socket, ended } = rawSocket(address, "/signal/new");
    await once(socket, "message");
    for (let i = 0; i < 200; i++) socket[kind](Buffer.alloc(125));
    expect(await ended, kind).toMatchObject({ code: 4005, reason: "sends too many messages" });
  }
});

test("one who does not read is cut off", async () => {
  const server = await serve({ limits: { waitingBytes: 16_384, ping: 0.2, idle: 60 } });
  const host = await player(runners, server.address, { room: "new" });
  const { socket, ended } = rawSocket(server.address, `/rooms/${host.link.code}`);
  await once(socket, "message");
  socket.pause();
  // Neither does it answer pings.
  await until(() => server.stats().connections === 1);
  socket.resume();
  expect((await ended).code).toBe(1006);
});

test("a half-open connection ends, as it does not answer pings", async () => {
  const server = await serve({ limits: { ping: 0.2, idle: 60 } });
  const { socket } = rawSocket(server.address, "/rooms/new", { autoPong: false });
  await once(socket, "message");
  expect(server.stats().connections).toBe(1);
  await until(() => server.stats().connections === 0);
});

test("one who says nothing is sent away, and an empty room ends", async () => {
  const server = await serve({ keepSeat: 0, limits: { ping: 0.1, idle: 0.1, empty: 0.1 } });
  const { socket, ended } = rawSocket(server.address, "/rooms/new");
  await once(socket, "message");
  expect(await ended).toMatchObject({ code: 4008, reason: "nothing was sent for too long" });
  await until(() => server.stats().rooms === 0 && server.stats().roomsEnded === 1);
});

test("under overload, new rooms are refused and running ones go on", async () => {
  // The process always uses more.
  const server = await serve({ limits: { memory: 2 ** 20 } });
  const host = await player(runners, server.address, { room: "new" });
  await until(() => server.stats().overloaded === 1);
  await expect(join(server.address, { room: "new" })).rejects.toMatchObject({
    value: "overloaded",
    problem: "the server takes no new rooms: too little memory is left",
  });
  const friend = await player(runners, server.address, { room: host.link.code });
  await until(() => friend.session.net.state === "playing");
});

test("rejects bad limits and options", async () => {
  await expect(serve({ limits: { rooms: 0 } })).rejects.toThrow(
    "roomServer: limits.rooms must be a number from 1 to 1000000, got 0. Try 1000.",
  );
  await expect(serve({ hangAfter: -1 })).rejects.toThrow(
    "roomServer: hangAfter must be a number of milliseconds from 0 to 1000000, got -1. Try 2000.",
  );
  await expect(serve({ limits: { idle: 0 } })).rejects.toThrow(
    "roomServer: limits.idle must be a number of seconds from 0.1 to 1000000, got 0. Try 30.",
  );
  await expect(serve({ limits: { romms: 1 } as never })).rejects.toThrow('Did you mean "rooms"?');
  await expect(serve({ mode: "peer" as never })).rejects.toThrow("roomServer: mode must be");
  await expect(serve({ port: 70_000 })).rejects.toThrow("roomServer: port must be at most 65535, got 70000");
  await expect(serve({ metrics: "there" })).rejects.toThrow(
    'roomServer: metrics must be a port or "address:port"',
  );
  await expect(serve({ trustProxy: ["x"] })).rejects.toThrow(
    "roomServer: trustProxy must be addresses or subnets",
  );
  // Files where folders must be, and a text that is no key.
  const file = import.meta.filename;
  for (const option of ["replays", "saves"])
    await expect(serve({ [option]: file })).rejects.toThrow(
      `roomServer: ${option} must be a folder that can be written (EEXIST`,
    );
  await expect(serve({ page: file })).rejects.toThrow("roomServer: page must be a folder, got");
  await expect(serve({ page: `${file}.gone` })).rejects.toThrow(
    "roomServer: page must be a folder that can be read (ENOENT",
  );
  await expect(serve({ tls: { key: file, cert: file } })).rejects.toThrow(
    "roomServer: tls must be a private key and its certificate (",
  );
  await expect(serve({ host: "host.invalid" })).rejects.toThrow("Choose an address of this machine.");
  const server = await serve();
  const { port } = server;
  expect(() => server.close({ grace: NaN })).toThrow(
    "RoomServer.close: grace must be a number of seconds from 0",
  );
  const events: string[] = [];
  await expect(serve({ port, log: ({ event }) => events.push(event) })).rejects.toThrow(
    `roomServer: port ${port} of 127.0.0.1 is in use.`,
  );
  expect(events).toEqual([]);
});

// Root may write everywhere else.
test.runIf(existsSync("/proc/self"))("a folder that exists, but cannot be written", async () => {
  await expect(serve({ saves: "/proc" })).rejects.toThrow(
    /^roomServer: saves must be a folder that can be written \(E[A-Z]+: .*\), got "\/proc"\. Try "saves"\.$/,
  );
});
