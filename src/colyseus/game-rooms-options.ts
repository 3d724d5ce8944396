import { badValue, requireNumber, requireOptions, requireType, requireWhole } from "../errors/index.js";
import type { RecordOptions } from "../replay/index.js";
import type { RoomMode } from "../server/rooms/game-room.js";
import type { RedisConnection } from "./colyseus-types.js";

/** Options of `gameRooms`. */
export interface GameRoomsOptions {
  /** A connection to Redis (`new Redis(url)` of `ioredis`), to continue the rooms of processes that died. Default: none; such rooms are lost. */
  readonly redis?: RedisConnection | undefined;
  /** Prefix of the keys in Redis. Processes with the same prefix share their rooms. Default `"tickwise"`. */
  readonly prefix?: string | undefined;
  /** Milliseconds between two saves of a room. Default 1000. */
  readonly saveEvery?: number | undefined;
  /** Milliseconds between two writes of the inputs since the last save. Inputs that are not written yet are lost when a process dies. Default 100. */
  readonly inputsEvery?: number | undefined;
  /** Milliseconds without a heartbeat after which a process that has lost its connection to Redis counts as dead. Default 1000. */
  readonly deadAfter?: number | undefined;
  /** Milliseconds without a heartbeat after which any process counts as dead, even if it is connected: it hangs. Default 10000. */
  readonly stalledAfter?: number | undefined;
  /** A folder for the replays of all rooms. Default: no replays. */
  readonly replays?: string | undefined;
  /** How many bytes of replays this process may write. Default 1 GB. */
  readonly maxReplayBytes?: number | undefined;
  /** Milliseconds after which a step that does not return ends its room. Default 2000. 0 for no limit. */
  readonly hangAfter?: number | undefined;
  /** Called when Redis does not answer, a room cannot be saved or continued, or a step threw. */
  readonly onProblem?: ((problem: string, error?: unknown) => void) | undefined;
}

/** Options of one kind of rooms: `rooms.classFor(game, options)`. */
export interface HostedRoomOptions {
  /** Who decides: `"authority"`, `"relay"` or `"lockstep"`. Default `"authority"`. Only rooms with authority can be continued by another process. */
  readonly mode?: RoomMode | undefined;
  /** More options of the room's session: those of `serverSession`, or of `peerSession` for a relay. */
  readonly session?: Readonly<Record<string, unknown>> | undefined;
  /** The seed of the game. Default: random for each room. */
  readonly seed?: number | string | undefined;
  /** How many clients may watch besides those that play. Default 0. */
  readonly watchers?: number | undefined;
  /** Seconds for which Colyseus keeps the place of a client whose connection was lost. Default 20. */
  readonly reconnect?: number | undefined;
  /** How replays are recorded; `false` for no replays of these rooms. Default `true`, if `replays` is set. */
  readonly replay?: RecordOptions | boolean | undefined;
  /** Colyseus disconnects a client that sends more messages per second. Default 2000. */
  readonly maxMessagesPerSecond?: number | undefined;
}

const OPTIONS = Object.keys({
  redis: 1,
  prefix: 1,
  saveEvery: 1,
  inputsEvery: 1,
  deadAfter: 1,
  stalledAfter: 1,
  replays: 1,
  maxReplayBytes: 1,
  hangAfter: 1,
  onProblem: 1,
} satisfies Record<keyof GameRoomsOptions, 1>);

const ROOM_OPTIONS = Object.keys({
  mode: 1,
  session: 1,
  seed: 1,
  watchers: 1,
  reconnect: 1,
  replay: 1,
  maxMessagesPerSecond: 1,
} satisfies Record<keyof HostedRoomOptions, 1>);

/** The options of `gameRooms`, with defaults. */
export function gameRoomsSettings(call: string, options: GameRoomsOptions) {
  requireOptions(call, options, OPTIONS, '{ replays: "replays" }');
  const {
    redis,
    prefix = "tickwise",
    saveEvery = 1000,
    inputsEvery = 100,
    deadAfter = 1000,
    stalledAfter = 10_000,
    replays,
    maxReplayBytes = 1e9,
    hangAfter = 2000,
    onProblem = () => {},
  } = options;
  if (redis !== undefined) {
    requireType(`${call}: redis`, redis, "object", "new Redis(url)");
    if (typeof redis.callBuffer !== "function")
      badValue(`${call}: redis`, "a connection of ioredis", redis, "new Redis(url)");
  }
  requireType(`${call}: prefix`, prefix, "string", "tickwise");
  requireNumber(`${call}: saveEvery`, saveEvery, 50, 60_000, 1000);
  requireNumber(`${call}: inputsEvery`, inputsEvery, 10, 10_000, 100);
  requireNumber(`${call}: deadAfter`, deadAfter, 100, 60_000, 1000);
  requireNumber(`${call}: stalledAfter`, stalledAfter, deadAfter, 600_000, 10_000);
  if (replays !== undefined) requireType(`${call}: replays`, replays, "string", "replays");
  requireWhole(`${call}: maxReplayBytes`, maxReplayBytes, 0, 1e9);
  requireNumber(`${call}: hangAfter`, hangAfter, 0, 600_000, 2000);
  requireType(`${call}: onProblem`, onProblem, "function", "console.error");
  return {
    redis,
    prefix,
    saveEvery,
    inputsEvery,
    deadAfter,
    stalledAfter,
    replays,
    maxReplayBytes,
    hangAfter,
    onProblem,
  };
}

export type GameRoomsSettings = ReturnType<typeof gameRoomsSettings>;

/** Checks the options of one kind of rooms. Those of the session are checked when a room is created. */
export function checkRoomOptions(call: string, options: HostedRoomOptions): void {
  requireOptions(call, options, ROOM_OPTIONS, '{ mode: "relay" }');
  const { mode = "authority", watchers = 0, reconnect = 20, maxMessagesPerSecond = 2000 } = options;
  if (!["authority", "relay", "lockstep"].includes(mode))
    badValue(`${call}: mode`, '"authority", "relay" or "lockstep"', mode, '"authority"');
  requireWhole(`${call}: watchers`, watchers, 0, 16);
  requireNumber(`${call}: reconnect`, reconnect, 0, 3600, 20);
  requireNumber(`${call}: maxMessagesPerSecond`, maxMessagesPerSecond, 1, 1e6, 2000);
}
