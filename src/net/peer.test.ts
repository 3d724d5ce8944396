import { describe, expect, test } from "vitest";
import { loopbackPair } from "./loopback.js";
import { Peer } from "./peer.js";

const newPeer = () => {
  const [near, far] = loopbackPair();
  return { peer: new Peer(near, 1000 / 60), far };
};

test("counts what it sends and receives", () => {
  const { peer, far } = newPeer();
  const arrived: number[] = [];
  far.on("message", ({ length }) => void arrived.push(length));
  peer.send(new Uint8Array(5), false);
  peer.send(new Uint8Array(7), true);
  peer.admit(9, 0);
  expect(arrived).toEqual([5, 7]);
  expect([peer.packetsSent, peer.bytesSent, peer.packetsReceived, peer.bytesReceived]).toEqual([2, 12, 1, 9]);
});

describe("the rate of messages", () => {
  /** How many of the messages at a rate are admitted before the first that is not. */
  const admitted = (perSecond: number, messages: number): number => {
    const { peer } = newPeer();
    for (let i = 0; i < messages; i++) if (!peer.admit(1, (1000 * i) / perSecond)) return i;
    return messages;
  };

  test("of an honest peer is always admitted: packets, fragments, a minute that arrives at once", () => {
    expect(admitted(60, 10_000)).toBe(10_000);
    expect(admitted(900, 10_000)).toBe(10_000);
    expect(admitted(Infinity, 3600)).toBe(3600);
  });

  test("of a flood is not", () => {
    // Messages are counted 32 at a time.
    expect(admitted(Infinity, 10_000)).toBeLessThan(4000 + 32);
    expect(admitted(2000, 100_000)).toBeLessThan(8100);
  });
});

describe("faults", () => {
  test("end a peer after thirty in a row", () => {
    const { peer } = newPeer();
    const results = Array.from({ length: 31 }, (_, i) => peer.fault(`fault ${i}`, 5000));
    expect(results.indexOf(true)).toBe(30);
    expect([peer.droppedPackets, peer.lastFault]).toEqual([31, "fault 30"]);
  });

  test("are forgiven, one per second", () => {
    const { peer } = newPeer();
    for (let i = 0; i < 600; i++) expect(peer.fault("now and then", i * 1000)).toBe(false);
    const { peer: worse } = newPeer();
    const results = Array.from({ length: 100 }, (_, i) => worse.fault("often", i * 500));
    expect(results.indexOf(true)).toBeGreaterThan(50);
  });
});
