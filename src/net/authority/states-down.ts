import { BitWriter } from "../bits.js";
import { MAX_MESSAGE } from "../link.js";
import { SNAPSHOT } from "../messages.js";
import { LIVE } from "../../state/index.js";
import { FragmentWriter } from "../snapshot/fragments.js";
import type { SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { WireImage } from "../snapshot/wire-image.js";
import { MAX_EFFECT_BYTES } from "./effect-codec.js";
import type { EffectsDown } from "./effects-down.js";
import { VisibleState, type ViewRules } from "./visible-state.js";
import { ImageRing } from "./image-ring.js";
import { STATE_PART } from "./messages.js";
import type { ServerClient } from "./server-client.js";
import type { Downstream, ServerCore } from "./server-core.js";
import { StateHead } from "./state-packet.js";
import { ServerHead } from "./tick-packet.js";

/** Milliseconds between two whole states for one client that do not fit into a packet. */
const WHOLE_EVERY = 1000;
/** Room for the head of a packet. Besides, each seat takes a bit. */
const HEAD_BYTES = 128;

/** An encoded state, for all clients with the same baselines. */
interface Encoded {
  baseline: number;
  older: number;
  length: number;
  bytes: Uint8Array;
}

// A packet and its heads. All sessions share them, so that they stay in the processor's cache.
const serverHead = new ServerHead();
const stateHead = new StateHead();
let sharedPacket = new Uint8Array(0);
/** The first bytes of the packet, by their number. */
let views: Uint8Array[] = [];

function packetOf(bytes: number): Uint8Array {
  if (sharedPacket.length < bytes) {
    sharedPacket = new Uint8Array(bytes);
    views = [];
  }
  return sharedPacket;
}

/** Sends states, as differences from what the client has acknowledged. Clients with the same baselines get the same bytes. */
export class StatesDown implements Downstream {
  readonly #core: ServerCore;
  readonly #codec: SnapshotCodec;
  readonly #effects: EffectsDown;
  readonly #rules: ViewRules | undefined;
  readonly #images: ImageRing;
  readonly #headBytes: number;
  readonly #writer: BitWriter;
  readonly #encoded: Encoded[] = [];
  #encodedCount = 0;
  readonly #packetBytes: number;
  readonly #part = new Uint8Array(MAX_MESSAGE);
  #partTo: ServerClient | undefined;
  readonly #fragments: FragmentWriter;
  #current: WireImage | undefined;

  /** `rules`: what each client may see; if undefined, all see everything. */
  constructor(core: ServerCore, codec: SnapshotCodec, effects: EffectsDown, rules?: ViewRules) {
    this.#core = core;
    this.#codec = codec;
    this.#effects = effects;
    this.#rules = rules;
    this.#images = new ImageRing(codec);
    this.#headBytes = HEAD_BYTES + Math.ceil(core.simulation.players / 8);
    this.#writer = new BitWriter(this.#headBytes);
    this.#packetBytes = this.#headBytes + MAX_EFFECT_BYTES + codec.maxBytes;
    this.#fragments = new FragmentWriter(MAX_MESSAGE - 1, (fragment) => this.#sendPart(fragment));
  }

  begin(client: ServerClient): void {
    client.ack = client.olderAck = 0;
    client.snapshotAt = -Infinity;
    if (this.#rules) client.view = new VisibleState(this.#codec, this.#rules);
  }

  get isDue(): boolean {
    const { tick, settings } = this.#core;
    // The state of a paused game, or before the first step, is that of a later tick soon.
    return tick > 0 && tick % settings.stateEvery === 0;
  }

  send(client: ServerClient, now: number): void {
    const current = this.#imageOf(this.#core.tick);
    if (client.view) this.#sendOwn(client, client.view, current, now);
    else {
      const { ack, olderAck } = client;
      const baseline = this.#images.find(ack);
      const older = baseline && this.#images.find(olderAck);
      const { bytes, length } = this.#encode(current, baseline, older);
      this.#transmit(client, bytes, length, baseline?.tick ?? 0, older?.tick ?? 0, now);
    }
  }

  /** Returns the image of the current state. It is made once. */
  #imageOf(tick: number): WireImage {
    if (this.#current?.tick === tick) return this.#current;
    const image = this.#images.next();
    this.#codec.read(this.#core.run.state, LIVE, image);
    this.#encodedCount = 0;
    return (this.#current = image);
  }

  #encode(target: WireImage, baseline: WireImage | undefined, older: WireImage | undefined): Encoded {
    const [near, far] = [baseline?.tick ?? 0, older?.tick ?? 0];
    for (let i = 0; i < this.#encodedCount; i++) {
      const entry = this.#encoded[i]!;
      if (entry.baseline === near && entry.older === far) return entry;
    }
    const entry = (this.#encoded[this.#encodedCount++] ??= {
      baseline: 0,
      older: 0,
      length: 0,
      bytes: new Uint8Array(this.#codec.maxBytes),
    });
    entry.baseline = near;
    entry.older = far;
    entry.length = this.#codec.encode(target, baseline, older, entry.bytes);
    return entry;
  }

  /** Sends a state of which the client may not see everything. */
  #sendOwn(client: ServerClient, view: VisibleState, current: WireImage, now: number): void {
    const { run, settings } = this.#core;
    const encoded = view.encode(current, run.world, client, settings.stateBytes);
    this.#transmit(client, view.bytes, encoded, view.baseline, view.older, now);
  }

  #transmit(
    client: ServerClient,
    bytes: Uint8Array,
    length: number,
    baseline: number,
    older: number,
    now: number,
  ): void {
    const { run, tick } = this.#core;
    const head = serverHead;
    head.hasState = true;
    head.tick = tick;
    head.inputEnd = client.buffer?.end ?? tick;
    head.reportCount = 0;
    const isWhole = baseline === 0 && length > MAX_MESSAGE - this.#headBytes;
    // A whole state takes many packets, of which some are lost: it is sent reliably.
    if (isWhole && now - client.snapshotAt < WHOLE_EVERY) return;
    client.buffer?.takeReports(head);
    const writer = this.#writer;
    writer.reset();
    head.write(writer);
    stateHead.baseline = baseline;
    stateHead.older = older;
    const effectBytes = this.#effects.write(client, stateHead);
    stateHead.write(writer, tick, run.absent);
    const start = writer.bytes();
    const packet = packetOf(this.#packetBytes);
    packet.set(start);
    let total = start.length;
    for (let i = 0; i < effectBytes; i++) packet[total++] = this.#effects.bytes[i]!;
    for (let i = 0; i < length; i++) packet[total++] = bytes[i]!;
    client.quality.onSent(tick, now);
    if (isWhole) {
      client.snapshotAt = now;
      client.connection.sendLong(SNAPSHOT, packet.slice(0, total));
    } else if (total <= MAX_MESSAGE)
      client.connection.send((views[total] ??= packet.subarray(0, total)), false);
    else {
      this.#partTo = client;
      this.#fragments.write(packet, total);
    }
  }

  #sendPart(fragment: Uint8Array): void {
    const part = this.#part;
    part[0] = STATE_PART;
    part.set(fragment, 1);
    this.#partTo!.connection.send(part.subarray(0, fragment.length + 1), false);
  }
}
