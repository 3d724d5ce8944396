// Datagram links over real UDP sockets.
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { datagramLink, type DatagramTransport } from "../../src/net/datagram.js";
import { closing, exchange, opening } from "./exchange.js";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) {
    socket.removeAllListeners();
    try {
      socket.close();
    } catch {
      // Its link has closed it.
    }
  }
});

async function bound(): Promise<Socket> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "listening");
  return socket;
}

const transport = (socket: Socket, peer: Socket): DatagramTransport => {
  const { port } = peer.address();
  return {
    send: (bytes) => socket.send(bytes.slice(), port, "127.0.0.1"),
    onMessage: (listener) => void socket.on("message", listener),
    close: () => socket.close(),
  };
};

describe("a datagram link over UDP", () => {
  test("carries both kinds both ways, and closes at both ends", async () => {
    const [a, b] = [await bound(), await bound()];
    const near = datagramLink(transport(a, b));
    const far = datagramLink(transport(b, a));
    const stranger = await bound();
    for (const { reliable, unreliable, wrong } of await Promise.all([exchange(near), exchange(far)])) {
      expect([reliable, wrong]).toEqual([300, 0]);
      expect(unreliable).toBeGreaterThanOrEqual(10);
    }
    // Anyone can send to the port.
    for (let i = 0; i < 20; i++)
      stranger.send(new Uint8Array(i * 10).fill(0x70 + i), b.address().port, "127.0.0.1");
    await expect.poll(() => far.rejected).toBeGreaterThanOrEqual(15);
    const closed = closing(far);
    near.send(Uint8Array.of(1), true);
    near.close("enough for today");
    expect(await closed).toBe("enough for today");
  });

  test("connects to a peer that starts later", async () => {
    const [a, b] = [await bound(), await bound()];
    const near = datagramLink(transport(a, b));
    await once(b, "message");
    const far = datagramLink(transport(b, a));
    await Promise.all([opening(near), opening(far)]);
    expect([near.state, far.state]).toEqual(["open", "open"]);
    near.close();
    far.close();
  });
});
