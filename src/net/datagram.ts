import { alarmsOf, realScheduler, type Alarm, type Scheduler } from "../platform/index.js";
import { requireFunction, requireOptions, requireType } from "../errors/index.js";
import { halfSipHash } from "./half-sip-hash.js";
import { LinkEnd, MAX_WAITING } from "./link-end.js";
import { MAX_MESSAGE, type Link } from "./link.js";
import { MessagePool } from "./message-pool.js";

/** Carries bare datagrams to one peer, such as a UDP socket. They may be lost, reordered, duplicated or forged. */
export interface DatagramTransport {
  /**
   * Sends a datagram of at most 1,213 bytes. They are valid only during the call. It must not call the listener before it
   * returns.
   */
  send(bytes: Uint8Array): void;
  /** Sets the function that is called with each datagram of the peer. The link calls this once. */
  onMessage(listener: (bytes: Uint8Array) => void): void;
  /** Called when the link is closed and its last messages are sent. */
  close?(): void;
}

/** Options of `datagramLink`. */
export interface DatagramOptions {
  /** The clock and the timers. Default: `realScheduler`. */
  scheduler?: Scheduler | undefined;
}

/** A link over bare datagrams. */
export interface DatagramLink extends Link {
  readonly isBare: true;
  /** How many datagrams were rejected so far: forged, damaged, replayed, or of another kind. */
  readonly rejected: number;
}

/**
 * Creates a link over bare datagrams. Both ends call it, and find each other by a small handshake. Reliable messages are
 * numbered, acknowledged and sent again.
 *
 * Each packet has a number and a 4-byte check, whose key comes from random numbers that both ends exchange. The check
 * rejects damaged packets, replays, and forgeries by anyone who cannot read the traffic: one in 2^32 guesses passes. It
 * is no protection from an attacker on the path, who sees the key. Messages are not encrypted. Use WebRTC where that matters.
 *
 * A UDP socket of Node as a transport: `{ send: (bytes) => socket.send(bytes.slice(), port, host), onMessage: (listener) =>
 * socket.on("message", listener), close: () => socket.close() }`.
 */
export function datagramLink(transport: DatagramTransport, options: DatagramOptions = {}): DatagramLink {
  requireType("datagramLink: transport", transport, "object", "{ send, onMessage }");
  requireFunction("datagramLink: transport.send", transport.send);
  requireFunction("datagramLink: transport.onMessage", transport.onMessage);
  requireOptions("datagramLink", options, ["scheduler"], "{ scheduler: virtualScheduler() }");
  const { scheduler = realScheduler } = options;
  requireType("datagramLink: scheduler", scheduler, "object", "virtualScheduler()");
  return new Datagrams(transport, scheduler);
}

// The first byte of a packet. A hello is followed by the version, the own number, and the number it replies to. The others
// are followed by the packet's number and their content, and end with the check.
const HELLO = 0x71;
/** As a hello, by an end that is connected to another number. */
const BUSY = 0x72;
const LOOSE = 0x73;
const RELIABLE = 0x74;
/** The last reliable message, with the reason as text. */
const END = 0x75;
const ACK = 0x76;

const VERSION = 1;
const HELLO_LENGTH = 18;
/** Kind and number before the content, and check after it. */
const HEAD = 5;
const CHECK = 4;
/** The number of a reliable message. */
const NUMBER = 4;
const MAX_PACKET = HEAD + NUMBER + MAX_MESSAGE + CHECK;
/** The most bytes of a reason. */
const MAX_REASON = 120;

/** Milliseconds between hellos, until the peer answers. */
const HELLO_INTERVAL = 250;
/** Reliable messages that may be under way at once; a power of two. */
const WINDOW = 64;
const MIN_WINDOW = 8.5;
/** Packets that may arrive late, before they count as replays; a multiple of 32. */
const REPLAY_WINDOW = 256;
/** Milliseconds that an acknowledgement may be later than usual, at least, and bounds of those until a message is sent again. */
const MARGIN = 15;
const MIN_RESEND = 30;
const MAX_RESEND = 1000;
/** Milliseconds without any packet, while messages wait for their acknowledgement, before the link gives up. */
const MAX_SILENCE = 30_000;
/** Milliseconds without progress of the last messages, and for repeating the last acknowledgement. */
const MAX_CLOSING = 5000;

