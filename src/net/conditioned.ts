import { alarmsOf, realScheduler, type Alarm, type Scheduler } from "../platform/index.js";
import { badValue, requireNumber, requireOptions, requireType } from "../errors/index.js";
import { random, type Random } from "../math/index.js";
import { DueHeap, type Due } from "./due-heap.js";
import { LinkEnd, MAX_WAITING } from "./link-end.js";
import type { Link } from "./link.js";
import { MessagePool } from "./message-pool.js";

/** What a network does to the messages of one direction. The default of everything is a perfect network. */
export interface Conditions {
  /** One-way delay in milliseconds. Default: 0. */
  latency?: number | undefined;
  /**
   * The delay varies by up to this many milliseconds up and down, evenly. Messages keep their order: one that would overtake
   * waits for the one before it, so the mean delay rises where the jitter is longer than the time between messages. Default: 0.
   */
  jitter?: number | undefined;
  /** The share of messages that are lost. 1 cuts the direction. Default: 0. */
  loss?: number | undefined;
  /**
   * The mean number of messages that are lost in a row (Gilbert–Elliott). It does not change how many are lost. Default: 1,
   * which stands for independent losses.
   */
  burst?: number | undefined;
  /** The share of messages that are delayed by 20 to 50 ms more (plus the jitter), so that later ones pass. Default: 0. */
  reorder?: number | undefined;
  /** The share of messages that arrive twice. Default: 0. */
  duplicate?: number | undefined;
  /**
   * How many bytes of messages the line carries per second. What it cannot carry waits for up to 250 ms; more is dropped.
   * Default: no limit.
   */
  bytesPerSecond?: number | undefined;
  /**
   * How much faster the sender's clock runs, as a share. A link has no clock of its own, so it ignores this: the simulated
   * network gives its peers such clocks, and `skewedScheduler` creates one. Default: 0.
   */
  skew?: number | undefined;
}

/** Options of `conditioned`. */
export interface ConditionedOptions extends Conditions {
  /** The fate of every message is drawn from it. Default: 1. */
  seed?: number | string | undefined;
  /** The clock and the timers. Default: `realScheduler`. */
  scheduler?: Scheduler | undefined;
}

/** A link with a bad network in one direction. */
export interface ConditionedLink extends Link {
  /** The conditions as they are now. */
  readonly conditions: Readonly<Required<{ [C in keyof Conditions]: number }>>;
  /** What happened to the messages that were sent so far. */
  readonly fates: Readonly<MessageFates>;
  /** Changes some of the conditions. Messages under way keep their fate. */
  configure(changes: Conditions): void;
}

/** What happened to the messages of a conditioned link. */
export interface MessageFates {
  /** Messages that were sent. */
  sent: number;
  /** Unreliable messages that were lost. */
  lost: number;
  /** Unreliable messages that were dropped because the line was full. */
  dropped: number;
  /** Unreliable messages that were delayed so that later ones pass. */
  reordered: number;
  /** Unreliable messages that were sent twice. */
  duplicated: number;
  /** Transmissions of reliable messages that were lost and repeated. */
  resent: number;
}

/**
 * Degrades what is sent through a link, as a bad network would. Condition both ends for both directions.
 *
 * Reliable messages are never lost and stay in order. Each lost transmission delays them by a round trip and 20 ms. While
 * `loss` is 1, they wait. A close travels to the peer like a reliable message.
 */
export function conditioned(link: Link, options: ConditionedOptions = {}): ConditionedLink {
  requireType("conditioned: link", link, "object", "loopbackPair()[0]");
  requireOptions("conditioned", options, OPTIONS, "{ latency: 50, loss: 0.05 }");
  return new Conditioned(link, options);
}

type Figures = Required<{ [C in keyof Conditions]: number }>;

const DEFAULTS: Figures = {
  latency: 0,
  jitter: 0,
  loss: 0,
  burst: 1,
  reorder: 0,
  duplicate: 0,
  bytesPerSecond: Infinity,
  skew: 0,
};

/** The smallest and the largest value of each condition. */
const LIMITS: Record<keyof Conditions, readonly [number, number]> = {
  latency: [0, 60_000],
  jitter: [0, 60_000],
  loss: [0, 1],
  burst: [1, 1e6],
  reorder: [0, 1],
  duplicate: [0, 1],
  bytesPerSecond: [1, Infinity],
  skew: [-0.5, 1],
};

const CONDITIONS = Object.keys(DEFAULTS) as (keyof Conditions)[];
const OPTIONS = [...CONDITIONS, "seed", "scheduler"];

/** How long messages wait for a full line, in milliseconds. Reliable ones leave half of it to the others. */
const MAX_WAIT = 250;
/** A reliable message is sent again this many milliseconds after its acknowledgement could have arrived. */
const RESEND_MARGIN = 20;

/**
 * What is to happen to a packet when it is due: an unreliable message arrives ("loose"), a reliable one is sent again
 * ("resend") or arrives ("underWay"). Others are not in the heap: not sent yet ("unsent"), waiting until the link is no longer
 * cut ("parked"), or waiting for the messages before them ("arrived").
 */
