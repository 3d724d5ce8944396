import { badValue, requireFunction, requireNumber, requireType, requireWhole } from "../errors/index.js";
import type { InputFields, InputRequest, InputSource, InputValues } from "../input/index.js";
import type { AnySimulation, Present, RunOptions } from "../sim/index.js";
import { MAX_DELAY } from "./input-delay.js";
import type { Link } from "./link.js";
import {
  requireLinks,
  requireName,
  requireOneOf,
  requireSeatsOrCount,
  requireTiming,
  requireToken,
  requireWholeUpTo,
} from "./option-checks.js";

/** When effects are delivered: in the first frame that shows their state, or only once that state is certain. */
export type EffectTiming = "shown" | "confirmed";

/** The second argument of `predict`: which input to predict. */
export interface PredictRequest {
  readonly seat: number;
  /** The tick to predict. */
  readonly tick: number;
  /** Ticks since the last known input of the seat. */
  readonly age: number;
}

/** Where the inputs of the own seats come from: a function that writes them, one source, or one source per own seat. */
export type OwnInputs<I extends InputFields> =
  | ((players: readonly [InputValues<I>, ...InputValues<I>[]], request: InputRequest) => void)
  | InputSource
  | readonly (InputSource | undefined)[];

/** Options of `peerSession`. */
export interface PeerOptions<I extends InputFields> extends RunOptions {
  /** The seats of this peer; or how many, to get any that are free; or `[]` to watch. The peer with seat 0 hosts the game, unless there is a relay. If nobody asks for it, the player with the lowest id does. */
  readonly seats: readonly number[] | number;
  /** Links to other peers. More can be added with `connect`. */
  readonly links?: readonly Link[] | undefined;
  /** Relays: hosts the game without a seat, and forwards everybody's inputs. Default false. */
  readonly relay?: boolean | undefined;
  /** Where the inputs of this peer's seats come from. A function gets one object per own seat, and is called only while there is one. */
  readonly inputs?: OwnInputs<I> | undefined;
  /**
   * Ticks that may be predicted while inputs of others are missing. 0 is lockstep: every tick waits for everyone. Default 8, as
   * players hardly notice corrections of up to 130 ms at 60 Hz.
   */
  readonly window?: number | undefined;
  /** The window grows up to this while the session stalls, as in bursts of loss. Default 30, or `window` if that is more or 0. */
  readonly maxWindow?: number | undefined;
  /**
   * Ticks between sampling an input and the tick it applies to, 0 to 10. More delay means fewer corrections. `"auto"` follows
   * the round trip: it rises at once and falls slowly. Default 2; in lockstep `"auto"`.
   */
  readonly delay?: number | "auto" | undefined;
  /** The host starts the game when this many seats are taken. Default: all. 0 starts at once. */
  readonly start?: number | undefined;
  /** Shown to other players, up to 24 characters. Default "". */
  readonly name?: string | undefined;
  /** Any text that stays the same when the page is reloaded. A peer that reconnects with the same token gets its seats back. Default: random. */
  readonly token?: string | undefined;
  /** Ticks between two hashes that peers compare. The host's option counts. Default 10. 0 for none. */
  readonly hashEvery?: number | undefined;
  /** Ticks between two saved states. More if saving is slow, as with a physics engine: corrections then repeat some ticks more. Default 1. */
  readonly saveEvery?: number | undefined;
  /** Predicts the inputs of a seat: `player` holds the last known ones. Default: they stay as they are. */
  readonly predict?: ((player: InputValues<I>, request: PredictRequest) => void) | undefined;
  /** When effects are delivered, for all or by name. Default `"shown"`. */
  readonly when?: EffectTiming | { readonly [effect: string]: EffectTiming } | undefined;
  /** What `view` shows. Default `"interpolate"`. */
  readonly present?: Present | undefined;
  /**
   * Seconds without any news of a member after which the others drop it. Default 0.5: with three or more members, the others would
   * stand still meanwhile. With two members 5, as nothing is gained by playing alone soon; with a relay 0.9, as only the relay hears each player.
   */
  readonly timeout?: number | undefined;
  /** In a game of two, whether the guest continues alone when the host is gone, or waits for it. The host always continues. Default `"wait"`. */
  readonly alone?: "continue" | "wait" | undefined;
  /** Seconds for which the seat of a dropped member is kept for it. Default 60. */
  readonly keepSeat?: number | undefined;
  /**
   * What happens after a desync, besides the event: `"report"` nothing; `"drop"` in games of three or more, the peer that differs from
   * the majority is dropped; `"recover"` a peer that differs loads the state of the host. Default `"drop"`.
   */
  readonly desync?: "report" | "drop" | "recover" | undefined;
  /** The build of the game, for reports of a desync. Default "". */
  readonly build?: string | undefined;
  /**
   * Called with a sentence about each kind of problem, once: a rejection, a desync, a missing host or a lost quorum. `false` for no
   * warnings. Default: `console.warn`.
   */
  readonly warn?: ((text: string) => void) | false | undefined;
  /** Reads the time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

export const PEER_OPTIONS = Object.keys({
  seed: 1,
  guard: 1,
  kernels: 1,
  seats: 1,
  links: 1,
  relay: 1,
  inputs: 1,
  window: 1,
  maxWindow: 1,
  delay: 1,
  start: 1,
  name: 1,
  token: 1,
  hashEvery: 1,
  saveEvery: 1,
  predict: 1,
  when: 1,
  present: 1,
  timeout: 1,
  alone: 1,
  keepSeat: 1,
  desync: 1,
  build: 1,
  warn: 1,
  now: 1,
} satisfies Record<keyof PeerOptions<InputFields>, 1>);

const MAX_WINDOW = 120;

/** Checks all options, and fills in the defaults. */
export function checkedPeerOptions<I extends InputFields>(
  call: string,
  simulation: AnySimulation,
  options: PeerOptions<I>,
) {
  const { players } = simulation;
  const { seats, links = [], relay = false, window = 8, name = "", hashEvery = 10, saveEvery = 1 } = options;
  requireWholeUpTo(`${call}: window`, window, 0, MAX_WINDOW, 8);
  const { maxWindow = window === 0 ? 0 : Math.max(window, 30), delay = window === 0 ? "auto" : 2 } = options;
  const {
    start = players,
    timeout,
    alone = "wait",
    keepSeat = 60,
    desync = "drop",
    when = "shown",
    build = "",
  } = options;
  requireType(`${call}: build`, build, "string", '"2026-11-17"');
  requireSeatsOrCount(`${call}: seats`, seats, players);
  requireLinks(`${call}: links`, links);
  requireType(`${call}: relay`, relay, "boolean", true);
  const count = typeof seats === "number" ? seats : seats.length;
  if (relay && count > 0) badValue(`${call}: seats`, "[] for a relay, which holds no seat", seats, "[]");
  requireWholeUpTo(`${call}: maxWindow`, maxWindow, 0, MAX_WINDOW, 30);
  if (maxWindow < window) badValue(`${call}: maxWindow`, `at least the window, ${window}`, maxWindow, window);
  if (delay !== "auto" && !(Number.isInteger(delay) && delay >= 0 && delay <= MAX_DELAY))
    badValue(`${call}: delay`, `a whole number from 0 to ${MAX_DELAY}, or "auto"`, delay, '"auto"');
  requireWhole(`${call}: start`, start, 0, players);
  if (start > players)
    badValue(`${call}: start`, `at most ${players}, the players of the simulation`, start, players);
  requireName(`${call}: name`, name);
  if (options.token !== undefined) requireToken(`${call}: token`, options.token);
  requireWholeUpTo(`${call}: hashEvery`, hashEvery, 0, 600, 10);
  requireWholeUpTo(`${call}: saveEvery`, saveEvery, 1, 60, 1);
  if (timeout !== undefined) requireNumber(`${call}: timeout`, timeout, 0.2, 3600, 0.5);
  requireNumber(`${call}: keepSeat`, keepSeat, 0, 1e6, 60);
  requireOneOf(`${call}: alone`, alone, ["continue", "wait"]);
  requireOneOf(`${call}: desync`, desync, ["report", "drop", "recover"]);
  requireTiming(call, simulation, when);
  if (options.predict !== undefined) requireFunction(`${call}: predict`, options.predict, "(player) => {}");
  const { warn } = options;
  if (warn !== undefined && warn !== false) requireFunction(`${call}: warn`, warn, "false");
  if (options.now !== undefined) requireFunction(`${call}: now`, options.now, "() => performance.now()");
  const list = typeof seats === "number" ? [] : [...seats].sort((a, b) => a - b);
  return {
    seats: list,
    count,
    links,
    relay,
    window,
    maxWindow,
    delay,
    start,
    name,
    hashEvery,
    saveEvery,
    /** In milliseconds; undefined if the number of members decides. */
    timeout: timeout === undefined ? undefined : timeout * 1000,
    alone,
    keepSeat: keepSeat * 1000,
    desync,
    when,
    build,
  };
}

/** The options of a peer session with all defaults. */
export type PeerSettings = ReturnType<typeof checkedPeerOptions>;
