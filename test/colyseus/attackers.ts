// Hostile clients of a room of Colyseus. They know its protocol, and break it.
import { randomBytes, randomInt } from "node:crypto";
import { Client } from "@colyseus/sdk";
import WebSocket from "ws";
import { clientSession, colyseusLink, type ColyseusRoom } from "../../src/net/index.js";
import { answer, settingsOf } from "./answers.js";
import { GAME } from "./game.js";

console.info = console.warn = () => {};

const { port } = settingsOf<{ port: number }>();
const address = `127.0.0.1:${port}`;

interface Seat {
  readonly roomId: string;
  readonly processId: string;
  readonly sessionId: string;
}

const post = async (path: string, body: string | Uint8Array): Promise<string> => {
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://${address}${path}`, {
      method: "POST",
      headers,
      body: body as string,
    });
    return await response.text();
  } catch (error) {
    return String(error);
  }
};

/** Opens a socket with a seat that Colyseus has reserved, and acknowledges that it has joined. */
async function enter(roomId: string): Promise<WebSocket | undefined> {
  const seat = JSON.parse(await post(`/matchmake/joinById/${roomId}`, "{}")) as Seat;
  // The room is full.
  if (!seat.sessionId) return undefined;
  const socket = new WebSocket(`ws://${address}/${seat.processId}/${roomId}?sessionId=${seat.sessionId}`);
  socket.on("error", () => {});
  await new Promise<void>((resolve) => {
    socket.once("message", () => resolve());
    socket.once("close", () => resolve());
  });
  if (socket.readyState === WebSocket.OPEN) socket.send(Uint8Array.of(JOIN));
  return socket;
}

/** Codes of messages of Colyseus: joined, data, bytes, request, ping, and the number of our messages. */
const [JOIN, DATA, BYTES, REQUEST, PING] = [10, 13, 17, 21, 18];
const OURS = 84;

/** One message of an attack. */
const MESSAGES: Record<string, () => Uint8Array> = {
  noise: () => randomBytes(randomInt(1, 300)),
  "noise in our messages": () =>
    Buffer.concat([Uint8Array.of(BYTES!, OURS), randomBytes(randomInt(0, 1300))]),
  "long messages": () => Buffer.concat([Uint8Array.of(BYTES!, OURS), randomBytes(4000)]),
  "too long messages": () => randomBytes(200_000),
  "data with long names": () =>
    Buffer.concat([Uint8Array.of(DATA!, 0xdb, 255, 255, 255, 255), randomBytes(50)]),
  requests: () => Buffer.concat([Uint8Array.of(REQUEST!, 1, OURS), randomBytes(20)]),
  pings: () => Uint8Array.of(PING!),
  empty: () => new Uint8Array(),
};

/** Sends messages of a kind for a while, over as many sockets as it gets. Returns how many it has sent, and how often it was cut off. */
async function flood(kind: string, roomId: string, milliseconds: number) {
  const end = performance.now() + milliseconds;
  let sent = 0;
  let cutOff = 0;
  let socket: WebSocket | undefined;
  while (performance.now() < end) {
    if (socket?.readyState !== WebSocket.OPEN) {
      if (socket) cutOff++;
      socket = await enter(roomId);
    }
    for (
      let i = 0;
      i < 50 && socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < 1e6;
      i++, sent++
    )
      socket.send(MESSAGES[kind]!());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  socket?.terminate();
  return { sent, cutOff };
}

answer({
  ready: () => true,
  kinds: () => Object.keys(MESSAGES),
  flood,
  /** Sends requests for matches that are none. Returns the answers. */
  async requests(roomId: string) {
    const answers: string[] = [];
    for (const path of [
      "/matchmake/joinById/nowhere",
      "/matchmake/joinOrCreate/__proto__",
      "/matchmake/constructor/arena",
      "/matchmake/create/../../etc/passwd",
      `/matchmake/reconnect/${roomId}`,
      "/matchmake/joinOrCreate/arena",
    ])
      for (const body of ["{", "[]", "null", '{"reconnectionToken":"x","__proto__":{"a":1}}'])
        answers.push(await post(path, body));
    answers.push(await post(`/matchmake/joinById/${roomId}`, new Uint8Array(8e6).fill(0x20)));
    return answers;
  },
  /** Connects with seats that nobody has reserved, and with tokens that are wrong. Returns how many were let in. */
  async forgedSeats(roomId: string, processId: string, sessionIds: string[]) {
    let entered = 0;
    const tries = [...sessionIds, "nobody", "", "__proto__", "x".repeat(5000)].flatMap((sessionId) => [
      `sessionId=${sessionId}`,
      `sessionId=${sessionId}&reconnectionToken=guess`,
      `sessionId=${sessionId}&reconnectionToken=&skipHandshake=1`,
    ]);
    for (const query of tries)
      await new Promise<void>((resolve) => {
        const socket = new WebSocket(`ws://${address}/${processId}/${roomId}?${query}`);
        socket.on("message", (data: Buffer) => {
          if (data[0] === JOIN) entered++;
        });
        socket.on("error", () => resolve());
        socket.on("close", () => resolve());
      });
    return entered;
  },
  /** Asks for the seat of somebody else, with a token that is a guess. Returns the state of the session. */
  async takenSeat(roomId: string) {
    const room = (await new Client(`ws://${address}`).joinById(roomId)) as ColyseusRoom;
    const session = clientSession(GAME, colyseusLink(room), { seats: [0], token: "token", present: "none" });
    const end = performance.now() + 60_000;
    while (session.net.state === "connecting" && performance.now() < end) {
      session.advance();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { state } = session.net;
    session.dispose();
    return state;
  },
  /** Opens many connections that never say anything. Returns how many the server has closed after a while. */
  async silent(count: number, milliseconds: number) {
    const sockets = Array.from({ length: count }, () =>
      new WebSocket(`ws://${address}/`).on("error", () => {}),
    );
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const closed = sockets.filter(({ readyState }) => readyState === WebSocket.CLOSED).length;
    for (const socket of sockets) socket.terminate();
    return closed;
  },
});
