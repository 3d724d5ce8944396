// Offers and answers of WebRTC as short texts. A description (SDP) has about a thousand characters, nearly all of them the
// same for every connection of ours. The text holds what differs: the password of ICE, the fingerprint of the
// certificate, and the addresses.
import { misuse, requireType } from "../errors/index.js";

/** What a peer must know about another one to connect to it. */
export interface Signal {
  readonly kind: "offer" | "answer";
  /** Who begins the encryption. */
  readonly setup: "actpass" | "active" | "passive";
  /** The check of the offer that an answer belongs to; 0 in offers. */
  readonly offerCheck: number;
  readonly user: string;
  readonly password: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: Uint8Array;
  /** Where the peer can be reached, the best first. */
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly type: (typeof TYPES)[number];
  /** Four or 16 bytes of an IP address, or the 16 bytes of a name that hides the address on a local network. */
  readonly address: Uint8Array;
  readonly isName: boolean;
  readonly port: number;
}

const VERSION = 1;
const KINDS = ["offer", "answer"] as const;
const SETUPS = ["actpass", "active", "passive"] as const;
const TYPES = ["host", "srflx", "prflx", "relay"] as const;
/** How browsers prefer each type. */
const PREFERENCES = [126, 100, 110, 0] as const;
const MAX_CANDIDATES = 10;
/** Far longer than any text of ours. */
const MAX_TEXT = 4096;
const IP4 = 0;
const IP6 = 1;
const NAME = 2;

/** Finds what matters in a description that the platform wrote. */
export function signalOf(kind: Signal["kind"], sdp: string, offerCheck: number): Signal | undefined {
  const line = (name: string) => new RegExp(`^a=${name}:(.*?)\\s*$`, "m").exec(sdp)?.[1];
  const user = line("ice-ufrag");
  const password = line("ice-pwd");
  const setup = SETUPS.find((each) => each === line("setup"));
  const fingerprint = /^a=fingerprint:sha-256 ((?:[\da-f]{2}:){31}[\da-f]{2})/im.exec(sdp)?.[1];
  if (!user || !password || !setup || !fingerprint) return undefined;
  const candidates = [...sdp.matchAll(/^a=candidate:\S+ 1 udp (\d+) (\S+) (\d+) typ (\w+)/gim)]
    .sort((a, b) => Number(b[1]) - Number(a[1]))
    .flatMap(([, , address, port, type]) => candidateOf(address!, Number(port), type!))
    .slice(0, MAX_CANDIDATES);
  return {
    kind,
    setup,
    offerCheck,
    user,
    password,
    fingerprint: Uint8Array.from(fingerprint.split(":"), (byte) => parseInt(byte, 16)),
    candidates,
  };
}

/** Returns the candidate in a list, or an empty list if it is of no use to a peer. */
function candidateOf(text: string, port: number, name: string): Candidate[] {
  const type = TYPES.find((each) => each === name);
  const uuid = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.local$/i.exec(text)?.[1];
  const address = uuid ? fromHex(uuid.replaceAll("-", "")) : (fromIp4(text) ?? fromIp6(text));
  // Port 9 stands for none. Link-local addresses are of no use without the name of an interface.
  const isLinkLocal = !uuid && address?.length === 16 && address[0] === 0xfe && (address[1]! & 0xc0) === 0x80;
  if (!type || !address || isLinkLocal || !(port > 9 && port < 65536)) return [];
  return [{ type, address, isName: uuid !== undefined, port }];
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));

function fromIp4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  const isAddress = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return isAddress ? Uint8Array.from(parts, Number) : undefined;
}

function fromIp6(text: string): Uint8Array | undefined {
  const [head, tail, more] = text.split("::");
  const groups = (part: string | undefined) => (part ? part.split(":") : []);
  const front = groups(head);
  const back = groups(tail);
  const missing = 8 - front.length - back.length;
  if (more !== undefined || (tail === undefined ? missing !== 0 : missing < 1)) return undefined;
  const all = [...front, ...Array<string>(missing).fill("0"), ...back];
  if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return fromHex(all.map((group) => group.padStart(4, "0")).join(""));
}

/** Writes a description that the platform can read. `mid` is the name of its only section. */
export function sdpOf(signal: Signal, mid: string): string {
  const hex = (byte: number) => byte.toString(16).padStart(2, "0");
  return [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    `a=group:BUNDLE ${mid}`,
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    `a=mid:${mid}`,
    `a=ice-ufrag:${signal.user}`,
    `a=ice-pwd:${signal.password}`,
    `a=fingerprint:sha-256 ${[...signal.fingerprint].map(hex).join(":").toUpperCase()}`,
    `a=setup:${signal.setup}`,
    "a=sctp-port:5000",
    "a=max-message-size:65536",
    ...signal.candidates.map(lineOf),
    "a=end-of-candidates",
    "",
  ].join("\r\n");
}

