import {
  badValue,
  misuse,
  requireFunction,
  requireKnownOptions,
  requireOptions,
  requireType,
  requireWhole,
} from "../errors/index.js";
import { checkedLimits, type ServerLimits } from "./limits.js";
import type { LogEntry } from "./log.js";
import { requireTime } from "./require-time.js";
import type { RoomMode } from "./rooms/game-room.js";

/** How signed tokens (JWT) are checked. */
export interface JwtOptions {
  /**
   * The file of the key: a public key (PEM), a set of public keys (JWKS), or a secret of at least 32 bytes for HS256.
   */
  readonly key: string;
  /** Who must have issued a token. Default: anybody who has the key. */
  readonly issuer?: string | undefined;
  /** For whom a token must be. Default: not checked. */
  readonly audience?: string | undefined;
}

/** Options of `roomServer`. */
export interface RoomServerOptions {
  /** The port. Default 0: any free one. */
  readonly port?: number | undefined;
  /** The address to listen on: `"0.0.0.0"` to let others in. Default `"127.0.0.1"`: this machine only. */
  readonly host?: string | undefined;
  /** Who decides: the server (`"authority"`), or the players (`"relay"`, `"lockstep"`). Default `"authority"`. */
  readonly mode?: RoomMode | undefined;
  /** More options of the rooms' sessions: `{ down: "states" }`. */
  readonly session?: Readonly<Record<string, unknown>> | undefined;
  /** The seed of each room. Default: random. */
  readonly seed?: number | string | (() => number | string) | undefined;
  /** A folder of files to serve, such as `"dist"`. Default: none. */
  readonly page?: string | undefined;
  /** Whether peers of peer-to-peer games may meet here: see `meetPeers`. Default true. */
  readonly signal?: boolean | undefined;
  /** A folder for the replays of all rooms. Default: none are written. */
  readonly replays?: string | undefined;
  /** A folder for the saves of running rooms, which the next process continues. Default: none. */
  readonly saves?: string | undefined;
  /** Seconds between two saves of a room. In between, its inputs are saved every second. Default 10. */
  readonly saveEvery?: number | undefined;
  /** Seconds for which the seat of a disconnected player is kept, and the token is valid. Default 60. */
  readonly keepSeat?: number | undefined;
  /** Seconds that `close` lets running rooms go on. Default: 20; 0 if they are saved. */
  readonly grace?: number | undefined;
  /**
   * Milliseconds, not seconds, after which a step or `init` that does not return is ended, and its room with it. Default 2000, which is
   * 2 seconds. 0: never.
   */
  readonly hangAfter?: number | undefined;
  /** Where `/metrics` is served: a port of this machine, or `"address:port"`. Default: nowhere. */
  readonly metrics?: number | string | undefined;
  /** The origins of pages that may connect: `["https://example.com"]`. Default: all. */
  readonly origins?: readonly string[] | undefined;
  /** Addresses or subnets of proxies whose X-Forwarded-For header is believed. Default: none. */
  readonly trustProxy?: readonly string[] | undefined;
  /** The files of a key and a certificate (PEM), to serve https and wss. Default: http and ws. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Lets in only those who have a signed token. Default: everybody. */
  readonly jwt?: JwtOptions | undefined;
  /** What clients may use. */
  readonly limits?: ServerLimits | undefined;
  /** Called with each entry of the log. Entries contain no codes and no tokens. Default: nothing is logged. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

const OPTIONS = Object.keys({
  port: 1,
  host: 1,
  mode: 1,
  session: 1,
  seed: 1,
  page: 1,
  signal: 1,
  replays: 1,
  saves: 1,
  saveEvery: 1,
  keepSeat: 1,
  grace: 1,
  hangAfter: 1,
  metrics: 1,
  origins: 1,
  trustProxy: 1,
  tls: 1,
  jwt: 1,
  limits: 1,
  log: 1,
} satisfies Record<keyof RoomServerOptions, 1>);

const CALL = "roomServer";
const MODES = ["authority", "relay", "lockstep"];
/** An origin as browsers send it. They are compared as text, so any other would let nobody in. Pages from files have "null". */
const ORIGIN = /^(null|[a-z][a-z\d+.-]*:\/\/[^/?#\sA-Z]+)$/;

/** Checks all options, and fills in the defaults. Seconds become milliseconds. */
export function checkedServerOptions(options: RoomServerOptions) {
  requireOptions(CALL, options, OPTIONS, "{ port: 8080 }");
  const { port = 0, host = "127.0.0.1", mode = "authority", session = {}, seed, signal = true } = options;
  const { saveEvery = 10, keepSeat = 60, hangAfter = 2000, origins, trustProxy = [], limits = {} } = options;
  const { replays, saves, page, metrics, tls, jwt, log } = options;
  const { grace = saves !== undefined ? 0 : 20 } = options;
  requirePort("port", port);
  if (!MODES.includes(mode))
    badValue(`${CALL}: mode`, '"authority", "relay" or "lockstep"', mode, '"authority"');
  for (const [name, value] of Object.entries({ host, replays, saves, page }))
    if (value !== undefined && (typeof value !== "string" || value === ""))
      badValue(`${CALL}: ${name}`, "a text", value, JSON.stringify(name === "host" ? "0.0.0.0" : name));
  if (saves !== undefined && mode !== "authority")
    misuse(
      "unsupported",
      CALL,
      `rooms with mode ${JSON.stringify(mode)} cannot be saved, as the players decide`,
      'Leave out saves, or use mode: "authority"',
    );
  requireType(`${CALL}: session`, session, "object", '{ down: "states" }');
  requireType(`${CALL}: signal`, signal, "boolean", true);
  requireTime(`${CALL}: saveEvery`, "seconds", saveEvery, [1, 3600], 10);
  requireTime(`${CALL}: keepSeat`, "seconds", keepSeat, [0, 1e6], 60);
  requireTime(`${CALL}: grace`, "seconds", grace, [0, 1e6], 20);
  requireTime(`${CALL}: hangAfter`, "milliseconds", hangAfter, [0, 1e6], 2000);
  if (log !== undefined)
    requireFunction(`${CALL}: log`, log, "(entry) => console.log(JSON.stringify(entry))");
  requireTexts("origins", origins ?? [], '["https://example.com"]');
  const wrongOrigin = origins?.find((origin) => !ORIGIN.test(origin));
  if (wrongOrigin !== undefined)
    badValue(
      `${CALL}: origins`,
      "a protocol and a host each, without a path",
      wrongOrigin,
      '["https://example.com"]',
    );
  requireTexts("trustProxy", trustProxy, '["10.0.0.0/8"]');
  if (tls !== undefined) requireFiles("tls", tls, ["key", "cert"], []);
  if (jwt !== undefined) requireFiles("jwt", jwt, ["key"], ["issuer", "audience"]);
  return {
    port,
    host,
    mode,
    session: { keepSeat, ...session },
    seedOf: typeof seed === "function" ? seed : seed === undefined ? undefined : () => seed,
    page,
    signal,
    replays,
    saves,
    saveEvery: saveEvery * 1000,
    keepSeat: keepSeat * 1000,
    grace: grace * 1000,
    hangAfter,
    metrics: metrics === undefined ? undefined : metricsAddress(metrics),
    origins,
    trustProxy,
    tls,
    jwt,
    limits: checkedLimits(CALL, limits),
    log: log ?? (() => {}),
  };
}

export type CheckedServerOptions = ReturnType<typeof checkedServerOptions>;

function requirePort(name: string, port: unknown): void {
  requireWhole(`${CALL}: ${name}`, port, 0, 8080);
  if ((port as number) > 65_535) badValue(`${CALL}: ${name}`, "at most 65535", port, 8080);
}

function requireTexts(name: string, list: unknown, fix: string): void {
  if (!Array.isArray(list) || list.some((text) => typeof text !== "string" || text === ""))
    badValue(`${CALL}: ${name}`, "an array of texts", list, fix);
}

function requireFiles(
  name: string,
  files: object,
  needed: readonly string[],
  others: readonly string[],
): void {
  requireType(
    `${CALL}: ${name}`,
    files,
    "object",
    `{ ${needed.map((part) => `${part}: "${part}.pem"`).join(", ")} }`,
  );
  requireKnownOptions(CALL, files, [...needed, ...others], name);
  for (const part of [...needed, ...others]) {
    const value = (files as Record<string, unknown>)[part];
    if (value === undefined && others.includes(part)) continue;
    if (typeof value !== "string" || value === "")
      badValue(`${CALL}: ${name}.${part}`, "a text", value, `"${part}.pem"`);
  }
}

/** Reads the address for metrics. */
function metricsAddress(metrics: number | string): { readonly host: string; readonly port: number } {
  if (typeof metrics === "number") {
    requirePort("metrics", metrics);
    return { host: "127.0.0.1", port: metrics };
  }
  const parts = typeof metrics === "string" ? /^(?:(.+):)?(\d{1,5})$/.exec(metrics) : null;
  if (!parts) return badValue(`${CALL}: metrics`, 'a port or "address:port"', metrics, 9464);
  const port = Number(parts[2]);
  requirePort("metrics", port);
  return { host: parts[1]?.replace(/^\[(.*)\]$/, "$1") ?? "127.0.0.1", port };
}
