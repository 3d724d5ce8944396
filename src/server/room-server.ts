import { requireSimulation, type AnySimulation } from "../sim/simulation.js";
import type { HostPort } from "./directory.js";
import { NO_STATS } from "./host-stats.js";
import { checkedServerOptions, type RoomServerOptions } from "./options.js";
import { RoomHost } from "./room-host.js";
import type { RoomServer } from "./server-handle.js";
import { startServer } from "./start-server.js";

/**
 * Hosts rooms of a game over WebSockets: quick play, private rooms by code, spectators, reconnection, and meetings for peer-to-peer
 * games. Needs the package `ws`. `npx tickwise serve` is the same as a command.
 */
export async function roomServer(game: AnySimulation, options: RoomServerOptions = {}): Promise<RoomServer> {
  const checked = checkedServerOptions(options);
  requireSimulation("roomServer", game);
  return startServer(checked, async (front) => {
    const ports: HostPort[] = [];
    const host = await RoomHost.open(
      game,
      checked,
      front.eventsOf(() => ports[0]!),
    );
    ports.push(localPort(host));
    try {
      await host.resumeAll();
    } catch (error) {
      await host.close();
      throw error;
    }
    return { ports, restarts: 0, past: NO_STATS, close: () => host.close() };
  });
}

function localPort(host: RoomHost): HostPort {
  return {
    get overload() {
      return host.overload;
    },
    get rooms() {
      return host.rooms;
    },
    accept: (ticket, socket, head) => host.accept(ticket, socket, head),
    stats: () => host.stats(),
  };
}