type Stage = "loose" | "unsent" | "resend" | "parked" | "underWay" | "arrived";

class Packet implements Due {
  due = 0.5;
  order = 0;
  place = -1;
  stage: Stage = "loose";
  bytes: Uint8Array = NOTHING;
  /** The next reliable message, or the next unused packet. */
  next: Packet | undefined = undefined;
}

const NOTHING = new Uint8Array(0);

class Conditioned extends LinkEnd implements ConditionedLink {
  readonly #link: Link;
  readonly #scheduler: Scheduler;
  readonly #alarm: Alarm;
  readonly #random: Random;
  #conditions: Figures = DEFAULTS;
  readonly fates: MessageFates = { sent: 0, lost: 0, dropped: 0, reordered: 0, duplicated: 0, resent: 0 };

  /** Whether the last message was lost (Gilbert–Elliott), and the chances that this changes. */
  #isBad = false;
  #toBad = 0.5;
  #toGood = 0.5;
  /** When the line has sent all it holds, and when the last message arrives that others must not overtake. */
  #lineFree = 0.5;
  #lastArrival = 0.5;

  readonly #heap = new DueHeap<Packet>();
  readonly #pool = new MessagePool();
  #unused: Packet | undefined = undefined;
  #armedFor = Infinity;
  /** Reliable messages that did not arrive yet, in order, and the first of them that was not sent yet. */
  #first: Packet | undefined = undefined;
  #last: Packet | undefined = undefined;
  #unsent: Packet | undefined = undefined;
  #waitingBytes = 0;
  /** In the heap while unsent messages wait for the line. */
  readonly #lineTurn = new Packet();
  /** Stands for the end of the link among the reliable messages. */
  #ending: Packet | undefined = undefined;
  #endReason = "";

  constructor(link: Link, options: ConditionedOptions) {
    super(link.state);
    const { seed = 1, scheduler = realScheduler, ...conditions } = options;
    if (typeof seed !== "string" && !Number.isSafeInteger(seed))
      badValue("conditioned: seed", "a whole number below 2^53, or a string", seed, 1);
    requireType("conditioned: scheduler", scheduler, "object", "virtualScheduler()");
    this.#link = link;
    this.#scheduler = scheduler;
    this.#random = random(new Uint32Array(4)).seed(seed);
    this.#alarm = alarmsOf(scheduler)(() => this.#ring());
    this.#change("conditioned", conditions);
    this.#lineFree = this.#lastArrival = scheduler.now();
    this.#isBad = this.#draw() < this.#conditions.loss;
    link.on("message", (bytes) => this.received(bytes));
    link.on("open", () => this.opened());
    link.on("close", (reason) => {
      this.#clear();
      this.closed(reason);
    });
  }

  get isBare(): boolean | undefined {
    return this.#link.isBare;
  }

  get conditions(): Figures {
    return this.#conditions;
  }

  configure(changes: Conditions): void {
    requireOptions("ConditionedLink.configure", changes, CONDITIONS, "{ latency: 50 }");
    this.#change("ConditionedLink.configure", changes);
    if (this.#conditions.loss < 1) {
      for (let packet = this.#first; packet; packet = packet.next)
        if (packet.stage === "parked") this.#resendLater(packet);
    }
    this.#pump();
    this.#arm();
  }

  #change(call: string, changes: Conditions): void {
    const figures = { ...this.#conditions };
    for (const name of CONDITIONS) {
      const value = changes[name];
      if (value === undefined) continue;
      requireNumber(`${call}: ${name}`, value, ...LIMITS[name], DEFAULTS[name]);
      figures[name] = value;
    }
    this.#conditions = figures;
    const { loss, burst } = figures;
    // Independent losses already come in bursts of 1 / (1 − loss). Shorter ones would need another model.
    this.#toGood = Math.min(1 / burst, 1 - loss);
    this.#toBad = loss < 1 ? (loss * this.#toGood) / (1 - loss) : 1;
    if (loss === 0) this.#isBad = false;
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    this.fates.sent++;
    if (reliable) {
      this.#waitingBytes += bytes.length;
      if (this.#waitingBytes > MAX_WAITING) {
        this.#link.close("too many reliable messages are waiting");
        return;
      }
      this.#append(bytes);
      this.#pump();
    } else this.#sendLoose(bytes);
    this.#arm();
  }

  protected shut(reason: string): void {
    this.#endReason = reason;
    this.#ending = this.#append(NOTHING);
    this.#pump();
    this.#arm();
  }

  #sendLoose(bytes: Uint8Array): void {
    const { jitter, reorder, duplicate } = this.#conditions;
    // Always the same number of draws, so that one condition does not change what the others do.
    const isLost = this.#isLost();
    const delay = this.#delay();
    const isReordered = this.#draw() < reorder;
    const isDuplicate = this.#draw() < duplicate;
    const extra = this.#draw();
    if (this.#link.state === "connecting") return;
    const now = this.#scheduler.now();
    if (this.#lineFree - now > MAX_WAIT) {
      this.fates.dropped++;
      return;
    }
    const sent = this.#occupyLine(now, bytes.length);
    if (isLost) {
      this.fates.lost++;
      return;
    }
    let arrival = sent + delay;
    if (isReordered) {
      this.fates.reordered++;
      arrival += 20 + extra * (30 + jitter);
    } else this.#lastArrival = arrival = Math.max(arrival, this.#lastArrival);
    this.#enterLoose(bytes, arrival);
    if (!isDuplicate) return;
    this.fates.duplicated++;
    this.#enterLoose(bytes, arrival + extra * (10 + jitter));
  }

  #enterLoose(bytes: Uint8Array, arrival: number): void {
    const packet = this.#newPacket(bytes);
    packet.stage = "loose";
    this.#heap.set(packet, arrival);
  }

