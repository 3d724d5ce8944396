// Server programs that tests start on a free port.
import { findProgram, installCommand } from "./programs.mjs";

/** Debian starts its own Redis as a service on port 6379. Tests never use that one. */
export const REDIS = { files: [["redis-server"]], packages: ["redis-server"] };

/** Returns the path of redis-server, or undefined if it is missing. */
export const findRedis = () => findProgram(REDIS)?.[0];

/** The command that installs it. */
export const redisInstall = () => installCommand([REDIS]);
