import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { random } from "../math/index.js";
import { conditioned, type Conditions } from "./conditioned.js";
import { datagramLink, type DatagramLink, type DatagramTransport } from "./datagram.js";
import { halfSipHash } from "./half-sip-hash.js";
import { loopbackPair } from "./loopback.js";
import { MAX_MESSAGE, type Link } from "./link.js";
import { virtualScheduler } from "./virtual-time.js";

/** A network of bare datagrams between two ends, which records what it carries. */
function network(conditions: Conditions = {}, seed = 1) {
  const time = virtualScheduler();
  const sent: [Uint8Array[], Uint8Array[]] = [[], []];
  const closes = [0, 0];
  const listeners: ((bytes: Uint8Array) => void)[] = [];
  const wires = loopbackPair().map((end, i) =>
    conditioned(end, { latency: 20, ...conditions, scheduler: time, seed: `${seed}/${i}` }),
  );
  const transports = wires.map((wire, i): DatagramTransport => {
    wire.on("message", (bytes) => listeners[i]?.(bytes));
    return {
      send(bytes) {
        sent[i]!.push(bytes.slice());
        if (bytes.length <= MAX_MESSAGE) wire.send(bytes);
        else {
          // The longest packets are longer than what the wire carries: they are never lost here.
          const copy = bytes.slice();
          time.after(20, () => listeners[1 - i]?.(copy));
        }
      },
      onMessage: (listener) => void (listeners[i] = listener),
      close: () => void closes[i]!++,
    };
  });
  const open = (i: number) => datagramLink(transports[i]!, { scheduler: time });
  return { time, sent, closes, wires, open, give: (i: number, bytes: Uint8Array) => listeners[i]?.(bytes) };
}

/** Notes the first word of each message. */
function listen(link: Link): number[] {
  const got: number[] = [];
  link.on("message", (bytes) => got.push(bytes[0]! * 256 + bytes[1]!));
  return got;
}