  #append(bytes: Uint8Array): Packet {
    const packet = this.#newPacket(bytes);
    packet.stage = "unsent";
    if (this.#last) this.#last.next = packet;
    else this.#first = packet;
    this.#last = packet;
    this.#unsent ??= packet;
    return packet;
  }

  /** Sends reliable messages for the first time, as far as the line carries them. */
  #pump(): void {
    const now = this.#scheduler.now();
    for (; this.#unsent; this.#unsent = this.#unsent.next) {
      const wait = this.#lineFree - now - MAX_WAIT / 2;
      if (wait > 0) {
        this.#heap.set(this.#lineTurn, now + wait);
        return;
      }
      this.#sendReliable(this.#unsent, now, this.#isLost());
    }
  }

  #sendReliable(packet: Packet, now: number, isLost: boolean): void {
    const delay = this.#delay();
    if (this.#conditions.loss === 1) {
      packet.stage = "parked";
      return;
    }
    const sent = this.#occupyLine(now, packet.bytes.length);
    if (isLost) {
      this.fates.resent++;
      this.#resendLater(packet);
    } else {
      packet.stage = "underWay";
      this.#heap.set(packet, sent + delay);
    }
  }

  #resendLater(packet: Packet): void {
    const { latency, jitter } = this.#conditions;
    packet.stage = "resend";
    this.#heap.set(packet, this.#scheduler.now() + 2 * (latency + jitter) + RESEND_MARGIN);
  }

  /** Returns when the line has sent a message. */
  #occupyLine(now: number, length: number): number {
    this.#lineFree = Math.max(this.#lineFree, now) + (1000 * length) / this.#conditions.bytesPerSecond;
    return this.#lineFree;
  }

  #draw(): number {
    return this.#random.u32() / 4294967296;
  }

  #isLost(): boolean {
    const draw = this.#draw();
    this.#isBad = this.#isBad ? draw >= this.#toGood : draw < this.#toBad;
    return this.#isBad;
  }

  #delay(): number {
    const { latency, jitter } = this.#conditions;
    return Math.max(0, latency + jitter * (2 * this.#draw() - 1));
  }

  #arm(): void {
    const first = this.#heap.first;
    if (!first || first.due >= this.#armedFor) return;
    this.#armedFor = first.due;
    this.#alarm.set(Math.max(0, first.due - this.#scheduler.now()));
  }

  #ring(): void {
    this.#armedFor = Infinity;
    const now = this.#scheduler.now();
    try {
      for (let packet = this.#heap.first; packet && packet.due <= now; packet = this.#heap.first) {
        this.#heap.remove(packet);
        this.#happen(packet, now);
      }
    } finally {
      this.#arm();
    }
  }

  #happen(packet: Packet, now: number): void {
    if (packet === this.#lineTurn) this.#pump();
    else if (packet.stage === "loose") this.#deliver(packet, false);
    else if (packet.stage === "resend") {
      // The burst is over by now, so the loss is independent.
      this.#sendReliable(packet, now, this.#draw() < this.#conditions.loss);
    } else {
      packet.stage = "arrived";
      for (let first = this.#first; first?.stage === "arrived"; first = this.#first) {
        this.#first = first.next;
        if (!this.#first) this.#last = undefined;
        this.#waitingBytes -= first.bytes.length;
        if (first === this.#ending) this.#link.close(this.#endReason);
        else this.#deliver(first, true);
      }
    }
  }

  #deliver(packet: Packet, reliable: boolean): void {
    const { bytes } = packet;
    packet.bytes = NOTHING;
    packet.next = this.#unused;
    this.#unused = packet;
    try {
      this.#link.send(bytes, reliable);
    } finally {
      this.#pool.give(bytes);
    }
  }

  #newPacket(bytes: Uint8Array): Packet {
    const packet = this.#unused ?? new Packet();
    this.#unused = packet.next;
    packet.next = undefined;
    packet.bytes = this.#pool.copy(bytes);
    return packet;
  }

  /** Forgets all messages under way. */
  #clear(): void {
    for (let packet = this.#heap.first; packet; packet = this.#heap.first) this.#heap.remove(packet);
    this.#first = this.#last = this.#unsent = undefined;
    this.#alarm.end();
    this.#armedFor = Infinity;
  }
}
