// What attackers do to a room of Colyseus. They know its protocol: they are let in as anybody is, and then break it.
import { randomBytes } from "node:crypto";
import { address, ANYWHERE, dial, endAfter } from "./attack-sockets.mjs";

/** Codes of messages of Colyseus: joined, data, bytes, request; and the number of our messages. */
const [JOIN, DATA, BYTES, REQUEST] = [10, 13, 17, 21];
const OURS = 84;

/** Returns the attacks on a room. Calls `onEntered` for each attacker that is let in. */
export function attacksOn(roomId, onEntered) {
  const post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://${address()}/matchmake/${path}`, { method: "POST", headers, body });
    return response.json();
  };
  /** Opens a socket with a seat that Colyseus has reserved. Calls `onJoined` with it when the room lets it in. */
  async function enter(onJoined, options) {
    // The dummy reserves no seat, but accepts any connection.
    const { processId, sessionId } = await post(`joinById/${roomId}`, "{}").catch(() => ({ sessionId: "x" }));
    // The room is full.
    if (sessionId === undefined) return;
    const socket = dial(`/${processId}/${roomId}?sessionId=${sessionId}`, options);
    const joined = () => {
      if (processId !== undefined) onEntered();
      socket.send(Uint8Array.of(JOIN));
      onJoined(socket);
    };
    if (processId === undefined) socket.once("open", joined);
    else socket.once("message", joined);
    endAfter(socket, 3000);
  }
  const ours = (bytes) => Buffer.concat([Uint8Array.of(BYTES, OURS), bytes]);
  const send = (count, message) => (socket) => {
    for (let i = 0; i < count && socket.readyState === 1; i++) socket.send(message(i));
  };
  return {
    ...ANYWHERE,
    /** As many messages as fit, as a session sends them. */
    flood: () => enter(send(400, (i) => ours(randomBytes(1 + ((i * 37) % 1200))))),
    /** Messages of Colyseus itself: types that nobody listens to, long names, requests without an answer. */
    forge: () =>
      enter((socket) => {
        send(50, () => Buffer.concat([Uint8Array.of(DATA, 0xdb, 255, 255, 255, 255), randomBytes(50)]))(
          socket,
        );
        send(50, () => Buffer.concat([Uint8Array.of(REQUEST, 1, OURS), randomBytes(20)]))(socket);
        send(100, (i) => randomBytes(1 + (i % 60)))(socket);
      }),
    /** One message of 8 MB. */
    oversized: () => enter(send(1, () => Buffer.alloc(8 << 20))),
    /** Joins and falls silent: no pong, no reads. */
    halfOpen: () => enter((socket) => socket._socket.pause(), { autoPong: false }),
    /** Seats that nobody has reserved, and tokens that are guessed. */
    async guess() {
      const id = randomBytes(6).toString("base64url");
      dial(`/${id}/${roomId}?sessionId=${id}&reconnectionToken=${id}`);
      await post(`reconnect/${roomId}`, JSON.stringify({ reconnectionToken: id }));
    },
    /** Invalid requests to the match maker. */
    async requests() {
      await post("joinById/nowhere", "{}");
      await post(`joinById/${roomId}`, "{");
      await post("joinOrCreate/__proto__", "[]");
    },
  };
}