const message = (n: number, length = 8) => {
  const bytes = new Uint8Array(length);
  bytes[0] = n >> 8;
  bytes[1] = n;
  return bytes;
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("a datagram link", () => {
  test("connects by a handshake, and carries both kinds both ways", () => {
    const net = network();
    const [a, b] = [net.open(0), net.open(1)];
    const opens: string[] = [];
    a.on("open", () => opens.push("a"));
    b.on("open", () => opens.push("b"));
    expect([a.state, b.state, a.isBare]).toEqual(["connecting", "connecting", true]);
    const gotA = listen(a);
    const gotB = listen(b);
    a.send(message(1), true);
    a.send(message(2));
    net.time.advance(200);
    expect(opens.sort()).toEqual(["a", "b"]);
    a.send(message(3));
    b.send(message(4), true);
    b.send(message(5, MAX_MESSAGE), true);
    b.send(message(6, MAX_MESSAGE));
    net.time.advance(200);
    expect(gotB).toEqual([1, 3]);
    expect(gotA.sort()).toEqual([4, 5, 6]);
    expect([a.rejected, b.rejected]).toEqual([0, 0]);
    // Nothing more to do: all is acknowledged.
    expect(net.time.nextDue).toBe(Infinity);
  });

  test("connects although the peer comes late, or most packets are lost", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const net = network({ loss: 0.6, jitter: 15, reorder: 0.2, duplicate: 0.2 }, seed);
      const a = net.open(0);
      net.time.advance(5000);
      const b = net.open(1);
      net.time.advance(20_000);
      expect([a.state, b.state]).toEqual(["open", "open"]);
    }
  });

  test("reliable messages arrive once and in order, whatever the network does", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const net = network(
        { latency: 50, jitter: 40, loss: 0.3, burst: 4, reorder: 0.1, duplicate: 0.1 },
        seed,
      );
      const [a, b] = [net.open(0), net.open(1)];
      const gotA = listen(a);
      const gotB = listen(b);
      for (let n = 0; n < 500; n++) {
        a.send(message(n, 2 + (n % 300)), true);
        b.send(message(n, 2 + (n % 300)), true);
        if (n % 3 === 0) net.time.advance(16);
      }
      net.time.advance(120_000);
      expect(gotA).toEqual(numbers(500));
      expect(gotB).toEqual(numbers(500));
      expect(net.time.nextDue).toBe(Infinity);
    }
  });

  test("unreliable messages never arrive twice", () => {
    const net = network({ duplicate: 0.5, reorder: 0.2, loss: 0.1 });
    const [a, b] = [net.open(0), net.open(1)];
    net.time.advance(1000);
    const got = listen(b);
    for (let n = 0; n < 2000; n++) {
      a.send(message(n));
      net.time.advance(10);
    }
    net.time.advance(1000);
    expect(new Set(got).size).toBe(got.length);
    expect(got.length).toBeGreaterThan(1700);
    expect(b.rejected).toBeGreaterThan(700);
  });

  test("a long transfer uses the line, and is bounded by the window", () => {
    const net = network({ latency: 25 });
    const [a, b] = [net.open(0), net.open(1)];
    const got = listen(b);
    net.time.advance(200);
    for (let n = 0; n < 2000; n++) a.send(message(n, 1000), true);
    expect(net.sent[0].length).toBeLessThan(30);
    net.time.advance(3000);
    expect(got).toEqual(numbers(2000));
  });

  test("a close reaches the peer with its reason, after all messages", () => {
    const net = network({ loss: 0.3, jitter: 10 }, 5);
    const [a, b] = [net.open(0), net.open(1)];
    net.time.advance(2000);
    const got = listen(b);
    const log: string[] = [];
    a.on("close", (reason) => log.push(`a ${reason}`));
    b.on("close", (reason) => log.push(`b ${reason} ${got.length}`));
    for (let n = 0; n < 100; n++) a.send(message(n), true);
    a.close("enough for today");
    expect(a.state).toBe("closed");
    net.time.advance(20_000);
    expect(log).toEqual(["a enough for today", "b enough for today 100"]);
    expect(net.closes).toEqual([1, 1]);
    expect(net.time.nextDue).toBe(Infinity);
  });

  test("closes at both ends at once, or before the peer is there", () => {
    const net = network();
    const [a, b] = [net.open(0), net.open(1)];
    net.time.advance(1000);
    a.close();
    b.close();
    net.time.advance(20_000);
    expect(net.closes).toEqual([1, 1]);
    const lonely = network();
    const c = lonely.open(0);
    lonely.time.advance(1000);
    c.close("nobody came");
    expect(lonely.closes[0]).toBe(1);
    const sent = lonely.sent[0].length;
    lonely.time.advance(1000);
    expect([c.state, lonely.sent[0].length - sent, lonely.time.nextDue]).toEqual(["closed", 0, Infinity]);
  });

  test("gives up if the peer is silent while reliable messages wait, and only then", () => {
    const net = network();
    const [a, b] = [net.open(0), net.open(1)];
    net.time.advance(1000);
    net.wires[0]!.configure({ loss: 1 });
    net.wires[1]!.configure({ loss: 1 });
    net.time.advance(3_600_000);
    expect([a.state, b.state]).toEqual(["open", "open"]);
    const reasons: string[] = [];
    a.on("close", (reason) => reasons.push(reason));
    a.send(message(1), true);
    net.time.advance(29_000);
    expect(a.state).toBe("open");
    net.time.advance(5000);
    expect(reasons).toEqual(["the peer does not answer"]);
  });

  test("survives an outage of 20 s", () => {
    const net = network();
    const [a, b] = [net.open(0), net.open(1)];
    const got = listen(b);
    net.time.advance(1000);
    for (const wire of net.wires) wire.configure({ loss: 1 });
    for (let n = 0; n < 100; n++) {
      a.send(message(n), true);
      net.time.advance(200);
    }
    for (const wire of net.wires) wire.configure({ loss: 0 });
    net.time.advance(5000);
    expect(got).toEqual(numbers(100));
  });

  test("a peer that restarts closes the old link, and connects to a new one", () => {
    const net = network();
    const [a, b] = [net.open(0), net.open(1)];
    net.time.advance(1000);
    const reasons: string[] = [];
    a.on("close", (reason) => reasons.push(reason));
    // The program at the other end ends without a word.
    expect(b.state).toBe("open");
    const again = net.open(1);
    net.time.advance(1000);
    expect([reasons, again.state]).toEqual([["the peer has restarted"], "connecting"]);
    const fresh = net.open(0);
    net.time.advance(1000);
    const got = listen(fresh);
    again.send(message(7), true);
    net.time.advance(1000);
    expect([fresh.state, again.state, got]).toEqual(["open", "open", [7]]);
  });
});

