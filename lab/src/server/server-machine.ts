import { arena } from "../../../scenes/arena.js";
import type { SimulatedNetwork } from "../../../src/net/simulated.js";
import type { ServerSettings } from "./settings.js";

/** Adds a server to the network. */
export const startServer = (network: SimulatedNetwork, { down, rate }: ServerSettings) =>
  network.server(arena, { down, stateRate: Number(rate), present: "interpolate" });

export type ServerMachine = ReturnType<typeof startServer>;