/** A reliable message that is not acknowledged yet. */
class Outgoing {
  kind = RELIABLE;
  bytes: Uint8Array = NOTHING;
  number = 0;
  sentAt = 0.5;
  resendAt = 0.5;
  resends = 0;
  isAcknowledged = false;
}

const NOTHING = new Uint8Array(0);

class Datagrams extends LinkEnd implements DatagramLink {
  readonly isBare = true;
  rejected = 0;
  readonly #transport: DatagramTransport;
  readonly #scheduler: Scheduler;
  readonly #alarm: Alarm;
  readonly #pool = new MessagePool();

  /** The packet that is being written, and views of it by length, so that sending allocates nothing. */
  readonly #packet = new Uint8Array(MAX_PACKET);
  readonly #packets: (Uint8Array | undefined)[] = [];

  /** The own random number, and the peer's, once it has proved that it knows ours. Two words each. */
  readonly #own: Uint32Array = crypto.getRandomValues(new Uint32Array(2));
  readonly #peer = new Uint32Array(2);
  #isConnected = false;
  /** The keys of sent packets (two words) and of received ones. */
  readonly #keys = new Uint32Array(4);
  #helloAt = 0.5;

  #nextPacket = 0;
  /** One more than the newest packet of the peer, and a bit for each of those before it that has arrived. */
  #newest = 0;
  readonly #arrived = new Uint32Array(REPLAY_WINDOW / 32);
  #heardAt = 0.5;

  /** Messages that wait for a place in the window, from `#queued` on; those in the window, by number; and unused ones. */
  readonly #queue: Outgoing[] = [];
  #queueStart = 0;
  readonly #underWay: (Outgoing | undefined)[] = Array(WINDOW).fill(undefined);
  readonly #unused: Outgoing[] = [];
  /** The oldest number that is not acknowledged, and the next one. */
  #oldest = 0;
  #next = 0;
  #waitingBytes = 0;
  /** How many messages may be under way now: it grows fast up to a threshold, then slowly, and shrinks after losses. */
  #window = 16.5;
  #threshold = WINDOW + 0.5;
  #shrunkAt = -Infinity;
  /** The smoothed round trip and its deviation, in milliseconds. */
  #roundTrip = 100.5;
  #deviation = 50.5;
  #hasRoundTrip = false;

  /** The next reliable message of the peer, and later ones that arrived before it. */
  #expected = 0;
  readonly #early: (Uint8Array | undefined)[] = Array(WINDOW).fill(undefined);
  readonly #earlyKinds = new Uint8Array(WINDOW);

  /** When the transport is closed, once the link is. */
  #closeAt = Infinity;
  #isFinished = false;

  constructor(transport: DatagramTransport, scheduler: Scheduler) {
    super();
    this.#transport = transport;
    this.#scheduler = scheduler;
    this.#own[0]! |= 1;
    this.#alarm = alarmsOf(scheduler)(() => this.#ring());
    this.#helloAt = this.#heardAt = scheduler.now();
    transport.onMessage((bytes) => this.#receive(bytes));
    // Not at once, as the peer may be created after this end.
    this.#arm();
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    if (!reliable) {
      if (!this.#isConnected) return;
      this.#packet.set(bytes, HEAD);
      this.#sendPacket(LOOSE, HEAD + bytes.length);
      return;
    }
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > MAX_WAITING) this.#finish("the peer does not read");
    else this.#enqueue(RELIABLE, bytes);
  }

  protected shut(reason: string): void {
    if (!this.#isConnected) {
      this.#finish(reason);
      return;
    }
    // At most three bytes per unit of the text.
    const text = new TextEncoder().encode(reason.slice(0, MAX_REASON / 3));
    this.#closeAt = this.#scheduler.now() + MAX_CLOSING;
    this.#enqueue(END, text);
  }

  #finish(reason: string): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#alarm.end();
    this.closed(reason);
    this.#transport.close?.();
  }

  // Timers