describe("the check of a datagram link", () => {
  /** Two connected ends that have exchanged some messages. */
  function connected() {
    const net = network();
    const [a, b] = [net.open(0), net.open(1)];
    net.time.advance(500);
    const got = listen(b);
    for (let n = 0; n < 50; n++) a.send(message(n), n % 5 === 0);
    net.time.advance(500);
    expect(got.length).toBe(50);
    return { ...net, a, b, got };
  }

  test("rejects replays, and packets that are sent back", () => {
    const { give, sent, b, a, got, time } = connected();
    const [toB, toA] = [sent[0].slice(), sent[1].slice()];
    for (const bytes of toB) give(1, bytes);
    for (const bytes of toB) give(0, bytes);
    for (const bytes of toA) give(1, bytes);
    time.advance(5000);
    expect([got.length, a.state, b.state]).toEqual([50, "open", "open"]);
    // All but the hellos.
    expect(b.rejected).toBeGreaterThanOrEqual(50);
  });

  test("rejects every packet with a changed bit", () => {
    const { give, sent, b, got, a } = connected();
    a.send(message(99));
    const packet = sent[0].at(-1)!;
    const before = b.rejected;
    for (let bit = 0; bit < packet.length * 8; bit++) {
      const forged = packet.slice();
      forged[bit >> 3]! ^= 1 << (bit & 7);
      give(1, forged);
    }
    expect([got.length, b.rejected - before]).toEqual([50, packet.length * 8]);
    give(1, packet);
    expect(got.at(-1)).toBe(99);
  });

  test("a hello of a stranger changes nothing, and gets a reply no longer than itself", () => {
    const { give, sent, a, b, got, time } = connected();
    const before = sent[1].length;
    for (let i = 0; i < 100; i++) {
      const hello = new Uint8Array(18).fill(i + 1);
      hello[0] = 0x71 + (i % 2);
      hello[1] = 1;
      give(1, hello);
    }
    const replies = sent[1].slice(before);
    expect(replies.length).toBe(100);
    expect(replies.every((bytes) => bytes.length === 18)).toBe(true);
    time.advance(5000);
    a.send(message(50), true);
    time.advance(1000);
    expect([a.state, b.state, got.length]).toEqual(["open", "open", 51]);
  });

  test("nothing that arrives throws or disturbs, in any state", () => {
    const net = network();
    const a = net.open(0);
    const bytesOf = (link: DatagramLink) =>
      fc.property(fc.integer({ min: 0x70, max: 0x78 }), fc.uint8Array({ maxLength: 1300 }), (kind, rest) => {
        net.give(0, rest);
        net.give(0, Uint8Array.of(kind, ...rest));
        return link.state !== "closed";
      });
    fc.assert(bytesOf(a), { numRuns: 300 });
    const b = net.open(1);
    net.time.advance(1000);
    fc.assert(bytesOf(a), { numRuns: 300 });
    const got = listen(b);
    a.send(message(1), true);
    net.time.advance(1000);
    expect(got).toEqual([1]);
  });

  test("nothing that a peer with the key sends throws, or makes the link send much", () => {
    const time = virtualScheduler();
    const draw = random(new Uint32Array(4)).seed(3);
    let give!: (bytes: Uint8Array) => void;
    const sent: Uint8Array[] = [];
    const link = datagramLink(
      { send: (bytes) => void sent.push(bytes.slice()), onMessage: (listener) => void (give = listener) },
      { scheduler: time },
    );
    time.advance(10);
    // A hello that knows the number of the link connects to it.
    const own = sent[0]!.slice(2, 10);
    const peer = Uint8Array.of(9, 8, 7, 6, 5, 4, 3, 2);
    give(Uint8Array.of(0x71, 1, ...peer, ...own));
    expect(link.state).toBe("open");
    const word = (bytes: Uint8Array, at: number) =>
      new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
    const peerKey = Uint32Array.of(word(peer, 0), word(peer, 4));
    const key = Uint32Array.of(...[0, 1].map((i) => halfSipHash(peerKey, 0, Uint8Array.of(...own, i), 0, 9)));

    let received = 0;
    link.on("message", () => void received++);
    let number = 0;
    for (let i = 0; i < 50_000; i++) {
      const packet = new Uint8Array(draw.below(40) + 9);
      for (let at = 0; at < packet.length; at++) packet[at] = draw.u32();
      const view = new DataView(packet.buffer);
      // Mostly kinds that exist, but no end; packets in order, and some far ahead; messages near what is expected.
      packet[0] = draw.pick([0x73, 0x74, 0x76, 0x76, draw.below(0x74)]);
      view.setUint32(1, (number += draw.below(50) === 0 ? draw.below(1 << 30) : 1) >>> 0);
      if (packet[0] === 0x74 && packet.length > 13 && draw.below(2) === 0) view.setUint32(5, draw.below(200));
      const end = packet.length - 4;
      view.setUint32(end, halfSipHash(key, 0, packet, 0, end));
      link.send(packet, draw.below(10) === 0 && i < 1000);
      give(packet);
      if (i % 100 === 0) time.advance(20);
    }
    expect([link.state, received > 1000]).toEqual(["open", true]);
    // One unreliable message, and at most one reply each.
    expect(sent.length).toBeLessThan(110_000);
  });
});

test("datagramLink rejects what is no transport, and survives one that throws", () => {
  expect(() => datagramLink(undefined as never)).toThrow("datagramLink: transport must be an object");
  expect(() => datagramLink({ send() {} } as never)).toThrow(
    "datagramLink: transport.onMessage must be a function",
  );
  const transport = { send() {}, onMessage() {} };
  expect(() => datagramLink(transport, { timer: 1 } as never)).toThrow('unknown option "timer"');
  const time = virtualScheduler();
  const broken = {
    send() {
      throw new Error("network is unreachable");
    },
    onMessage() {},
  };
  const link = datagramLink(broken, { scheduler: time });
  time.advance(1000);
  expect(link.state).toBe("connecting");
});
