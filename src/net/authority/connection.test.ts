import { describe, expect, test } from "vitest";
import { loopbackPair } from "../loopback.js";
import { FRAGMENT, message } from "../messages.js";
import { Connection } from "./connection.js";

/** A connection, the other end of its link, and what it has told. */
function connect(receivesStates = false) {
  const [near, far] = loopbackPair();
  const told: string[] = [];
  const clock = { now: 1000 };
  const connection = new Connection(near, () => clock.now, {
    receivesStates,
    onPacket: (bytes) => void told.push(`packet ${bytes.length}`),
    onControl: (type, body) => void told.push(`control ${type} ${body.length}`),
    onTransfer: (kind, bytes) => void told.push(`transfer ${kind} ${bytes.length}`),
    accepts: (kind) => kind === 1,
    onClosed: (reason, isHostile) => void told.push(`closed ${reason} ${isHostile}`),
  });
  return { connection, far, told, clock };
}

describe("Connection", () => {
  test("tells packets, other messages and long messages apart", () => {
    const { connection, far, told, clock } = connect();
    clock.now = 1500;
    far.send(Uint8Array.of(0, 1, 2), false);
    far.send(message(0x90, Uint8Array.of(1)), true);
    far.send(message(FRAGMENT, Uint8Array.of(0, 1, 5, 6, 7)), true);
    far.send(message(FRAGMENT, Uint8Array.of(0, 2, 5, 6, 7)), true);
    expect(told).toEqual(["packet 3", "control 144 1", "transfer 1 3"]);
    expect([connection.heardAt, connection.messagesReceived, connection.bytesReceived]).toEqual([
      1500, 4, 17,
    ]);
    connection.send(Uint8Array.of(1, 2), false);
    expect([connection.messagesSent, connection.bytesSent]).toEqual([1, 2]);
  });

  test("ends after many faults, but forgives one per second", () => {
    const { connection, told, clock } = connect();
    for (let i = 0; i < 200; i++) {
      clock.now += 1000;
      connection.fault("odd");
    }
    expect([connection.isClosed, connection.droppedMessages, connection.lastFault]).toEqual([
      false,
      200,
      "odd",
    ]);
    for (let i = 0; i < 31; i++) connection.fault("worse");
    expect(told).toEqual(["closed sent too many bad messages, the last one: worse true"]);
    connection.fault("after the end");
    expect(told.length).toBe(1);
  });

  test("ends if messages come far too fast", () => {
    const { far, told, clock } = connect();
    for (let i = 0; i < 3000; i++) {
      far.send(Uint8Array.of(0), false);
      far.send(Uint8Array.of(0), false);
      clock.now += 2;
    }
    expect(far.state).toBe("open");
    for (let i = 0; i < 4001; i++) far.send(Uint8Array.of(0), false);
    expect(told.at(-1)).toBe("closed sends too many messages true");
    expect(far.state).toBe("closed");
  });

  test("takes the fragments of a state as fast as they come, but only where states are received", () => {
    for (const receivesStates of [true, false]) {
      const { far, told } = connect(receivesStates);
      far.send(message(FRAGMENT, Uint8Array.of(1, 0, 0, 0, 1, 1, 0, 1, 0, 0)), true);
      for (let i = 0; i < 5000; i++) far.send(message(FRAGMENT, Uint8Array.of(2, 0, 0, 0, 1, 9)), true);
      expect(told).toEqual(receivesStates ? [] : ["closed sends too many messages true"]);
    }
  });

  test("closes once, with the reason of whoever closed", () => {
    const { connection, far, told } = connect();
    far.close("bye");
    connection.close("again");
    connection.send(Uint8Array.of(1), true);
    expect(connection.sendLong(1, new Uint8Array(5000))).toBe(undefined);
    expect(told).toEqual(["closed bye false"]);
    expect(connection.messagesSent).toBe(0);
  });

  test("ends if the other side does not read", () => {
    const { connection, told } = connect();
    const bytes = new Uint8Array(1e6);
    for (let i = 0; i < 70; i++) connection.sendLong(1, bytes);
    expect(told).toEqual(["closed the other side does not read false"]);
  });
});
