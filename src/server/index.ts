/**
 * A server for games in Node: rooms over WebSockets, with limits, metrics, replays and saves. `npx tickwise serve` is the same as
 * a command.
 *
 * @packageDocumentation
 */

export { roomServer } from "./room-server.js";
export type { RoomServer } from "./server-handle.js";
export type { JwtOptions, RoomServerOptions } from "./options.js";
export type { ServerLimits } from "./limits.js";
export type { LogEntry, LogLevel } from "./log.js";
export type { ServerStats } from "./metrics.js";
export type { HostStats } from "./host-stats.js";
export { GameRoom, RoomStats, type RoomMode, type RoomOptions } from "./rooms/game-room.js";
export { RoomSchedule, type ScheduleOptions } from "./rooms/room-schedule.js";
export { Lateness } from "./rooms/lateness.js";
