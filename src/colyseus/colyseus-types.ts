// The parts of @colyseus/core 0.18 that this folder uses. You pass the module in, so that there is only one copy of it, and so that
// this package needs none.

/** A client, as a room of Colyseus sees it. */
export interface ColyseusServerClient {
  readonly sessionId: string;
  /** The socket of the transport. */
  readonly ref: object;
  sendBytes(type: number, bytes: Uint8Array): void;
  leave(code?: number, reason?: string): void;
}

/** A room of `@colyseus/core`. */
export interface ColyseusServerRoom {
  roomId: string;
  readonly roomName: string;
  maxClients: number;
  autoDispose: boolean;
  patchRate: number | null;
  maxMessagesPerSecond: number;
  onMessageBytes(type: number, listener: (client: ColyseusServerClient, bytes: Uint8Array) => void): unknown;
  allowReconnection(
    client: ColyseusServerClient,
    seconds: number,
  ): { catch(listener: (reason: unknown) => unknown): unknown };
  disconnect(closeCode?: number): Promise<unknown>;
  setMetadata(metadata: object): Promise<unknown>;
  setPrivate(isPrivate: boolean): Promise<unknown>;
}

/** A class of rooms. */
export type ColyseusRoomClass = new () => ColyseusServerRoom;

/** The part of `matchMaker` that is used to restore rooms. */
export interface ColyseusMatchMaker {
  readonly processId: string;
  /** 0: starting, 1: ready, 2: shutting down. */
  readonly state: number;
  readonly presence: { channels(pattern?: string): Promise<string[]> };
  readonly driver: {
    cleanup?(processId: string): unknown;
    findByIds(ids: string[]): Promise<ReadonlyMap<string, { readonly processId: string }>>;
    persist(listing: never, create?: boolean): unknown;
  };
  readonly stats: { excludeProcess(processId: string): unknown; persist(now?: boolean): unknown };
  getRoomClass(name: string): unknown;
  handleCreateRoom(name: string, options: unknown, restoring?: string, roomId?: string): Promise<unknown>;
  restoreMissingRoomCaches(): Promise<unknown>;
}

/** The module `@colyseus/core`: `import * as colyseus from "@colyseus/core"`. */
export interface Colyseus {
  readonly Room: ColyseusRoomClass;
  readonly matchMaker: ColyseusMatchMaker;
}

/** A connection to Redis: that of `ioredis`. */
export interface RedisConnection {
  call(command: string, ...args: (string | number | Uint8Array)[]): Promise<unknown>;
  callBuffer(command: string, ...args: (string | number | Uint8Array)[]): Promise<unknown>;
}

/** States of the match maker. */
export const READY = 1;
/** The code with which Colyseus ends a connection that may be restored, also in another process. */
export const MAY_REJOIN = 4010;
/** The code with which a room ends the connection of one client, or of all: nothing is to be restored. */
export const ENDED = 4485;