function lineOf({ type, address, isName, port }: Candidate, index: number): string {
  const words = Array.from({ length: address.length / 2 }, (_, i) =>
    (address[2 * i]! * 256 + address[2 * i + 1]!).toString(16).padStart(4, "0"),
  );
  const shown = isName
    ? `${words[0]}${words[1]}-${words.slice(2, 5).join("-")}-${words.slice(5).join("")}.local`
    : words.length === 2
      ? address.join(".")
      : words.join(":");
  const priority = PREFERENCES[TYPES.indexOf(type)]! * 2 ** 24 + (65535 - index) * 2 ** 8 + 255;
  // Browsers leave out where other types are from, too.
  const from = type === "host" ? "" : " raddr 0.0.0.0 rport 0";
  return `a=candidate:${index + 1} 1 udp ${priority} ${shown} ${port} typ ${type}${from}`;
}

/** Writes the text of a signal, which may be part of a web address. */
export function textOf(signal: Signal): string {
  const ascii = (text: string) => [text.length, ...[...text].map((letter) => letter.charCodeAt(0))];
  const word = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const bytes = [
    (VERSION << 4) | KINDS.indexOf(signal.kind),
    SETUPS.indexOf(signal.setup),
    ...word(signal.offerCheck),
    ...ascii(signal.user),
    ...ascii(signal.password),
    ...signal.fingerprint,
    ...signal.candidates.flatMap(({ type, address, isName, port }) => [
      TYPES.indexOf(type) * 4 + (isName ? NAME : address.length === 4 ? IP4 : IP6),
      ...address,
      port >> 8,
      port & 255,
    ]),
  ];
  bytes.push(...word(checkOf(bytes)));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (letter) =>
    letter === "+" ? "-" : letter === "/" ? "_" : "",
  );
}

/** Returns the check at the end of an offer, to which its answers refer. */
export function offerCheckOf(text: string): number {
  const bytes = bytesOf(text)!;
  return wordAt(bytes, bytes.length - 4);
}

/** Reads the text of a signal, and says what is wrong with it. */
export function readSignal(call: string, kind: Signal["kind"], text: unknown): Signal {
  requireType(
    `${call}: ${kind}`,
    text,
    "string",
    kind === "offer" ? "(await offerLink()).offer" : "(await answerLink(offer)).answer",
  );
  const bytes = bytesOf((text as string).replace(/\s/g, ""));
  if (!bytes) misuse("corrupt-data", call, `the text is not an ${kind}`, "Copy all of it, and nothing else");
  const version = bytes[0]! >> 4;
  const found = KINDS[bytes[0]! & 15];
  if (version !== VERSION && checkOf(bytes.subarray(0, -4)) === wordAt(bytes, bytes.length - 4))
    misuse(
      "unsupported",
      call,
      `the ${kind} comes from another version of Tickwise (format ${version})`,
      "Use the same version on both sides",
    );
  const signal = version === VERSION && found ? parse(bytes, found) : undefined;
  if (!signal)
    misuse("corrupt-data", call, `the ${kind} is damaged or incomplete`, "Copy all of it, and nothing else");
  if (found !== kind)
    misuse(
      "corrupt-data",
      call,
      `this is an ${found}, not an ${kind}`,
      kind === "offer" ? "Pass it to accept() of the side that made the offer" : "Pass it to answerLink()",
    );
  return signal;
}

function bytesOf(text: string): Uint8Array | undefined {
  if (!/^[\w-]+$/.test(text) || text.length > MAX_TEXT || text.length < 8) return undefined;
  // A single letter after whole bytes holds too few bits. The text was cut, which the check finds.
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
}

/** Returns undefined if anything is wrong. */
function parse(bytes: Uint8Array, kind: Signal["kind"]): Signal | undefined {
  const end = bytes.length - 4;
  if (checkOf(bytes.subarray(0, end)) !== wordAt(bytes, end)) return undefined;
  let at = 6;
  const take = (length: number) => bytes.subarray(at, (at += length));
  const text = () => String.fromCharCode(...take(bytes[at++] ?? 0));
  const setup = SETUPS[bytes[1]!];
  const user = text();
  const password = text();
  const fingerprint = take(32);
  const candidates: Candidate[] = [];
  while (at < end && candidates.length <= MAX_CANDIDATES) {
    const head = bytes[at++]!;
    const address = take((head & 3) === IP4 ? 4 : 16);
    const port = (bytes[at++] ?? 0) * 256 + (bytes[at++] ?? 0);
    const type = TYPES[head >> 2];
    if (!type || (head & 3) > NAME || port === 0) return undefined;
    candidates.push({ type, address, isName: (head & 3) === NAME, port });
  }
  // The lengths and letters that ICE allows, as they become lines of a description.
  const isSafe = /^[\w+/-]{4,256}$/.test(user) && /^[\w+/-]{22,256}$/.test(password);
  const isWhole = at === end && candidates.length <= MAX_CANDIDATES;
  if (!setup || !isSafe || !isWhole || (setup === "actpass") !== (kind === "offer")) return undefined;
  return { kind, setup, offerCheck: wordAt(bytes, 2), user, password, fingerprint, candidates };
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

/** FNV-1a: finds typing and copying errors. */
function checkOf(bytes: ArrayLike<number>): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}
