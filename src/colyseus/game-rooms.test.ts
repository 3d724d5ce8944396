// What needs no Colyseus. test/colyseus has servers, clients and Redis.
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { COLYSEUS_MESSAGE } from "../net/colyseus-link.js";
import { clientSession, loopbackPair, type Link, type ServerSession } from "../net/index.js";
import { axis, simulation } from "../sim/index.js";
import { f64, layout, list } from "../state/index.js";
import { ClientLink } from "./client-link.js";
import type { Colyseus, ColyseusServerClient, ColyseusServerRoom } from "./colyseus-types.js";
import { gameRooms } from "./game-rooms.js";

const game = simulation({
  name: "run",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: list(2, f64) }),
  input: { move: axis(2) },
  step({ x }, inputs, { dt }) {
    inputs.forEach(({ move }, seat) => (x[seat]! += move * dt));
    if (x[0]! > 1e6) throw new Error("too far");
  },
});

type Listener = (client: ColyseusServerClient, bytes: Uint8Array) => void;

/** Stands in for a room of Colyseus, as far as these tests need one. */
class FakeRoom implements ColyseusServerRoom {
  roomId = "id";
  roomName = "run";
  maxClients = Infinity;
  autoDispose = true;
  patchRate: number | null = 50;
  maxMessagesPerSecond = Infinity;
  listener: Listener = () => {};
  readonly reconnections: number[] = [];
  readonly disconnects: (number | undefined)[] = [];
  onMessageBytes(type: number, listener: Listener): void {
    if (type === COLYSEUS_MESSAGE) this.listener = listener;
  }
  allowReconnection(_client: ColyseusServerClient, seconds: number): Promise<never> {
    this.reconnections.push(seconds);
    return new Promise(() => {});
  }
  disconnect(code?: number): Promise<void> {
    this.disconnects.push(code);
    return Promise.resolve();
  }
  setMetadata(): Promise<void> {
    return Promise.resolve();
  }
  setPrivate(): Promise<void> {
    return Promise.resolve();
  }
}
interface Hooks extends FakeRoom {
  onCreate(options: object): Promise<void>;
  onJoin(client: ColyseusServerClient): void;
  onDrop(client: ColyseusServerClient, code?: number): void;
  onLeave(client: ColyseusServerClient): Promise<void>;
  onDispose(): Promise<void>;
}

const colyseus = { Room: FakeRoom, matchMaker: {} } as unknown as Colyseus;

/** A room with one game, and clients whose messages arrive at once. */
async function hosted(options = {}) {
  const problems: string[] = [];
  const rooms = gameRooms(colyseus, { hangAfter: 0, onProblem: (problem) => problems.push(problem) });
  const room = new (rooms.classFor(game, options))() as unknown as Hooks;
  await room.onCreate({});
  const [inside] = rooms.hosted.values();
  const connect = (sessionId: string) => {
    const [near, far] = loopbackPair();
    const closed: (number | string | undefined)[] = [];
    const client: ColyseusServerClient = {
      sessionId,
      ref: {},
      sendBytes: (_type, bytes) => far.send(bytes, true),
      leave: (code, reason) => closed.push(code, reason),
    };
    far.on("message", (bytes) => room.listener(client, bytes));
    room.onJoin(client);
    return { client, near: near as Link, closed };
  };
  const end = async () => {
    await room.onDispose();
    rooms.stop();
  };
  return { rooms, room, inside: inside!, connect, end, problems };
}

describe("a room of Colyseus", () => {
  test("has a place for each seat and for those who watch, and hosts the game", async () => {
    const { room, inside, connect, rooms, end } = await hosted({ watchers: 3 });
    expect(room.maxClients).toBe(5);
    const { near } = connect("a");
    const session = clientSession(game, near, { present: "none" });
    await vi.waitFor(() => {
      session.advance();
      expect(session.net.state).toBe("playing");
    });
    expect(inside.room.players).toBe(1);
    expect(rooms.metrics()).toContain('tickwise_players{name="run",mode="authority"} 1\n');
    expect(rooms.metrics()).toMatch(/^tickwise_received_bytes_total [1-9]/m);
    await end();
    expect(inside.room.isClosed).toBe(true);
    expect(rooms.metrics()).not.toContain("tickwise_players{");
  });

  test("keeps the place of a client that took part, but not of one that did not, or was thrown out", async () => {
    const { room, connect, end } = await hosted({ reconnect: 7 });
    const stranger = connect("stranger");
    room.onDrop(stranger.client, 1006);
    expect(room.reconnections).toEqual([]);

    for (const [id, code, kept] of [
      ["lost", 1006, [7]],
      ["thrown out", 4002, [7]],
    ] as const) {
      const { client, near } = connect(id);
      const session = clientSession(game, near, { present: "none", token: id });
      await vi.waitFor(() => {
        session.advance();
        expect(session.net.state).toBe("playing");
      });
      room.onDrop(client, code);
      expect(room.reconnections).toEqual(kept);
    }
    await end();
  });

  test("survives a listener that throws, and rejects options that are too long", async () => {
    const { inside, connect, problems, room, end } = await hosted();
    const { near } = connect("a");
    const session = clientSession(game, near, { present: "none" });
    const { net } = inside.room.session as ServerSession;
    net.on("message", () => {
      throw new Error("mine");
    });
    await vi.waitFor(() => {
      session.advance();
      expect(session.net.state).toBe("playing");
    });
    session.send(new Uint8Array(10));
    await vi.waitFor(() => expect(problems).toEqual(["a listener to messages threw"]));
    await expect(room.onCreate({ long: "x".repeat(5000) })).rejects.toThrow("up to 4096 characters");
    await end();
  });

  test("ends with a reason if a step throws", async () => {
    const { rooms, room, inside, connect, problems, end } = await hosted();
    const { closed } = connect("a");
    (inside.room.session as unknown as { world: { x: number[] } }).world.x[0] = 2e6;
    await vi.waitFor(() => expect(room.disconnects).toEqual([4485]));
    expect(closed).toEqual([4485, "a step of the game threw an error, so the room was ended"]);
    expect(problems).toEqual(["a step of the game threw an error, so the room was ended"]);
    expect(rooms.metrics()).toContain("tickwise_rooms_failed_total 1\n");
    await end();
  });
});

