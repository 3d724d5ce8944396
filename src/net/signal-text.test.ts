import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TickwiseError } from "../errors/index.js";
import { offerCheckOf, readSignal, sdpOf, signalOf, textOf, type Signal } from "./signal-text.js";

const FINGERPRINT = Array.from({ length: 32 }, (_, i) =>
  (i * 7 + 200).toString(16).slice(-2).padStart(2, "0"),
);

/** A description as Chromium writes it. */
const CHROMIUM = [
  "v=0",
  "o=- 5143402362394843837 2 IN IP4 127.0.0.1",
  "s=-",
  "t=0 0",
  "a=group:BUNDLE 0",
  "a=extmap-allow-mixed",
  "a=msid-semantic: WMS",
  "m=application 58183 UDP/DTLS/SCTP webrtc-datachannel",
  "c=IN IP4 203.0.113.7",
  "a=candidate:1 1 udp 2113937151 192.168.1.23 58183 typ host generation 0 network-cost 999",
  "a=candidate:2 1 udp 2113939711 2001:db8::42 58184 typ host generation 0",
  "a=candidate:3 1 udp 1677729535 203.0.113.7 58183 typ srflx raddr 192.168.1.23 rport 58183 generation 0",
  "a=candidate:4 1 tcp 1518280447 192.168.1.23 9 typ host tcptype active generation 0",
  "a=candidate:5 1 udp 33562367 198.51.100.1 50000 typ relay raddr 203.0.113.7 rport 58183",
  "a=candidate:6 1 UDP 2122252543 4b1f0e2a-65aa-4a3c-9c38-0f9f2f3f6d01.local 40404 typ host",
  "a=candidate:7 1 udp 2113939000 fe80::1 58184 typ host generation 0",
  "a=candidate:8 2 udp 2113939000 192.168.1.23 58185 typ host generation 0",
  "a=ice-ufrag:Xk2+",
  "a=ice-pwd:abcdefghijklmnopqrstuv/w",
  "a=ice-options:trickle",
  `a=fingerprint:sha-256 ${FINGERPRINT.join(":").toUpperCase()}`,
  "a=setup:actpass",
  "a=mid:0",
  "a=sctp-port:5000",
  "a=max-message-size:262144",
  "",
].join("\r\n");

const offer = signalOf("offer", CHROMIUM, 0)!;

describe("a description", () => {
  test("is reduced to what differs, with the best addresses first", () => {
    expect(offer).toMatchObject({ kind: "offer", setup: "actpass", user: "Xk2+" });
    expect(offer.candidates.map(({ type, port, address }) => [type, port, address.length])).toEqual([
      ["host", 40404, 16],
      ["host", 58184, 16],
      ["host", 58183, 4],
      ["srflx", 58183, 4],
      ["relay", 50000, 4],
    ]);
  });

  test("is written again from a short text", () => {
    const text = textOf(offer);
    expect(text).toMatch(/^[\w-]+$/);
    expect(text.length).toBeLessThan(200);
    const sdp = sdpOf(readSignal("answerLink", "offer", text), "0");
    expect(signalOf("offer", sdp, 0)).toEqual(offer);
    expect(sdp.split("\r\n").filter((line) => line.startsWith("a=candidate"))).toEqual([
      "a=candidate:1 1 udp 2130706431 4b1f0e2a-65aa-4a3c-9c38-0f9f2f3f6d01.local 40404 typ host",
      "a=candidate:2 1 udp 2130706175 2001:0db8:0000:0000:0000:0000:0000:0042 58184 typ host",
      "a=candidate:3 1 udp 2130705919 192.168.1.23 58183 typ host",
      "a=candidate:4 1 udp 1694498047 203.0.113.7 58183 typ srflx raddr 0.0.0.0 rport 0",
      "a=candidate:5 1 udp 16776191 198.51.100.1 50000 typ relay raddr 0.0.0.0 rport 0",
    ]);
  });

  test("without what a peer must know is of no use", () => {
    for (const name of ["ice-ufrag", "ice-pwd", "fingerprint", "setup"])
      expect(signalOf("offer", CHROMIUM.replace(`a=${name}`, "a=other"), 0)).toBeUndefined();
    expect(signalOf("offer", "", 0)).toBeUndefined();
  });

  test("of a peer with many addresses keeps the best ten", () => {
    const more = Array.from(
      { length: 30 },
      (_, i) => `a=candidate:9 1 udp ${i + 1} 10.0.0.${i} 5000 typ host`,
    );
    const { candidates } = signalOf("offer", `${CHROMIUM}${more.join("\r\n")}`, 0)!;
    expect(candidates.map(({ port }) => port)).toEqual([
      40404, 58184, 58183, 58183, 50000, 5000, 5000, 5000, 5000, 5000,
    ]);
    expect(candidates.at(-1)!.address[3]).toBe(25);
  });
});

