import { LineQuality } from "./line-quality.js";
import type { Link } from "./link.js";
import { ADMIT_EVERY, MessageLimits } from "./message-limits.js";
import { Advantage } from "./pace.js";
import type { Transfers } from "./transfer.js";

/** What we know about the peer at the other end of a link. */
export class Peer {
  readonly link: Link;
  readonly quality: LineQuality;
  readonly advantage = new Advantage();
  transfers!: Transfers;
  /** 0 until its hello arrived and was accepted. */
  id = 0;
  name = "";
  /** It has the game's state, and can pass it on. */
  isInGame = false;
  /** It takes part in that game. */
  isMember = false;
  /** How many seats it asks for. */
  seatCount = 0;
  /** It asked for all inputs. Not a member. */
  isFollower = false;
  isClosed = false;
  /** How far it knows the streams, by index of the member. */
  acks: number[] = [];
  /** It wants these streams forwarded, by id. */
  wants: number[] = [];
  /** When it last asked for that. */
  wantedAt = -Infinity;
  /** What we asked it to forward, by id. */
  asked: number[] = [];
  /** When we last asked. */
  askedAt = -Infinity;
  /** The tick before which it has all inputs and the host's word. */
  have = 0;
  /** Whether it hears each member itself, by index; and whether it hears all of them. */
  hears: boolean[] = [];
  hearsAll = true;
  /** The epoch that it is in, as far as its packets tell. */
  epoch = 0;
  /** The newest end of its inputs that a packet had, to find the next one again from its lowest bits. */
  end = 0;
  hasEnd = false;
  /** Commands of ticks before this one were sent, by index of the member. */
  commandsSent: number[] = [];
  /** When copies of commands were sent, by index of the member. */
  commandsAt: number[] = [];
  heardAt = 0.5;
  /** The newest checkpoint whose hash we have sent. */
  hashSent = 0;
  /** It should get a hello soon. */
  isToGreet = false;
  /** When we last sent it a hello. */
  greetedAt = -Infinity;
  /** When we last asked it for a snapshot, or for all inputs. */
  followedAt = -Infinity;
  /** When we last sent it a snapshot. */
  snapshotAt = -Infinity;
  /** When we last sent it the roster. */
  toldAt = -Infinity;
  packetsSent = 0;
  bytesSent = 0;
  packetsReceived = 0;
  bytesReceived = 0;
  /** Packets that were dropped as malformed or impossible. */
  droppedPackets = 0;
  lastFault = "";
  /** Messages since the limits were checked. */
  #unadmitted = 0;
  readonly #limits = new MessageLimits();

  constructor(link: Link, tickMs: number) {
    this.link = link;
    this.quality = new LineQuality(tickMs);
  }

  send(bytes: Uint8Array, isReliable: boolean): void {
    this.packetsSent++;
    this.bytesSent += bytes.length;
    this.link.send(bytes, isReliable);
  }

  /** Counts a message. Returns false if the peer sends too many, besides those that were asked for. */
  admit(length: number, now: number, isExpected = false): boolean {
    this.packetsReceived++;
    this.bytesReceived += length;
    if (isExpected || ++this.#unadmitted < ADMIT_EVERY) return true;
    this.#unadmitted = 0;
    return this.#limits.admit(ADMIT_EVERY, now);
  }

  /** Notes a message that no honest peer sends. Returns true if there were too many. */
  fault(reason: string, now: number): boolean {
    this.droppedPackets++;
    this.lastFault = reason;
    return this.#limits.fault(now);
  }
}
