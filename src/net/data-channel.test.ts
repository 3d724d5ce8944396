// WebRTC links over a connection in memory, in virtual time. Real connections: test/net-links and test/browser.
import { describe, expect, test } from "vitest";
import { answerLink, offerLink, type ChannelLike, type PeerConnectionLike } from "./data-channel.js";
import { virtualScheduler } from "./virtual-time.js";

const SDP = (setup: string) => `v=0
a=mid:data
a=ice-ufrag:abcd
a=ice-pwd:abcdefghijklmnopqrstuvwx
a=fingerprint:sha-256 ${Array(32).fill("AB").join(":")}
a=setup:${setup}
a=candidate:1 1 udp 2113937151 192.168.1.23 58183 typ host
`;

type Listeners = Record<string, ((event: object) => void)[]>;

class FakeChannel implements ChannelLike {
  binaryType = "blob";
  readyState = "connecting";
  bufferedAmount = 0;
  readonly sent: (string | number[])[] = [];
  readonly #listeners: Listeners = {};
  send(data: string | Uint8Array): void {
    if (this.readyState !== "open") throw new Error("not open");
    this.sent.push(typeof data === "string" ? data : [...data]);
  }
  addEventListener(type: string, listener: (event: object) => void): void {
    (this.#listeners[type] ??= []).push(listener);
  }
  emit(type: string, event: object = {}): void {
    for (const listener of this.#listeners[type] ?? []) listener(event);
  }
}

/** A platform whose connections do what the test says. */
function platform(gathers = true) {
  const time = virtualScheduler();
  const made: FakeConnection[] = [];
  class FakeConnection implements PeerConnectionLike {
    iceGatheringState = gathers ? "complete" : "gathering";
    connectionState = "new";
    localDescription: { sdp: string } | null = null;
    remote: { type: string; sdp: string } | undefined;
    readonly channels: (FakeChannel & { options: object })[] = [];
    closes = 0;
    readonly #listeners: Listeners = {};
    readonly configuration: unknown;
    constructor(configuration: unknown) {
      this.configuration = configuration;
      made.push(this);
    }
    createDataChannel(_: string, options: object): ChannelLike {
      const channel = Object.assign(new FakeChannel(), { options });
      this.channels.push(channel);
      return channel;
    }
    createOffer = async () => ({ type: "offer", sdp: SDP("actpass") });
    createAnswer = async () => ({ type: "answer", sdp: SDP("active") });
    setLocalDescription = async (description: { sdp: string }) => void (this.localDescription = description);
    setRemoteDescription = async (description: { type: string; sdp: string }) =>
      void (this.remote = description);
    addEventListener(type: string, listener: (event: object) => void): void {
      (this.#listeners[type] ??= []).push(listener);
    }
    close(): void {
      this.closes++;
    }
    become(state: string): void {
      this.connectionState = state;
      for (const listener of this.#listeners["connectionstatechange"] ?? []) listener({});
    }
    gathered(): void {
      this.iceGatheringState = "complete";
      for (const listener of this.#listeners["icegatheringstatechange"] ?? []) listener({});
    }
  }
  return { time, made, options: { rtc: FakeConnection, scheduler: time } };
}

/** An offered link whose channels are open. */
async function opened() {
  const { time, made, options } = platform();
  const { link } = await offerLink(options);
  const connection = made[0]!;
  const [loose, reliable] = connection.channels as never as [FakeChannel, FakeChannel];
  const reasons: string[] = [];
  link.on("close", (reason) => reasons.push(reason));
  const open = () => {
    for (const channel of [loose, reliable]) {
      channel.readyState = "open";
      channel.emit("open");
    }
  };
  return { time, link, connection, loose, reliable, reasons, open };
}

describe("a WebRTC link", () => {
  test("has one unordered channel without retransmits, and one reliable one", async () => {
    const { loose, reliable, link, open } = await opened();
    expect([loose, reliable].map((channel) => (channel as { options?: object }).options)).toEqual([
      { negotiated: true, id: 0, ordered: false, maxRetransmits: 0 },
      { negotiated: true, id: 1 },
    ]);
    expect([loose.binaryType, reliable.binaryType]).toEqual(["arraybuffer", "arraybuffer"]);
    link.send(Uint8Array.of(1), true);
    link.send(Uint8Array.of(2));
    open();
    link.send(Uint8Array.of(3));
    link.send(Uint8Array.of(4), true);
    expect([link.state, loose.sent, reliable.sent]).toEqual(["open", [[3]], [[1], [4]]]);
    loose.bufferedAmount = reliable.bufferedAmount = 20_000;
    link.send(Uint8Array.of(5));
    link.send(Uint8Array.of(6), true);
    expect([loose.sent.length, reliable.sent.length]).toEqual([1, 3]);
  });

  test("receives on both channels, and cuts off a peer that sends nonsense", async () => {
    const { loose, reliable, link, open, reasons, connection } = await opened();
    open();
    const got: number[][] = [];
    link.on("message", (bytes) => got.push([...bytes]));
    loose.emit("message", { data: Uint8Array.of(1).buffer });
    reliable.emit("message", { data: Uint8Array.of(2).buffer });
    expect(got).toEqual([[1], [2]]);
    for (let i = 0; i < 16; i++) loose.emit("message", { data: i % 2 ? new ArrayBuffer(1201) : null });
    expect(reasons).toEqual(["the peer sent too many invalid messages"]);
    expect(connection.closes).toBe(0);
    reliable.emit("close");
    expect(connection.closes).toBe(1);
  });

  test("closes when the connection fails, or is away for 30 s", async () => {
    const failed = await opened();
    failed.open();
    failed.connection.become("failed");
    expect([failed.reasons, failed.connection.closes]).toEqual([["connection lost"], 1]);

    const away = await opened();
    away.open();
    away.connection.become("disconnected");
    away.time.advance(29_000);
    away.connection.become("connected");
    away.time.advance(60_000);
    expect(away.link.state).toBe("open");
    away.connection.become("disconnected");
    away.time.advance(30_000);
    expect(away.reasons).toEqual(["connection lost"]);

    const never = await opened();
    never.connection.become("failed");
    expect([never.reasons, never.link.state]).toEqual([["connection lost"], "closed"]);
  });

  test("hangs up with a last message, and waits 5 s at most for the peer", async () => {
    const { time, link, connection, reliable, open, reasons } = await opened();
    open();
    link.close("enough for today");
    expect([reasons, reliable.sent, connection.closes]).toEqual([
      ["enough for today"],
      ["enough for today"],
      0,
    ]);
    time.advance(5000);
    expect(connection.closes).toBe(1);

    const other = await opened();
    other.open();
    other.reliable.emit("message", { data: "x".repeat(500) });
    expect([other.reasons, other.connection.closes]).toEqual([["x".repeat(120)], 1]);

    const early = await opened();
    early.link.close();
    expect(early.connection.closes).toBe(1);
  });

  test("waits for addresses, but not for ever", async () => {
    const { time, made, options } = platform(false);
    const first = offerLink(options);
    await expect.poll(() => time.nextDue).toBe(3000);
    made[0]!.gathered();
    expect((await first).offer.length).toBeGreaterThan(80);
    const second = offerLink({ ...options, gatherTime: 100 });
    await expect.poll(() => time.nextDue).toBe(100);
    time.advance(100);
    expect((await second).offer.length).toBeGreaterThan(80);
  });

  test("an answer names the section as the offer did, and goes to its offer only", async () => {
    const { made, options } = platform();
    const servers = [{ urls: "stun:stun.example.com" }];
    const { offer, accept } = await offerLink({ ...options, iceServers: servers });
    const { answer } = await answerLink(` ${offer}\n`, options);
    await accept(answer);
    expect(made[0]!.configuration).toEqual({ iceServers: servers });
    expect(made[0]!.remote).toMatchObject({ type: "answer", sdp: expect.stringContaining("a=mid:data\r\n") });
    expect(made[1]!.remote).toMatchObject({
      type: "offer",
      sdp: expect.stringContaining("a=setup:actpass\r\n"),
    });
    expect(made.map(({ closes }) => closes)).toEqual([0, 0]);
  });

  test("what the platform rejects becomes an error, and ends the connection", async () => {
    const { made, options } = platform();
    const { offer } = await offerLink(options);
    class Picky extends options.rtc {
      override setRemoteDescription = async () => {
        throw new Error("too picky");
      };
      override createOffer = async () => ({ type: "offer", sdp: "v=0" });
    }
    await expect(answerLink(offer, { ...options, rtc: Picky })).rejects.toThrow(
      "answerLink: the platform rejects the offer: Error: too picky.",
    );
    await expect(offerLink({ ...options, rtc: Picky })).rejects.toThrow(
      "offerLink: cannot read the description that this platform wrote.",
    );
    expect(made.map(({ closes }) => closes)).toEqual([0, 1, 1]);
  });
});
