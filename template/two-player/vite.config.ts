import { roomServer, type RoomServer } from "tickwise/server";
import { defineConfig, type Plugin } from "vite";
import { game } from "./src/game.ts";

let rooms: RoomServer;

/** Runs the game's server beside the page, at the same address. Vite restarts both when game.ts changes. */
const server: Plugin = {
  name: "rooms",
  apply: (_, { command, mode }) => command === "serve" && mode !== "test",
  async config() {
    // Vite may keep this process busy for a moment. The server must not refuse players because of that.
    rooms = await roomServer(game, { grace: 0, limits: { lateMs: 10_000 } });
    return { server: { proxy: { "/rooms": { target: rooms.address, ws: true } } } };
  },
  configResolved({ logger }) {
    const { error } = logger;
    // A tab that was closed is no error.
    logger.error = (text, options) => {
      if (!/ws proxy.*(ECONNRESET|EPIPE)/s.test(text)) error(text, options);
    };
  },
  configureServer({ httpServer }) {
    httpServer?.once("close", () => void rooms.close());
  },
};

export default defineConfig({
  base: "./", // relative links, so that the built page works in any folder of a site
  build: { chunkSizeWarningLimit: 1000 }, // kB
  plugins: [server],
});
