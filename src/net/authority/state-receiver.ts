import type { AnyEffect } from "../../sim/effects.js";
import type { AnySimulation } from "../../sim/index.js";
import { BitReader } from "../bits.js";
import { MAX_MESSAGE } from "../link.js";
import { FragmentReader } from "../snapshot/fragments.js";
import type { SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { WireImage } from "../snapshot/wire-image.js";
import { EffectCodec, MAX_EFFECT_BYTES } from "./effect-codec.js";
import { ImageRing } from "./image-ring.js";
import { EFFECT_LIST, NO_EFFECTS, StateHead } from "./state-packet.js";
import { ServerHead } from "./tick-packet.js";

/** The longest state that is accepted in parts. */
const MAX_PARTS_BYTES = 2 ** 18;

/** Takes the states that a server sends: puts parts together, decodes them, and keeps them as baselines for later ones. */
export class StateReceiver {
  readonly #codec: SnapshotCodec;
  readonly #images: ImageRing;
  readonly #parts: FragmentReader;
  readonly #reader = new BitReader();
  readonly #stateHead = new StateHead();
  readonly #effectCodec: EffectCodec;
  readonly #effects: AnyEffect[] = [];
  /** Which seats were absent in the newest state: one per seat. */
  readonly absent: Uint8Array;
  /** The server's head of the packet that was received last. */
  readonly head = new ServerHead();
  /** The newest state; undefined until one has arrived. */
  newest: WireImage | undefined;
  /** States that came twice or late, and those whose baseline is not here. */
  lateStates = 0;
  uselessStates = 0;
  #expected = 0;
  /** Called with the effects that led to a new state, before the state itself is taken. From tick `first` on, they are all. */
  onEffects: ((first: number, tick: number, effects: readonly AnyEffect[]) => void) | undefined;

  constructor(codec: SnapshotCodec, { players, effects }: AnySimulation) {
    this.#codec = codec;
    this.#images = new ImageRing(codec);
    this.#effectCodec = new EffectCodec(effects);
    const maxBytes = 128 + Math.ceil(players / 8) + MAX_EFFECT_BYTES + codec.maxBytes;
    this.#parts = new FragmentReader(MAX_MESSAGE - 1, Math.min(MAX_PARTS_BYTES, maxBytes));
    this.absent = new Uint8Array(players);
  }

  /** The tick to acknowledge: that of the newest state; 0 if there is none. */
  get ack(): number {
    return this.newest?.tick ?? 0;
  }

  /** Forgets all states. The next one is of about this tick. */
  reset(tick: number): void {
    this.#images.clear();
    this.newest = undefined;
    this.#expected = tick;
  }

  /** Takes a part of a state. Returns what is wrong with it, or undefined. `take` gets a state that is newer than all before. */
  onPart(part: Uint8Array, take: (image: WireImage) => void): string | undefined {
    const packet = this.#parts.read(part);
    return packet && this.onPacket(packet, take);
  }

  /** Takes a packet with a whole state in it. The `head` is set, whatever becomes of the state. */
  onPacket(bytes: Uint8Array, take: (image: WireImage) => void): string | undefined {
    const reader = this.#reader;
    const { head } = this;
    reader.start(bytes);
    if (!head.read(reader, this.#expected) || !head.hasState) return "a malformed state";
    const { tick } = head;
    const { absent } = this;
    if (tick <= this.ack) {
      this.lateStates++;
      return undefined;
    }
    if (!this.#stateHead.read(reader, tick, absent)) return "a malformed state";
    const { baseline, older, effects: form } = this.#stateHead;
    const near = this.#images.find(baseline);
    const far = this.#images.find(older);
    if ((baseline > 0 && !near) || (older > 0 && !far)) {
      this.uselessStates++;
      return undefined;
    }
    const effects = this.#effects;
    effects.length = 0;
    let start = (reader.position + 7) >> 3;
    if (form === EFFECT_LIST) start = this.#effectCodec.read(bytes, start, tick, effects);
    if (start < 0) return "malformed effects";
    const effectsFrom =
      form === EFFECT_LIST ? this.#effectCodec.first : form === NO_EFFECTS ? baseline : tick;
    const image = this.#images.next(near, far);
    if (!this.#codec.decode(bytes.subarray(start), tick, near, far, image)) {
      image.tick = 0;
      return "a damaged state";
    }
    this.#expected = tick;
    this.newest = image;
    this.onEffects?.(effectsFrom, tick, effects);
    take(image);
    return undefined;
  }
}
