/**
 * Games in rooms of Colyseus, on many machines. Needs `@colyseus/core` 0.18 and Node 22.
 *
 * @packageDocumentation
 */

export { gameRooms, type GameRooms } from "./game-rooms.js";
export type { GameRoomsOptions, HostedRoomOptions } from "./game-rooms-options.js";
export type {
  Colyseus,
  ColyseusMatchMaker,
  ColyseusRoomClass,
  ColyseusServerClient,
  ColyseusServerRoom,
  RedisConnection,
} from "./colyseus-types.js";