describe("a text", () => {
  const text = textOf(offer);
  const answer = textOf({ ...offer, kind: "answer", setup: "active", offerCheck: offerCheckOf(text) });

  test("may have spaces and line breaks around and within", () => {
    expect(readSignal("answerLink", "offer", ` ${text.slice(0, 50)}\n${text.slice(50)} `)).toEqual(offer);
  });

  test("of an answer names its offer", () => {
    expect(readSignal("accept", "answer", answer).offerCheck).toBe(offerCheckOf(text));
  });

  test("that is wrong is rejected with the reason", () => {
    const problem = (kind: Signal["kind"], value: unknown) => {
      try {
        readSignal(kind === "offer" ? "answerLink" : "accept", kind, value);
      } catch (error) {
        return (error as TickwiseError).message;
      }
      return "";
    };
    expect(problem("offer", 5)).toBe(
      "answerLink: offer must be a string, got 5. Try (await offerLink()).offer.",
    );
    expect(problem("offer", "")).toBe(
      "answerLink: the text is not an offer. Copy all of it, and nothing else.",
    );
    expect(problem("answer", "https://example.com/")).toBe(
      "accept: the text is not an answer. Copy all of it, and nothing else.",
    );
    expect(problem("offer", "x".repeat(10_000))).toContain("the text is not an offer");
    expect(problem("offer", answer)).toBe(
      "answerLink: this is an answer, not an offer. Pass it to accept() of the side that made the offer.",
    );
    expect(problem("answer", text)).toBe("accept: this is an offer, not an answer. Pass it to answerLink().");
    for (let length = 8; length < text.length; length++)
      expect(problem("offer", text.slice(0, length))).toBe(
        "answerLink: the offer is damaged or incomplete. Copy all of it, and nothing else.",
      );
  });

  test("with any letter changed is rejected", () => {
    // The last letter may hold bits that are not used.
    for (let i = 0; i < text.length - 1; i++) {
      const changed = text.slice(0, i) + (text[i] === "A" ? "B" : "A") + text.slice(i + 1);
      expect(() => readSignal("answerLink", "offer", changed)).toThrow(TickwiseError);
    }
  });

  test("of another version is rejected as such", () => {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
      c.charCodeAt(0),
    );
    bytes[0] = 0x20;
    expect(() => readSignal("answerLink", "offer", seal(bytes))).toThrow(
      "answerLink: the offer comes from another version of Tickwise (format 2). Use the same version on both sides.",
    );
  });

  test("no text throws anything but a TickwiseError, and none smuggles lines into a description", () => {
    const attempt = (value: string) =>
      ["offer" as const, "answer" as const].every((kind) => {
        try {
          const lines = sdpOf(readSignal("answerLink", kind, value), "0").split("\r\n");
          return lines.length < 30 && lines.every((line) => /^([a-z]=[ -~]*)?$/.test(line));
        } catch (error) {
          return error instanceof TickwiseError;
        }
      });
    fc.assert(fc.property(fc.string(), attempt));
    // With a right check, so that everything behind it is reached.
    const body = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(fc.constantFrom(0x10, 0x11), fc.nat(3), body, (head, setup, rest) => {
        return attempt(seal(Uint8Array.of(head, setup, 0, 0, 0, 0, ...rest, 0, 0, 0, 0)));
      }),
      { numRuns: 2000 },
    );
    const right = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
      c.charCodeAt(0),
    );
    fc.assert(
      fc.property(fc.nat(right.length - 5), fc.nat(255), (at, byte) => {
        const bytes = right.slice();
        bytes[at] = byte;
        return attempt(seal(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Writes the check at the end, and returns the text. */
function seal(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes.subarray(0, -4)) hash = Math.imul(hash ^ byte, 0x01000193);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, hash >>> 0);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