test("a client that does not read is cut off, and a reason is as long as a close frame may be", () => {
  const ref = { bufferedAmount: 0 };
  const closed: (number | string | undefined)[] = [];
  let sent = 0;
  const client = {
    sessionId: "a",
    ref,
    sendBytes: () => void sent++,
    leave: (code?: number, reason?: string) => void closed.push(code, reason),
  };
  const traffic = { bytesIn: 0, bytesOut: 0 };
  const link = new ClientLink(client, traffic);
  link.send(new Uint8Array(10));
  ref.bufferedAmount = 20_000;
  // Only what must arrive.
  link.send(new Uint8Array(10));
  link.send(new Uint8Array(10), true);
  expect([sent, ...closed]).toEqual([2]);
  ref.bufferedAmount = 5e6;
  link.send(new Uint8Array(10));
  expect([sent, link.isEnded, ...closed]).toEqual([2, true, 4485, "the client does not read"]);

  const other = new ClientLink(client, traffic);
  other.close("é".repeat(100));
  expect(Buffer.byteLength(String(closed.at(-1)))).toBe(122);
});

test("a client that breaks the protocol of WebSockets is not read any more, and one that does not answer a close is cut off", () => {
  vi.useFakeTimers();
  try {
    const connect = () => {
      const listeners = new Map<string, () => void>();
      const events: string[] = [];
      const ref = {
        bufferedAmount: 0,
        readyState: 1,
        on: (event: string, listener: () => void) => void listeners.set(event, listener),
        pause: () => void events.push("pause"),
        terminate: () => void events.push("terminate"),
      };
      const client = { sessionId: "a", ref, sendBytes() {}, leave: () => void events.push("leave") };
      const link = new ClientLink(client, { bytesIn: 0, bytesOut: 0 });
      return { ref, link, events, listeners };
    };
    const breaking = connect();
    breaking.listeners.get("error")!();
    const silent = connect();
    silent.link.close("timeout");
    const polite = connect();
    polite.link.close("timeout");
    polite.listeners.get("close")!();
    // Colyseus itself has thrown it out, and waits for the answer to its close.
    const thrownOut = connect();
    thrownOut.link.end("connection lost");
    const gone = connect();
    gone.ref.readyState = 3;
    gone.link.end("connection lost");
    const pinging = connect();
    for (let i = 0; i < 100; i++) pinging.listeners.get("ping")!();
    vi.advanceTimersByTime(1000);
    expect([breaking.events, silent.events]).toEqual([["pause", "terminate"], ["leave"]]);
    expect([thrownOut.events, gone.events, pinging.events]).toEqual([["pause"], [], ["leave"]]);
    vi.advanceTimersByTime(5000);
    expect([silent.events, polite.events]).toEqual([["leave", "terminate"], ["leave"]]);
    expect([thrownOut.events, gone.events]).toEqual([["pause", "terminate"], []]);
  } finally {
    vi.useRealTimers();
  }
});

test("gameRooms rejects a folder for replays that cannot be written", () => {
  // The file is there, and is no folder.
  const folder = join(import.meta.filename, "replays");
  expect(() => gameRooms(colyseus, { replays: folder })).toThrow(
    /^gameRooms: replays must be a folder that can be written \(E/,
  );
});

test("gameRooms rejects what is no Colyseus, and options that do not exist", () => {
  expect(() => gameRooms({} as never)).toThrow("gameRooms: colyseus.Room must be a function");
  expect(() => gameRooms(colyseus, { redis: {} as never })).toThrow(
    "gameRooms: redis must be a connection of ioredis",
  );
  expect(() => gameRooms(colyseus, { saveevery: 5 } as never)).toThrow(
    'unknown option "saveevery". Did you mean "saveEvery"?',
  );
  expect(() => gameRooms(colyseus, { deadAfter: 1 })).toThrow(
    "gameRooms: deadAfter must be a number from 100",
  );
  expect(() => gameRooms(colyseus, { deadAfter: 500, stalledAfter: 400 })).toThrow(
    "gameRooms: stalledAfter must be",
  );
  const rooms = gameRooms(colyseus);
  expect(() => rooms.classFor(game, { mode: "p2p" as never })).toThrow("GameRooms.classFor: mode must be");
  expect(() => rooms.classFor(game, { watchers: -1 })).toThrow("GameRooms.classFor: watchers must be");
  expect(() => rooms.classFor(undefined as never)).toThrow("GameRooms.classFor: game must be an object");
  rooms.stop();
});
