import { badValue, requireFunction, requireNumber, requireType } from "../../errors/index.js";
import type { InputFields, InputValues } from "../../input/index.js";
import type { AnySimulation, Effect, EffectFields, Present, RunOptions } from "../../sim/index.js";
import type { Run } from "../../sim/run.js";
import type { Fields, ReadonlyWorld } from "../../state/index.js";
import type { Link } from "../link.js";
import { requireLinks, requireName, requireOneOf, requireSeats, requireWholeUpTo } from "../option-checks.js";
import type { OwnInputs, PredictRequest } from "../peer-options.js";
import { DOWNS, type Down } from "./messages.js";

/** Options of `serverSession`. */
export interface ServerOptions<
  I extends InputFields,
  S extends Fields = Fields,
  E extends EffectFields = EffectFields,
> extends RunOptions {
  /**
   * What clients get. `"inputs"`: the inputs of all seats, from which they compute the same states. It takes the fewest bytes.
   * `"states"`: the states themselves, as differences. It works even if the machines compute different bits, and the server can keep
   * secrets. `"lockstep"`: the changes of all inputs, tick by tick, the same bytes for everyone. Clients predict nothing and step only
   * what has arrived: for a room with a thousand players. Default `"inputs"`.
   */
  readonly down?: Down | undefined;
  /** Links to clients. More are added with `connect`. */
  readonly links?: readonly Link[] | undefined;
  /** The seats that the server itself plays: those of a player who hosts. Default none. */
  readonly seats?: readonly number[] | undefined;
  /** Where the inputs of these seats come from. */
  readonly inputs?: OwnInputs<I> | undefined;
  /** The name of the hosting player, up to 24 characters. Default "". */
  readonly name?: string | undefined;
  /** What `view` shows. Default `"interpolate"` if the server has seats, else `"none"`. */
  readonly present?: Present | undefined;
  /** Predicts an input that has not arrived: `player` holds the last known one. Default: it stays for half a second, then it is empty. */
  readonly predict?: ((player: InputValues<I>, request: PredictRequest) => void) | undefined;
  /** Ticks between two hashes that clients compare. Default 10. 0 for none. */
  readonly hashEvery?: number | undefined;
  /** States per second, with `down: "states"` and for viewers. Default 20, or the rate of the game if that is less. */
  readonly stateRate?: number | undefined;
  /** Bytes per second and client for states. Important rows then stay fresh, and the others follow. Default: no limit. */
  readonly budget?: number | undefined;
  /** Whether a client with these seats may see a row: rows that it may not see are never sent. Needs `down: "states"`. */
  readonly visible?:
    | ((world: ReadonlyWorld<S>, seats: readonly number[], table: string, row: number) => boolean)
    | undefined;
  /** How important a row is for a client, from 0 on. Counts only if `budget` is tight. Default 1 for all. */
  readonly priority?:
    | ((world: ReadonlyWorld<S>, seats: readonly number[], table: string, row: number) => number)
    | undefined;
  /** Whether `down: "states"` leaves out the random generator and the inputs of others, so that nobody can read them. Default false. */
  readonly secretive?: boolean | undefined;
  /**
   * Which effects are sent with states, to clients with these seats and to viewers (no seats): all, none, or those for which the function
   * returns true. Default: all; but none if the server keeps secrets (`visible`, `secretive`, secret fields), as an effect could give
   * them away.
   */
  readonly effects?:
    | boolean
    | ((effect: Effect<E>, seats: readonly number[], world: ReadonlyWorld<S>) => boolean)
    | undefined;
  /** Seconds of silence after which a client is dropped. Default 5. */
  readonly timeout?: number | undefined;
  /** Seconds for which the seats of a client that is gone are kept for it. Default 60. */
  readonly keepSeat?: number | undefined;
  /** Most clients and viewers at a time. Default 64, or as many as the game has players, if that is more. */
  readonly maxClients?: number | undefined;
  /** What becomes of the game when this server leaves: it ends, or a client hosts it. Default `"end"`. */
  readonly whenGone?: "end" | "migrate" | undefined;
  /** The game of a server that is gone, to continue it: what `handover()` of that server or of a client returned. */
  readonly from?: Uint8Array | undefined;
  /** Reads the time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Reads the wall time in milliseconds since 1970. Default: that of the system. */
  readonly wall?: (() => number) | undefined;
}

export const SERVER_OPTIONS = Object.keys({
  seed: 1,
  guard: 1,
  kernels: 1,
  down: 1,
  links: 1,
  seats: 1,
  inputs: 1,
  name: 1,
  present: 1,
  predict: 1,
  hashEvery: 1,
  stateRate: 1,
  budget: 1,
  visible: 1,
  priority: 1,
  secretive: 1,
  effects: 1,
  timeout: 1,
  keepSeat: 1,
  maxClients: 1,
  whenGone: 1,
  from: 1,
  now: 1,
  wall: 1,
} satisfies Record<keyof ServerOptions<InputFields>, 1>);

