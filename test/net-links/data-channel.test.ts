// WebRTC links between two ends in Node, with node-datachannel.
import { RTCPeerConnection } from "node-datachannel/polyfill";
import { afterEach, describe, expect, test } from "vitest";
import { answerLink, offerLink } from "../../src/net/data-channel.js";
import { MAX_MESSAGE, type Link } from "../../src/net/link.js";
import { closing, exchange, opening } from "./exchange.js";

const rtc = RTCPeerConnection;
const links: Link[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

async function pair(): Promise<[Link, Link]> {
  const { link, offer, accept } = await offerLink({ rtc });
  const { link: other, answer } = await answerLink(offer, { rtc });
  links.push(link, other);
  await accept(answer);
  return [link, other];
}

// libdatachannel sometimes ends a young connection while another one is being closed.
describe("a WebRTC link in Node", { retry: 4 }, () => {
  test("carries both kinds both ways, by short texts", async () => {
    const { link, offer, accept } = await offerLink({ rtc });
    expect(link.state).toBe("connecting");
    expect(offer).toMatch(/^[\w-]{80,400}$/);
    const other = await answerLink(offer, { rtc });
    links.push(link, other.link);
    expect(other.answer).toMatch(/^[\w-]{80,400}$/);
    await accept(other.answer);
    for (const { reliable, unreliable, wrong } of await Promise.all([exchange(link), exchange(other.link)])) {
      expect([reliable, wrong]).toEqual([300, 0]);
      expect(unreliable).toBeGreaterThanOrEqual(10);
    }
    expect([link.state, other.link.state]).toEqual(["open", "open"]);
  });

  test("keeps reliable messages that are sent while it connects", async () => {
    const { link, offer, accept } = await offerLink({ rtc });
    const { link: other, answer } = await answerLink(offer, { rtc });
    links.push(link, other);
    const bytes = Uint8Array.of(1);
    const got = new Promise<number[]>((resolve) => {
      const all: number[] = [];
      other.on("message", ([n]) => void (all.push(n!) === 3 && resolve(all)));
    });
    for (; bytes[0]! < 3; bytes[0]!++) link.send(bytes, true);
    await accept(answer);
    link.send(bytes, true);
    expect(await got).toEqual([1, 2, 3]);
  });

  test("a close reaches the peer with its reason, after all messages", async () => {
    const [link, other] = await pair();
    await opening(link);
    await opening(other);
    let count = 0;
    other.on("message", () => void count++);
    const closed = closing(other);
    for (let i = 0; i < 200; i++) link.send(new Uint8Array(MAX_MESSAGE), true);
    link.close("enough for today");
    link.send(new Uint8Array(1), true);
    expect(link.state).toBe("closed");
    expect(await closed).toBe("enough for today");
    expect(count).toBe(200);
  });

  test("an offer takes only its own answer, once", async () => {
    const first = await offerLink({ rtc });
    const second = await offerLink({ rtc });
    const answered = await answerLink(first.offer, { rtc });
    links.push(first.link, second.link, answered.link);
    await expect(second.accept(answered.answer)).rejects.toThrow(
      "accept: this answer belongs to another offer. Send the current offer to the peer again.",
    );
    await expect(first.accept(first.offer)).rejects.toThrow("accept: this is an offer, not an answer");
    await expect(first.accept("")).rejects.toThrow("accept: the text is not an answer");
    await first.accept(answered.answer);
    await expect(first.accept(answered.answer)).rejects.toThrow("accept: an answer was already accepted");
    await opening(answered.link);
    second.link.close();
    const late = await answerLink(second.offer, { rtc });
    links.push(late.link);
    await expect(second.accept(late.answer)).rejects.toThrow("accept: the link is closed. Make a new offer.");
  });

  test("rejects bad options and texts", async () => {
    await expect(offerLink({ rtc, iceServer: [] } as never)).rejects.toThrow(
      'offerLink: unknown option "iceServer". Did you mean "iceServers"?',
    );
    await expect(offerLink({ rtc, iceServers: {} } as never)).rejects.toThrow(
      "offerLink: iceServers must be an array",
    );
    await expect(offerLink({ rtc, iceServers: [{ urls: "nonsense" }] })).rejects.toThrow(
      "offerLink: the platform rejects iceServers",
    );
    await expect(offerLink({ rtc, gatherTime: -1 })).rejects.toThrow(
      "offerLink: gatherTime must be a number",
    );
    await expect(answerLink("hello", { rtc })).rejects.toThrow("answerLink: the text is not an offer");
    await expect(offerLink()).rejects.toThrow("offerLink: this platform has no WebRTC");
  });
});
