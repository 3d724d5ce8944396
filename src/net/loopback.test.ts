import { describe, expect, test } from "vitest";
import { MAX_MESSAGE } from "./link.js";
import { loopbackPair } from "./loopback.js";

describe("a loopback pair", () => {
  test("delivers both kinds at once, as copies", () => {
    const [a, b] = loopbackPair();
    const got: number[][] = [];
    b.on("message", (bytes) => {
      got.push([...bytes]);
      bytes.fill(9);
    });
    const bytes = Uint8Array.of(1, 2, 3);
    a.send(bytes);
    a.send(bytes.subarray(1), true);
    a.send(new Uint8Array(0));
    expect(got).toEqual([[1, 2, 3], [2, 3], []]);
    expect([...bytes]).toEqual([1, 2, 3]);
    expect([a.state, b.state, a.isBare]).toEqual(["open", "open", undefined]);
  });

  test("delivers a reply after the message that caused it, to all listeners", () => {
    const [a, b] = loopbackPair();
    const log: string[] = [];
    b.on("message", ([n]) => {
      log.push(`b1 ${n}`);
      if (n! < 3) b.send(Uint8Array.of(n! + 1));
    });
    b.on("message", ([n]) => void log.push(`b2 ${n}`));
    a.on("message", ([n]) => {
      log.push(`a ${n}`);
      a.send(Uint8Array.of(n! + 1));
    });
    a.send(Uint8Array.of(1));
    expect(log).toEqual(["b1 1", "b2 1", "a 2", "b1 3", "b2 3"]);
  });

  test("closes both ends once, after the messages sent before", () => {
    const [a, b] = loopbackPair();
    const log: string[] = [];
    a.on("close", (reason) => log.push(`a ${reason}`));
    b.on("close", (reason) => log.push(`b ${reason}`));
    b.on("message", ([n]) => {
      log.push(`message ${n}`);
      if (n === 1) {
        a.send(Uint8Array.of(2));
        a.close("enough");
        a.send(Uint8Array.of(3));
      }
    });
    a.send(Uint8Array.of(1));
    b.close();
    b.send(Uint8Array.of(4));
    expect(log).toEqual(["message 1", "a enough", "message 2", "b enough"]);
    expect([a.state, b.state]).toEqual(["closed", "closed"]);
  });

  test("an error of a listener loses no message", () => {
    const [a, b] = loopbackPair();
    const got: number[] = [];
    b.on("message", ([n]) => {
      got.push(n!);
      if (n === 1) {
        a.send(Uint8Array.of(2));
        throw new Error("broken");
      }
    });
    expect(() => a.send(Uint8Array.of(1))).toThrow("broken");
    a.send(Uint8Array.of(3));
    expect(got).toEqual([1, 2, 3]);
  });

  test("uses the same memory again", () => {
    const [a, b] = loopbackPair();
    const seen = new Set<Uint8Array>();
    b.on("message", (bytes) => void seen.add(bytes));
    for (let i = 0; i < 100; i++) a.send(new Uint8Array(20 + (i % 3)));
    expect(seen.size).toBe(3);
  });

  test("removes listeners, and rejects what it cannot send or emit", () => {
    const [a, b] = loopbackPair();
    let count = 0;
    const off = b.on("message", () => void count++);
    a.send(new Uint8Array(MAX_MESSAGE));
    off();
    a.send(new Uint8Array(1));
    expect(count).toBe(1);
    expect(() => a.send(new Uint8Array(MAX_MESSAGE + 1))).toThrow(
      "Link.send: bytes.length must be at most 1200, got 1201. Try several messages.",
    );
    expect(() => a.send("hello" as never)).toThrow("Link.send: bytes must be a Uint8Array");
    expect(() => a.on("messages" as never, () => {})).toThrow(
      'unknown event "messages". Did you mean "message"?',
    );
  });
});