const MAX_CLIENTS = 100_000;

/** Checks all options, and fills in the defaults. */
export function checkedServerOptions(
  call: string,
  simulation: AnySimulation,
  options: ServerOptions<InputFields>,
) {
  const { players, rate } = simulation;
  const { down = "inputs", links = [], seats = [], name = "", hashEvery = 10 } = options;
  const {
    timeout = 5,
    keepSeat = 60,
    maxClients = Math.max(64, players),
    whenGone = "end",
    secretive = false,
  } = options;
  const { budget = Infinity } = options;
  requireOneOf(`${call}: down`, down, DOWNS);
  requireLinks(`${call}: links`, links);
  requireSeats(`${call}: seats`, seats, players);
  requireName(`${call}: name`, name);
  requireWholeUpTo(`${call}: hashEvery`, hashEvery, 0, 600, 10);
  const hertz = rate[0] / rate[1];
  const { stateRate = Math.min(20, hertz) } = options;
  requireNumber(`${call}: stateRate`, stateRate, 0.1, hertz, Math.min(20, hertz));
  if (budget !== Infinity) requireNumber(`${call}: budget`, budget, 1000, 1e9, 16_000);
  for (const name of ["visible", "priority"] as const) {
    if (options[name] === undefined) continue;
    requireFunction(`${call}: ${name}`, options[name], "(world, seats, table, row) => true");
    if (down !== "states")
      badValue(`${call}: down`, `"states", as ${name} chooses rows of states`, down, '"states"');
  }
  const { effects } = options;
  if (effects !== undefined && typeof effects !== "boolean")
    requireFunction(`${call}: effects`, effects, "(effect, seats, world) => true");
  requireType(`${call}: secretive`, secretive, "boolean", true);
  // In lockstep, clients without a change of inputs send a sign of life every half second.
  requireNumber(`${call}: timeout`, timeout, down === "lockstep" ? 2 : 0.2, 3600, 5);
  requireNumber(`${call}: keepSeat`, keepSeat, 0, 1e6, 60);
  requireWholeUpTo(`${call}: maxClients`, maxClients, 1, MAX_CLIENTS, 64);
  requireOneOf(`${call}: whenGone`, whenGone, ["end", "migrate"]);
  if (options.predict !== undefined) requireFunction(`${call}: predict`, options.predict, "(player) => {}");
  if (options.now !== undefined) requireFunction(`${call}: now`, options.now, "() => performance.now()");
  if (options.wall !== undefined) requireFunction(`${call}: wall`, options.wall, "() => Date.now()");
  return {
    down,
    links,
    seats: [...seats].sort((a, b) => a - b),
    name,
    hashEvery,
    /** Ticks between two states. */
    stateEvery: Math.max(1, Math.round(hertz / stateRate)),
    /** Bytes per state. */
    stateBytes: budget === Infinity ? Infinity : Math.floor((budget * Math.round(hertz / stateRate)) / hertz),
    // The random generator and the inputs of others would give hidden rows away.
    secretive: secretive || options.visible !== undefined,
    timeout: timeout * 1000,
    keepSeat: keepSeat * 1000,
    maxClients,
    whenGone,
  } as const;
}

export type ServerSettings = ReturnType<typeof checkedServerOptions>;

/** Throws if states do not contain all that clients need to go on: the world of a physics engine must be built from the rows. */
export function requireRebuildable(call: string, run: Run): void {
  const name = run.notRebuildable;
  if (name !== undefined)
    badValue(
      `${call}: down`,
      `"inputs", as states do not contain the external state ${JSON.stringify(name)}, and it has no rebuild()`,
      "states",
      '"inputs"',
    );
}

/** Returns the path of a secret table or field; undefined if there is none. */
const secretOf = ({ layout }: AnySimulation): string | undefined =>
  layout.owners.find(({ isSecret }) => isSecret)?.path ??
  layout.leaves.find(({ isSecret }) => isSecret)?.tail;

/** Whether clients must not learn everything. */
export const keepsSecrets = (simulation: AnySimulation, { secretive }: ServerSettings): boolean =>
  secretive || secretOf(simulation) !== undefined;

/** Throws if the layout has secrets: clients that get all inputs can compute them. */
export function requireNoSecrets(call: string, simulation: AnySimulation): void {
  const secret = secretOf(simulation);
  if (secret !== undefined)
    badValue(
      `${call}: down`,
      `"states", as ${JSON.stringify(secret)} is secret, and clients that get all inputs can compute it`,
      "inputs",
      '"states"',
    );
}