  #arm(): void {
    if (this.#isFinished) return;
    let due = this.#closeAt;
    if (!this.#isConnected) due = Math.min(due, this.#helloAt);
    for (let number = this.#oldest; number !== this.#next; number = (number + 1) >>> 0) {
      const message = this.#underWay[number % WINDOW];
      if (message && !message.isAcknowledged) due = Math.min(due, message.resendAt);
    }
    if (due < Infinity) this.#alarm.set(Math.max(0, due - this.#scheduler.now()));
    else this.#alarm.end();
  }

  #ring(): void {
    const now = this.#scheduler.now();
    if (now >= this.#closeAt) {
      this.#finish("closed");
      return;
    }
    if (!this.#isConnected && now >= this.#helloAt) {
      this.#helloAt = now + HELLO_INTERVAL;
      this.#sendHello(HELLO, 0, 0);
    }
    let isLate = false;
    for (let number = this.#oldest; number !== this.#next; number = (number + 1) >>> 0) {
      const message = this.#underWay[number % WINDOW]!;
      if (message.isAcknowledged || message.resendAt > now) continue;
      if (now - Math.max(message.sentAt, this.#heardAt) > MAX_SILENCE) {
        this.#finish("the peer does not answer");
        return;
      }
      isLate = true;
      this.#sendReliable(message, now);
    }
    if (isLate) this.#shrink(now);
    this.#arm();
  }

  // Handshake

  #sendHello(kind: number, echo0: number, echo1: number): void {
    const packet = this.#packet;
    packet[0] = kind;
    packet[1] = VERSION;
    writeWord(packet, 2, this.#own[0]!);
    writeWord(packet, 6, this.#own[1]!);
    writeWord(packet, 10, echo0);
    writeWord(packet, 14, echo1);
    this.#give(HELLO_LENGTH);
  }

  #receiveHello(bytes: Uint8Array): void {
    const from0 = readWord(bytes, 2);
    const from1 = readWord(bytes, 6);
    const own = this.#own;
    const peer = this.#peer;
    // Of the wrong form, or an own packet that came back.
    if (bytes.length !== HELLO_LENGTH || bytes[1] !== VERSION || (from0 === own[0] && from1 === own[1])) {
      this.rejected++;
      return;
    }
    const isPeer = this.#isConnected && from0 === peer[0] && from1 === peer[1];
    if (readWord(bytes, 10) !== own[0] || readWord(bytes, 14) !== own[1]) {
      // It does not know our number yet, so it may be anyone. The reply is no longer than its packet.
      this.#sendHello(this.#isConnected && !isPeer ? BUSY : HELLO, from0, from1);
    } else if (isPeer) {
      // It knows all it must.
    } else if (this.#isConnected) this.#finish("the peer has restarted");
    else if (bytes[0] === BUSY) this.#sendHello(HELLO, from0, from1);
    else {
      peer[0] = from0;
      peer[1] = from1;
      this.#connect();
    }
  }

  #connect(): void {
    const peer = this.#peer;
    this.#isConnected = true;
    this.#heardAt = this.#scheduler.now();
    deriveKey(this.#keys, 0, this.#own, peer);
    deriveKey(this.#keys, 2, peer, this.#own);
    // The peer may still wait for it.
    this.#sendHello(HELLO, peer[0]!, peer[1]!);
    this.#pump();
    this.opened();
  }

  // Packets

  /** Sends the packet whose content is written, up to `end`. */
  #sendPacket(kind: number, end: number): void {
    const packet = this.#packet;
    packet[0] = kind;
    writeWord(packet, 1, this.#nextPacket);
    this.#nextPacket = (this.#nextPacket + 1) >>> 0;
    writeWord(packet, end, halfSipHash(this.#keys, 0, packet, 0, end));
    this.#give(end + CHECK);
  }

  #give(length: number): void {
    try {
      this.#transport.send((this.#packets[length] ??= this.#packet.subarray(0, length)));
    } catch {
      // As if it was lost.
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#isFinished) return;
    const kind = bytes[0];
    if (kind === HELLO || kind === BUSY) {
      this.#receiveHello(bytes);
      return;
    }
    const end = bytes.length - CHECK;
    const isFine =
      this.#isConnected &&
      end >= HEAD &&
      bytes.length <= MAX_PACKET &&
      halfSipHash(this.#keys, 2, bytes, 0, end) === readWord(bytes, end) &&
      this.#isNew(readWord(bytes, 1));
    if (!isFine) {
      this.rejected++;
      return;
    }
    this.#heardAt = this.#scheduler.now();
    // A peer with the key may still send nonsense.
    if (kind === LOOSE && end - HEAD <= MAX_MESSAGE) this.received(bytes.subarray(HEAD, end));
    else if (kind === ACK && end === HEAD + 8)
      this.#receiveAck(readWord(bytes, HEAD), readWord(bytes, HEAD + 4));
    else if ((kind === RELIABLE || kind === END) && end >= HEAD + NUMBER)
      this.#receiveReliable(kind, readWord(bytes, HEAD), bytes.subarray(HEAD + NUMBER, end));
    else this.rejected++;
  }

  /** Returns whether a packet arrives for the first time, and remembers it. */
  #isNew(number: number): boolean {
    const arrived = this.#arrived;
    const ahead = (number - this.#newest) | 0;
    if (ahead < -REPLAY_WINDOW) return false;
    if (ahead >= 0) {
      // Forget the packets whose bits are used again.
      const count = Math.min(ahead + 1, REPLAY_WINDOW);
      for (let i = 0; i < count; i++) {
        const at = (number - i) >>> 0;
        arrived[(at >>> 5) % arrived.length]! &= ~(1 << (at & 31));
      }
      this.#newest = (number + 1) >>> 0;
    }
    const word = (number >>> 5) % arrived.length;
    const bit = 1 << (number & 31);
    if (arrived[word]! & bit) return false;
    arrived[word]! |= bit;
    return true;
  }

  // Reliable messages that are sent

  #enqueue(kind: number, bytes: Uint8Array): void {
    const message = this.#unused.pop() ?? new Outgoing();
    message.kind = kind;
    message.bytes = this.#pool.copy(bytes);
    message.resends = 0;
    message.isAcknowledged = false;
    this.#queue.push(message);
    this.#pump();
  }

  /** Sends messages for the first time, as far as the window allows. */
  #pump(): void {
    if (!this.#isConnected) return;
    const now = this.#scheduler.now();
    const limit = Math.min(WINDOW, Math.floor(this.#window));
    while (this.#queueStart < this.#queue.length && (this.#next - this.#oldest) >>> 0 < limit) {
      const message = this.#queue[this.#queueStart++]!;
      message.number = this.#next;
      message.sentAt = now;
      this.#underWay[this.#next % WINDOW] = message;
      this.#next = (this.#next + 1) >>> 0;
      this.#sendReliable(message, now);
    }
    // Shifting for every message would be slow if many wait.
    if (this.#queueStart === this.#queue.length || this.#queueStart > 1024) {
      this.#queue.copyWithin(0, this.#queueStart);
      this.#queue.length -= this.#queueStart;
      this.#queueStart = 0;
    }
    this.#arm();
  }

  #sendReliable(message: Outgoing, now: number): void {
    const wait = this.#roundTrip + Math.max(MARGIN, 4 * this.#deviation);
    message.resendAt =
      now + Math.min(MAX_RESEND, Math.max(MIN_RESEND, wait) * 2 ** Math.min(message.resends, 2));
    message.resends++;
    writeWord(this.#packet, HEAD, message.number);
    this.#packet.set(message.bytes, HEAD + NUMBER);
    this.#sendPacket(message.kind, HEAD + NUMBER + message.bytes.length);
  }

  /** `next` is what the peer expects; the bits are the messages after it that it has. */
  #receiveAck(next: number, bits: number): void {
    const count = (this.#next - this.#oldest) >>> 0;
    const done = (next - this.#oldest) >>> 0;
    // It is old, or of messages that were never sent.
    if (done > count || count === 0) return;
    const now = this.#scheduler.now();
    const oldest = this.#oldest;
    if (this.#closeAt < Infinity) this.#closeAt = now + MAX_CLOSING;
    let later = 0;
    for (let i = count - 1; i >= 0; i--) {
      const message = this.#underWay[(oldest + i) % WINDOW]!;
      const bit = i - done - 1;
      if (i < done || (bit >= 0 && bit < 32 && (bits >>> bit) & 1)) {
        later++;
        if (!message.isAcknowledged) this.#acknowledge(message, now);
      } else if (later >= 3 && message.resends === 1 && !message.isAcknowledged) {
        // Three later ones have arrived, so it is lost.
        this.#shrink(now);
        this.#sendReliable(message, now);
      }
    }
    while (this.#oldest !== this.#next) {
      const message = this.#underWay[this.#oldest % WINDOW]!;
      if (!message.isAcknowledged) break;
      this.#underWay[this.#oldest % WINDOW] = undefined;
      this.#oldest = (this.#oldest + 1) >>> 0;
      this.#unused.push(message);
      if (message.kind === END) {
        this.#finish("closed");
        return;
      }
    }
    this.#pump();
  }

  /** Sends less after a loss, once per round trip. Not very much less, as wireless networks lose packets without being full. */
  #shrink(now: number): void {
    if (now - this.#shrunkAt < this.#roundTrip) return;
    this.#shrunkAt = now;
    this.#threshold = this.#window = Math.max(MIN_WINDOW, this.#window * 0.7);
  }

  #acknowledge(message: Outgoing, now: number): void {
    message.isAcknowledged = true;
    this.#waitingBytes -= message.bytes.length;
    this.#pool.give(message.bytes);
    message.bytes = NOTHING;
    const growth = this.#window < this.#threshold ? 1 : 1 / this.#window;
    this.#window = Math.min(WINDOW, this.#window + growth);
    // Which of several transmissions was acknowledged is unknown.
    if (message.resends > 1) return;
    const trip = now - message.sentAt;
    if (this.#hasRoundTrip) {
      this.#deviation += (Math.abs(trip - this.#roundTrip) - this.#deviation) / 4;
      this.#roundTrip += (trip - this.#roundTrip) / 8;
    } else {
      this.#hasRoundTrip = true;
      this.#roundTrip = trip;
      this.#deviation = trip / 2;
    }
  }

  // Reliable messages that are received

  #receiveReliable(kind: number, number: number, bytes: Uint8Array): void {
    const ahead = (number - this.#expected) >>> 0;
    if (ahead >= WINDOW || this.#early[number % WINDOW]) {
      // It was here already, and its acknowledgement was lost; or it is of no use.
      this.#sendAck();
      return;
    }
    if (ahead > 0) {
      this.#early[number % WINDOW] = this.#pool.copy(bytes);
      this.#earlyKinds[number % WINDOW] = kind;
      this.#sendAck();
      return;
    }
    this.#expected = (this.#expected + 1) >>> 0;
    // Before the message is handled, which may take long or throw.
    this.#sendAck();
    this.#handle(kind, bytes);
    for (;;) {
      const place = this.#expected % WINDOW;
      const early = this.#early[place];
      if (!early) return;
      this.#early[place] = undefined;
      this.#expected = (this.#expected + 1) >>> 0;
      this.#sendAck();
      try {
        this.#handle(this.#earlyKinds[place]!, early);
      } finally {
        this.#pool.give(early);
      }
    }
  }

  #handle(kind: number, bytes: Uint8Array): void {
    if (kind === RELIABLE) this.received(bytes);
    else if (this.state !== "closed") {
      // Stays for a while, as the acknowledgement may be lost.
      this.#closeAt = this.#scheduler.now() + MAX_CLOSING;
      this.#oldest = this.#next;
      this.#queue.length = this.#queueStart = 0;
      this.#arm();
      this.closed(new TextDecoder().decode(bytes.subarray(0, MAX_REASON)) || "closed by the peer");
    }
  }

  #sendAck(): void {
    let bits = 0;
    for (let i = 0; i < 32; i++) if (this.#early[(this.#expected + 1 + i) % WINDOW]) bits |= 1 << i;
    writeWord(this.#packet, HEAD, this.#expected);
    writeWord(this.#packet, HEAD + 4, bits);
    this.#sendPacket(ACK, HEAD + 8);
  }
}

function readWord(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

function writeWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Writes the key of one direction. */
function deriveKey(keys: Uint32Array, at: number, from: Uint32Array, to: Uint32Array): void {
  const bytes = new Uint8Array(9);
  writeWord(bytes, 0, to[0]!);
  writeWord(bytes, 4, to[1]!);
  for (let i = 0; i < 2; i++) {
    bytes[8] = i;
    keys[at + i] = halfSipHash(from, 0, bytes, 0, bytes.length);
  }
}
