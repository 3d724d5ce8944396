import { expect, test } from "vitest";
import { checkedLimits } from "./limits.js";
import { closeReason } from "./end-socket.js";
import { SocketLink, Traffic } from "./socket-link.js";
import type { ServerSocket } from "./ws-package.js";

/** A socket whose buffer is as full as a test says. */
function slowSocket() {
  const events: string[] = [];
  const listeners = new Map<string, (data: Buffer) => void>();
  const socket = {
    readyState: 1,
    bufferedAmount: 0,
    send: (data: Uint8Array | string) => void events.push(`send ${data.length}`),
    close: (code: number, reason: string) => void events.push(`close ${code} ${reason}`),
    terminate: () => void events.push("terminate"),
    ping: () => {},
    pause: () => {},
    on: (event: string, listener: (data: Buffer) => void) => void listeners.set(event, listener),
  };
  const hear = (event: string, data: Buffer) => listeners.get(event)?.(data);
  const traffic = new Traffic();
  const limits = checkedLimits("test", { waitingBytes: 100_000 });
  const link = new SocketLink(
    socket as unknown as ServerSocket,
    { limits, traffic, now: () => 0, schedule: { stepIfDue() {} } },
    () => undefined,
  );
  return { socket, events, link, traffic, hear };
}

test("unreliable messages are dropped while some bytes wait; a client that does not read at all is cut off", () => {
  const { socket, events, link } = slowSocket();
  link.send(new Uint8Array(10));
  socket.bufferedAmount = 50_000;
  link.send(new Uint8Array(11));
  link.send(new Uint8Array(12), true);
  expect(events).toEqual(["send 10", "send 12"]);
  socket.bufferedAmount = 100_001;
  link.send(new Uint8Array(13), true);
  // Its buffer is not kept for the answer to a close.
  expect(events).toEqual(["send 10", "send 12", "terminate"]);
});

test("a client that pings but does not read the answers is cut off", () => {
  const { socket, events, hear } = slowSocket();
  hear("ping", Buffer.alloc(125));
  socket.bufferedAmount = 100_001;
  // Limits are checked now and then.
  for (let i = 0; i < 20; i++) hear("ping", Buffer.alloc(125));
  expect(events).toEqual(["terminate"]);
});

test("traffic is counted with the framing of WebSockets", () => {
  const { link, traffic } = slowSocket();
  link.send(new Uint8Array(100));
  link.send(new Uint8Array(200));
  expect(traffic).toEqual({ messagesIn: 0, messagesOut: 2, bytesIn: 0, bytesOut: 102 + 204 });
});

test("a reason is cut to what a close frame can hold, and between letters", () => {
  expect(closeReason("short")).toBe("short");
  expect(closeReason("x".repeat(200))).toBe("x".repeat(123));
  expect(closeReason("ü".repeat(200))).toBe("ü".repeat(61));
});
