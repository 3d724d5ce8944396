import { nearest } from "../errors/index.js";
import type { RoomServerOptions, ServerLimits } from "../server/index.js";
import type { Args } from "./args.js";
import { UsageError } from "./cli-error.js";
import { EXPORT, type Option } from "./command.js";
import { anyOf } from "./screen.js";

/** The limits that --limit sets. */
const LIMITS = Object.keys({
  connections: 1,
  connectionsPerAddress: 1,
  rooms: 1,
  newRoomsPerMinute: 1,
  wrongCodesPerMinute: 1,
  watchers: 1,
  messages: 1,
  bytes: 1,
  waitingBytes: 1,
  request: 1,
  idle: 1,
  ping: 1,
  empty: 1,
  members: 1,
  replayBytes: 1,
  lateMs: 1,
  memory: 1,
} satisfies Record<keyof ServerLimits, 1>);

export const SERVE_OPTIONS: Readonly<Record<string, Option>> = {
  port: { value: "N", about: "The port to listen on. 0 for any free one. Default: 8080." },
  host: {
    value: "ADDRESS",
    about: "The address to listen on: 0.0.0.0 to let others in. Default: 127.0.0.1, this machine only.",
  },
  page: {
    value: "FOLDER",
    about: "Also serve the files of this folder, with the headers that shared memory needs.",
  },
  mode: {
    value: "MODE",
    about: "Who decides: authority (this server), relay or lockstep (the players). Default: authority.",
  },
  down: {
    value: "WHAT",
    about: "What clients get in mode authority: inputs, states or lockstep. Default: inputs.",
  },
  replays: { value: "FOLDER", about: "Record a replay of every room into this folder." },
  saves: {
    value: "FOLDER",
    about: "Save running rooms in this folder. The next process continues them.",
  },
  grace: {
    value: "SECONDS",
    about:
      "After SIGTERM or Ctrl-C, let running rooms go on for this many seconds. Default: 20; 0 with --saves.",
  },
  workers: { value: "N", about: "Run rooms in this many processes. Default: 1, in this process." },
  metrics: {
    value: "[ADDRESS:]PORT",
    about: "Serve /metrics for Prometheus there. Default address: 127.0.0.1.",
  },
  origins: {
    value: "ORIGINS",
    isList: true,
    about: "Let in only pages of these origins, separated by commas, such as https://example.com.",
  },
  "trust-proxy": {
    value: "ADDRESSES",
    isList: true,
    about: "Believe X-Forwarded-For from these addresses or subnets, such as 10.0.0.0/8.",
  },
  "tls-key": { value: "FILE", about: "The private key for https and wss (PEM)." },
  "tls-cert": { value: "FILE", about: "The certificate for https and wss (PEM)." },
  jwt: {
    value: "FILE",
    about: "Let in only clients with a signed token (JWT). FILE holds the public key, a JWKS, or a secret.",
  },
  "jwt-issuer": { value: "TEXT", about: "The issuer that signed tokens must name." },
  "jwt-audience": { value: "TEXT", about: "The audience that signed tokens must name." },
  "keep-seat": {
    value: "SECONDS",
    about: "Keep the seat of a disconnected player for this many seconds. Default: 60.",
  },
  "hang-after": {
    value: "SECONDS",
    about: "End a room whose step takes longer than this many seconds. Default: 2.",
  },
  limit: {
    value: "NAME=N",
    isList: true,
    about: `Set a limit: ${LIMITS.join(", ")}. request, idle, ping and empty are in seconds, lateMs in milliseconds; messages and bytes are per second; waitingBytes, replayBytes and memory are in bytes.`,
  },
  "no-signal": { about: "Turn off meetings, the signalling for peer-to-peer games." },
  export: EXPORT,
  json: { about: "Print one line of JSON per second, and logs as JSON to stderr." },
};

/** Options of the server, without what cannot be sent to another process. */
export function serverOptionsOf(args: Args): Omit<RoomServerOptions, "log" | "seed"> {
  const port = args.whole("port", 0) ?? 8080;
  if (port > 65_535) throw new UsageError(`--port must be at most 65535, got ${port}.`);
  const mode = oneOf(args, "mode", ["authority", "relay", "lockstep"]);
  const down = oneOf(args, "down", ["inputs", "states", "lockstep"]);
  for (const name of ["down", "saves"])
    if (args.has(name) && mode !== undefined && mode !== "authority")
      throw new UsageError(`--${name} needs --mode authority, got ${mode}.`);
  const [key, cert, jwt] = [args.text("tls-key"), args.text("tls-cert"), args.text("jwt")];
  if ((key === undefined) !== (cert === undefined))
    throw new UsageError("--tls-key and --tls-cert must be given together.");
  const issuer = args.text("jwt-issuer");
  const audience = args.text("jwt-audience");
  if (jwt === undefined && (issuer ?? audience) !== undefined)
    throw new UsageError("--jwt-issuer and --jwt-audience need --jwt FILE.");
  const optional = {
    host: args.text("host"),
    page: args.text("page"),
    mode,
    session: down && { down },
    replays: args.text("replays"),
    saves: args.text("saves"),
    grace: graceOf(args),
    metrics: args.text("metrics"),
    origins: args.has("origins") ? args.list("origins") : undefined,
    trustProxy: args.has("trust-proxy") ? args.list("trust-proxy") : undefined,
    tls: key === undefined || cert === undefined ? undefined : { key, cert },
    jwt: jwt === undefined ? undefined : { key: jwt, issuer, audience },
    keepSeat: args.has("keep-seat") ? args.seconds("keep-seat", 60) : undefined,
    hangAfter: args.has("hang-after") ? 1000 * args.seconds("hang-after", 2, 1000) : undefined,
    limits: limitsOf(args.list("limit")),
    signal: args.has("no-signal") ? false : undefined,
  };
  return { port, ...optional };
}

function oneOf<T extends string>(args: Args, name: string, values: readonly T[]): T | undefined {
  const text = args.text(name);
  const found = values.find((value) => value === text);
  if (text !== undefined && found === undefined)
    throw new UsageError(`--${name} must be ${anyOf(values)}, got ${text}.`);
  return found;
}

/** No grace at all is possible, too. */
function graceOf(args: Args): number | undefined {
  const text = args.text("grace");
  return text === undefined ? undefined : Number(text) === 0 ? 0 : args.seconds("grace", 20);
}

function limitsOf(list: readonly string[]): ServerLimits {
  const limits: Record<string, number> = {};
  for (const text of list) {
    const [name = "", value = "", ...rest] = text.split("=");
    if (!LIMITS.includes(name)) {
      const other = nearest(name, LIMITS);
      throw new UsageError(
        `--limit: unknown limit ${name}. ${other === undefined ? `Limits: ${LIMITS.join(", ")}.` : `Did you mean ${other}?`}`,
      );
    }
    if (!/^\d+(\.\d+)?$/.test(value) || rest.length > 0)
      throw new UsageError(`--limit ${name} must be a number, such as ${name}=100, got ${text}.`);
    limits[name] = Number(value);
  }
  return limits;
}
