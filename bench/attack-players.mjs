// Honest players: real sessions, each with its own address, as a proxy would report it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@colyseus/sdk";
import WebSocket from "ws";
import { answer } from "./server-ipc.mjs";

const [folder] = process.argv.slice(2);
const library = (file) => import(pathToFileURL(join(folder, file)).href);
const { clientSession, colyseusLink, joinRoom } = await library("src/net/index.js");
const { roundedArena } = await library("scenes/arena.js");

const sessions = [];
let count = 0;

/** A socket class that tells the server an address of its own. */
function socketFrom(address) {
  return class extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols, { headers: { "x-forwarded-for": address }, perMessageDeflate: false });
    }
  };
}

/** Tries again for a minute: on a busy machine, a server takes no new rooms. */
async function persistently(call) {
  for (let attempt = 1; ; attempt++)
    try {
      return await call();
    } catch (error) {
      if (attempt === 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
}

setInterval(() => {
  for (const session of sessions) session.advance();
}, 1000 / 60);

function play(link, token) {
  let tick = 0;
  sessions.push(
    clientSession(roundedArena, link, {
      token,
      inputs([me]) {
        tick++;
        me.x = (tick >> 5) % 3 === 0 ? 1 : -1;
        me.dash = tick % 90 < 3;
      },
    }),
  );
}

answer({
  /** Fills rooms with two players each. */
  async join({ port, rooms }) {
    for (let room = 0; room < rooms; room++) {
      let code = "new";
      for (let player = 0; player < 2; player++) {
        const webSocket = socketFrom(`10.1.${count >> 8}.${count++ & 255}`);
        const link = await persistently(() => joinRoom(`ws://127.0.0.1:${port}`, { room: code, webSocket }));
        code = link.code;
        play(link, link.token);
      }
    }
  },
  /** The same in rooms of Colyseus. Returns the id of the first one. */
  async joinColyseus({ port, rooms }) {
    const client = new Client(`ws://127.0.0.1:${port}`);
    const ids = [];
    for (let room = 0; room < rooms; room++) {
      const first = await client.create("arena");
      ids.push(first.roomId);
      for (const joined of [first, await client.joinById(first.roomId)])
        play(colyseusLink(joined), `${first.roomId} ${count++}`);
    }
    return ids[0];
  },
  /** Leaves the oldest rooms. */
  leave({ rooms }) {
    for (const session of sessions.splice(0, 2 * rooms)) session.leave();
  },
  /** How many play, and the lowest tick that a server has confirmed to any of them. */
  progress: () => ({
    playing: sessions.filter(({ net }) => net.state === "playing").length,
    tick: Math.min(...sessions.map(({ confirmed }) => confirmed)),
  }),
});
