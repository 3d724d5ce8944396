import { describe, expect, test } from "vitest";
import { colyseusLink, COLYSEUS_MESSAGE, type ColyseusRoom } from "./colyseus-link.js";
import { keepJoined, ROOM_LOST, type ColyseusClient } from "./keep-joined.js";
import type { Link } from "./link.js";
import { virtualScheduler } from "./virtual-time.js";

type Ended = (code: number, reason?: string) => void;

/** Stands in for a room of the SDK, whose other end is in this test. */
class FakeRoom implements ColyseusRoom {
  readonly sent: Uint8Array[] = [];
  readonly connection = { isOpen: true, transport: { ws: { bufferedAmount: 0 } } };
  readonly reconnection = { enabled: true };
  readonly reconnectionToken: string;
  leaves = 0;
  #listeners: ((bytes: Uint8Array) => void)[] = [];
  readonly #ended: Ended[] = [];

  constructor(readonly roomId = "room") {
    this.reconnectionToken = `${roomId}:token`;
  }
  onDrop(_listener: Ended): void {}
  onLeave(listener: Ended): void {
    this.#ended.push(listener);
  }
  onMessage(type: number, listener: (bytes: Uint8Array) => void): () => void {
    if (type === COLYSEUS_MESSAGE) this.#listeners.push(listener);
    return () => (this.#listeners = this.#listeners.filter((each) => each !== listener));
  }
  sendBytes(type: number, bytes: Uint8Array): void {
    if (type === COLYSEUS_MESSAGE) this.sent.push(bytes.slice());
  }
  leave(): Promise<number> {
    this.leaves++;
    return Promise.resolve(4000);
  }

  receive(bytes: Uint8Array): void {
    for (const listener of this.#listeners) listener(bytes);
  }
  end(code: number, reason?: string): void {
    this.connection.isOpen = false;
    for (const listener of this.#ended) listener(code, reason);
  }
  get listeners(): number {
    return this.#listeners.length;
  }
}

describe("a link over a room of Colyseus", () => {
  test("carries messages both ways, and drops unreliable ones while many bytes wait", () => {
    const room = new FakeRoom();
    const link = colyseusLink(room);
    expect(link.state).toBe("open");
    const received: number[] = [];
    link.on("message", (bytes) => received.push(bytes[0]!));
    room.receive(Uint8Array.of(7));
    link.send(Uint8Array.of(1));
    room.connection.transport.ws.bufferedAmount = 20_000;
    link.send(Uint8Array.of(2));
    link.send(Uint8Array.of(3), true);
    expect(received).toEqual([7]);
    expect(room.sent.map(([first]) => first)).toEqual([1, 3]);
  });

  test("ends with the connection, and says why", () => {
    const room = new FakeRoom();
    const link = colyseusLink(room);
    const reasons: string[] = [];
    link.on("close", (reason) => reasons.push(reason));
    room.end(1006);
    room.end(1006);
    expect([link.state, link.endCode, ...reasons]).toEqual(["closed", 1006, "connection lost"]);
    link.send(Uint8Array.of(1), true);
    expect(room.sent).toEqual([]);
    expect(room.listeners).toBe(0);
  });

  test("leaves the room when it is closed", () => {
    const room = new FakeRoom();
    const link = colyseusLink(room);
    link.close();
    expect([link.state, link.endCode, room.leaves, room.listeners]).toEqual(["closed", undefined, 1, 0]);
  });

  test("is cut off by messages that no link sends, but not by a few", () => {
    const room = new FakeRoom();
    const link = colyseusLink(room);
    for (let i = 0; i < 15; i++) room.receive("text" as never);
    expect(link.state).toBe("open");
    room.receive(new Uint8Array(1201));
    expect(link.state).toBe("closed");
  });
});

/** A session in a room that is kept, on virtual time. `answers` are the results of the attempts to join, in turn. */
function kept(
  ...answers: (FakeRoom | { readonly code: number; readonly message: string } | Promise<FakeRoom>)[]
) {
  const scheduler = virtualScheduler();
  const calls: string[] = [];
  const answer = (call: string): Promise<ColyseusRoom> => {
    calls.push(call);
    const next = answers.shift();
    if (next === undefined) return new Promise(() => {});
    if (next instanceof Promise) return next;
    return next instanceof FakeRoom
      ? Promise.resolve(next)
      : Promise.reject(Object.assign(new Error(next.message), next));
  };
  const client: ColyseusClient = {
    reconnect: (token) => answer(`reconnect ${token}`),
    joinById: (id, options) => answer(`joinById ${id} ${JSON.stringify(options)}`),
  };
  const links: Link[] = [];
  const session: { connect(link: Link): void; net: Parameters<typeof keepJoined>[0]["net"] } = {
    connect: (link: Link) => void links.push(link),
    net: { state: "playing" },
  };
  const room = new FakeRoom();
  const lost: string[] = [];
  const keeper = keepJoined(session, colyseusLink(room), client, {
    join: { ticket: 1 },
    timeout: 5,
    scheduler,
    onLost: (reason) => lost.push(reason),
  });
  /** Lets time pass in small steps, so that promises settle in between. */
  const wait = async (milliseconds: number) => {
    for (let i = 0; i < milliseconds; i += 50) {
      scheduler.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { keeper, session, client, room, links, calls, lost, wait };
}

const GONE = { code: 522, message: 'room "room" not found' };

describe("keepJoined", () => {
  test("goes back to the same place, and gives the session a new link", async () => {
    const next = new FakeRoom();
    const { keeper, room, links, calls, wait } = kept(next);
    expect(room.reconnection.enabled).toBe(false);
    room.end(1006);
    expect(keeper.state).toBe("rejoining");
    await wait(100);
    expect([keeper.state, calls, links.length]).toEqual(["joined", ["reconnect room:token"], 1]);
    expect(keeper.room).toBe(next);
    links[0]!.send(Uint8Array.of(5), true);
    expect(next.sent.length).toBe(1);
  });

  test("joins the room by its id if another process has restored it, and waits until one has", async () => {
    const { keeper, room, calls, wait } = kept(GONE, GONE, GONE, new FakeRoom());
    room.end(4010);
    await wait(1000);
    expect(keeper.state).toBe("joined");
    const again = 'joinById room {"ticket":1}';
    expect(calls).toEqual(["reconnect room:token", again, "reconnect room:token", again]);
  });

  test("does not wait for long for one answer, and leaves a room that comes too late", async () => {
    let answerLate = (_room: FakeRoom) => {};
    const late = new Promise<FakeRoom>((resolve) => (answerLate = resolve));
    const { keeper, room, calls, links, wait } = kept(late, new FakeRoom());
    room.end(1006);
    await wait(600);
    expect(keeper.state).toBe("rejoining");
    await wait(300);
    expect([keeper.state, calls.length, links.length]).toEqual(["joined", 2, 1]);
    const tooLate = new FakeRoom();
    answerLate(tooLate);
    await wait(50);
    expect([keeper.state, links.length, tooLate.leaves]).toEqual(["joined", 1, 1]);
  });

  test("gives up after its time, with the last problem", async () => {
    const { keeper, room, lost, wait } = kept(...Array.from({ length: 100 }, () => GONE));
    room.end(1006);
    await wait(4800);
    expect(keeper.state).toBe("rejoining");
    await wait(1000);
    expect([keeper.state, ...lost]).toEqual(["lost", GONE.message]);
  });

  test("names the server that it tried last, if the SDK tells", async () => {
    const { keeper, client, room, lost, wait } = kept(...Array.from({ length: 100 }, () => GONE));
    Object.assign(client, { settings: { hostname: "example.com", port: 2567, secure: true } });
    room.end(1006);
    await wait(6000);
    expect([keeper.state, ...lost]).toEqual(["lost", `${GONE.message} (server: https://example.com:2567)`]);
  });

  test("gives up at once if the room is lost, has ended, or has thrown the client out", async () => {
    const reason = "the room is lost: its server died, and rooms of this mode are not saved";
    const gone = kept(GONE, { code: ROOM_LOST, message: reason });
    gone.room.end(1006);
    await gone.wait(200);
    expect([gone.keeper.state, ...gone.lost]).toEqual(["lost", reason]);

    const ended = kept();
    ended.room.end(4485, "kicked");
    await ended.wait(200);
    expect([ended.keeper.state, ...ended.lost, ...ended.calls]).toEqual(["lost", "kicked"]);

    const rejected = kept();
    rejected.session.net = { state: "rejected" };
    rejected.room.end(1006);
    await rejected.wait(200);
    expect([rejected.keeper.state, ...rejected.calls]).toEqual(["lost"]);
    expect(rejected.lost).toEqual(["connection lost"]);

    const told = kept();
    told.session.net = { state: "rejected", last: { rejected: { text: "another version" } } };
    told.room.end(1006);
    await told.wait(200);
    expect(told.lost).toEqual(["another version"]);
  });

  test("stops when it is told to, and when the session is disposed", async () => {
    const stopped = kept(new FakeRoom());
    stopped.keeper.stop();
    stopped.room.end(1006);
    await stopped.wait(200);
    expect([stopped.keeper.state, ...stopped.calls]).toEqual(["stopped"]);

    const next = new FakeRoom();
    const disposed = kept(next);
    disposed.session.connect = () => {
      throw new Error("disposed");
    };
    disposed.room.end(1006);
    await disposed.wait(200);
    expect([disposed.keeper.state, next.leaves]).toEqual(["stopped", 1]);
  });

  test("rejects what is no room, no session, no client, and options that it does not have", () => {
    expect(() => colyseusLink(undefined as never)).toThrow("colyseusLink: room must be an object");
    expect(() => colyseusLink({} as never)).toThrow("colyseusLink: room.sendBytes must be a function");
    const link = colyseusLink(new FakeRoom());
    const session = { connect: () => {}, net: { state: "playing" } };
    expect(() => keepJoined({} as never, link, {} as never)).toThrow("keepJoined: session.connect must be");
    expect(() => keepJoined(session, {} as never, {} as never)).toThrow("keepJoined: link.room must be");
    expect(() => keepJoined(session, link, {} as never)).toThrow("keepJoined: clients.joinById must be");
    const client = {
      reconnect: () => new Promise<never>(() => {}),
      joinById: () => new Promise<never>(() => {}),
    };
    expect(() => keepJoined(session, link, client, { timeOut: 5 } as never)).toThrow(
      'unknown option "timeOut"',
    );
    expect(() => keepJoined(session, link, client, { timeout: 0 })).toThrow("keepJoined: timeout must be");
  });
});
