import { badValue } from "../errors/index.js";
import type { AnySimulation } from "../sim/index.js";
import type { Fields, State, World } from "../state/index.js";
import type { SharedMemory } from "../state/memory.js";
import { HEAD_BYTES, STATE_MARK } from "./publisher.js";
import {
  HEAD_DOUBLES,
  HEAD_FLAGS,
  HEAD_FROM,
  HEAD_JUMPS,
  HEAD_MOMENT,
  HEAD_READY,
  HEAD_SPAN,
  HEAD_START,
  HEAD_TICK,
  IS_REWINDING,
} from "./state-head.js";
import { MIN_SLOTS, ringBytes, RingReader, RingWriter } from "./state-ring.js";

/** How states get from the worker to the page: see `WorkerSession.memory`. */
export type MemoryMode = "shared" | "transferred";

/** Seconds of states that the ring holds, besides those that are claimed, and how many at most. */
const SECONDS = 0.2;
const MAX_SLOTS = 64;

/** The states that the page has: it blends the two around a moment. The same in both modes: only who writes the ring differs. */
export class PageStates<S extends Fields = Fields> {
  readonly ring: RingReader;
  readonly state: State<S>;
  /** What the worker gets, if memory is shared. */
  readonly shared:
    | { readonly memory: SharedMemory; readonly control: SharedArrayBuffer; readonly slots: number }
    | undefined;
  /** Where the picture is, in ticks, and after how many jumps. In an array, as fields would allocate each new number. */
  readonly #position = new Float64Array([0, -1]);
  readonly #writer: RingWriter;
  readonly #view: number;
  readonly #dt: number;

  /** @internal */
  constructor(
    { layout, rate }: AnySimulation<S>,
    mode: MemoryMode,
    kernels: "auto" | "wasm" | "js" | undefined,
  ) {
    const slots = Math.min(MAX_SLOTS, MIN_SLOTS + Math.ceil((SECONDS * rate[0]) / rate[1]));
    this.#view = slots;
    this.#dt = rate[1] / rate[0];
    if (mode === "shared") {
      const memory = layout.share(slots + 1, 1, kernels);
      const control = new SharedArrayBuffer(ringBytes(slots));
      this.shared = { memory, control, slots };
      this.state = layout.attach(slots + 1, { memory, thread: 0 });
    } else {
      this.shared = undefined;
      this.state = layout.allocate(slots + 1, { kernels });
    }
    const control = this.shared?.control ?? new ArrayBuffer(ringBytes(slots));
    this.#writer = new RingWriter(control, slots);
    this.#writer.reset();
    this.ring = new RingReader(control, slots);
  }

  /** Whether a state has arrived. */
  get hasState(): boolean {
    return this.ring.newest >= 0;
  }

  /** Where the last picture was, in ticks. */
  get position(): number {
    return this.#position[0]!;
  }

  /** Whether a message is a state of a start. */
  isState(message: unknown, start: number): message is ArrayBuffer {
    if (!(message instanceof ArrayBuffer) || message.byteLength !== HEAD_BYTES + this.state.layout.size)
      return false;
    const head = new Float64Array(message, 0, HEAD_DOUBLES);
    return head[0] === STATE_MARK && head[HEAD_START] === start;
  }

  /** Takes a state that has arrived in a buffer, `now` on the worker's clock. */
  take(buffer: ArrayBuffer, now: number): void {
    const head = new Float64Array(buffer, 0, HEAD_DOUBLES);
    head[HEAD_READY] = now;
    const { size } = this.state.layout;
    const slot = this.#writer.begin();
    this.state.arrays.u8.set(new Uint8Array(buffer, HEAD_BYTES), (slot + 1) * size);
    this.#writer.publish(head);
  }

  /** The world of the newest state that was claimed. */
  get world(): World<S> {
    const { newest } = this.ring;
    return newest < 0 ? this.state.world : this.state.at(newest);
  }

  /** The picture that was blended last. */
  get picture(): World<S> {
    return this.state.at(this.#view);
  }

  /** Blends the picture of the moment `at[0]`. Returns false if there is no state after it, so that the newest one is held. */
  draw(at: Float64Array): boolean {
    const { ring, state } = this;
    ring.claim(at);
    const { previous, current } = ring;
    if (current < 0) return true;
    ring.copyTimeline(state, previous);
    ring.copyTimeline(state, current);
    const { heads } = ring;
    const before = HEAD_DOUBLES * previous;
    const after = HEAD_DOUBLES * current;
    const moment = at[0]!;
    const end = heads[after + HEAD_MOMENT]!;
    const from = heads[before + HEAD_TICK]!;
    const to = heads[after + HEAD_TICK]!;
    let alpha = 1;
    if (previous !== current) {
      const begun = heads[after + HEAD_FROM]!;
      const span = heads[after + HEAD_SPAN]!;
      // If the state before was shown late, the picture is faster.
      const length = begun === 0 ? Math.min(span, end - heads[before + HEAD_MOMENT]!) : span;
      const part = end < Infinity ? Math.max(0, 1 - (end - moment) / length) : 0;
      alpha = Math.max(0, Math.min(1, begun + (1 - begun) * part));
    }
    const position = from + (to - from) * alpha;
    const jumps = heads[after + HEAD_JUMPS]!;
    const isRewinding = (heads[after + HEAD_FLAGS]! & IS_REWINDING) !== 0;
    // The game became slower, or stopped, earlier than what was shown already: the picture waits until the game gets there.
    if (position < this.#position[0]! && jumps === this.#position[1] && !isRewinding) return moment <= end;
    this.#position[0] = position;
    this.#position[1] = jumps;
    // A rewind: the later state first, so that curves keep their direction.
    const isBack = to < from;
    const { factors } = state;
    factors[0] = isBack ? 1 - alpha : to === from ? 1 : alpha;
    factors[1] = Math.abs(to - from) * this.#dt;
    state.blendByFactors(this.#view, isBack ? current : previous, isBack ? previous : current);
    return moment <= end;
  }
}

/** Says how states can get from a worker to this page, and why. */
export function memoryModeOf(
  call: string,
  wanted: MemoryMode | "auto" | undefined,
): { readonly mode: MemoryMode; readonly reason: string } {
  if (wanted === "transferred") return { mode: "transferred", reason: 'the option memory is "transferred"' };
  // Only pages have it.
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === "function" && crossOriginIsolated !== false)
    return {
      mode: "shared",
      reason: crossOriginIsolated ? "the page is cross-origin isolated" : "all threads of Node share memory",
    };
  const reason = crossOriginIsolated
    ? "this browser has no SharedArrayBuffer"
    : "the page is not cross-origin isolated";
  if (wanted === "shared")
    badValue(
      `${call}: memory`,
      `"auto" or "transferred", as ${reason}`,
      wanted,
      'sending the headers "Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp"',
    );
  return { mode: "transferred", reason };
}
