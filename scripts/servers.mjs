// Server programs that tests start on a free port.
import { findProgram, installCommand } from "./programs.mjs";

/** Debian starts its own Redis as a service on port 6379. Tests never use that one. */
export const REDIS = { files: [["redis-server"]], packages: ["redis-server"] };

/** Returns the path of redis-server, or undefined if it is missing. */
export const findRedis = () => findProgram(REDIS)?.[0];

/** The command that installs it. */
export const redisInstall = () => installCommand([REDIS]);

/** The load balancer of examples/deploy. Debian starts it as a service on port 80, which tests never use. */
export const NGINX = { files: [["nginx"]], packages: ["nginx"], folders: ["/usr/sbin"] };

/** Returns the path of nginx, or undefined if it is missing. */
export const findNginx = () => findProgram(NGINX)?.[0];

/** The command that installs it. */
export const nginxInstall = () => installCommand([NGINX]);
