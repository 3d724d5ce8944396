// A local session next to a model that keeps the bytes of every state, and next to its recording.
import { assert } from "vitest";
import { readReplay, record, verify, type RecordOptions } from "../../src/replay/index.js";
import {
  int,
  localSession,
  simulation,
  type HistoryOptions,
  type LocalOptions,
} from "../../src/sim/index.js";
import { f64, hashText, layout, u32 } from "../../src/state/index.js";
import { effectText } from "./tug.js";

/** The input that makes a step throw. */
export const FAILS = 15;

const game = (rate: number | [number, number]) =>
  simulation({
    name: "model",
    version: 1,
    rate,
    state: layout({ x: f64.lerp, mix: u32 }),
    input: { value: int(0, FAILS) },
    effects: { ping: { mix: u32 } },
    external: { box },
    step(world, [{ value }], { random, emit, external }) {
      external.box.add(value);
      world.mix = (Math.imul(world.mix ^ value, 0x9e3779b1) + random.u32() + external.box.count) >>> 0;
      world.x += (world.mix & 255) + 1;
      if (world.mix & 1) emit("ping", { mix: world.mix });
      if (value === FAILS) throw new Error("failed");
    },
  });

function box() {
  const words = new Uint32Array(1);
  return {
    add: (value: number) => void (words[0] = Math.imul(words[0]!, 31) + value),
    get count() {
      return words[0]!;
    },
    save: () => new Uint8Array(words.slice().buffer),
    load: (bytes: Uint8Array) => void words.set(new Uint32Array(bytes.slice().buffer)),
    hash: () => [words[0]!, 0] as const,
  };
}

export interface Setting {
  readonly rate: number | [number, number];
  readonly present: NonNullable<LocalOptions<never>["present"]>;
  readonly history: HistoryOptions;
  readonly recording: RecordOptions;
}

interface State {
  readonly bytes: Uint8Array;
  readonly x: number;
}

/** A session, and what must be true of it. */
export class SessionModel {
  readonly #setting: Setting;
  readonly #game;
  readonly #session;
  /** Takes each step a second time, from the bytes of the state before. */
  readonly #straight;
  readonly #recorder;
  readonly #pieces: Uint8Array[] = [];
  readonly #states: State[] = [];
  #saved: { readonly tick: number; readonly state: State };
  #value = 0;
  #tick = 0;
  #last = 0;
  /** The state before the last step, or the same one if no step led to it. */
  #previous = 0;
  #emitted: string[] = [];
  #waiting: { readonly tick: number; readonly text: string }[] = [];
  readonly #expected: string[] = [];
  readonly #heard: string[] = [];

  constructor(setting: Setting) {
    const { rate, present, history, recording } = (this.#setting = setting);
    const inputs: LocalOptions<{ value: ReturnType<typeof int> }, 1>["inputs"] = ([player]) => {
      player.value = this.#value;
    };
    this.#game = game(rate);
    this.#session = localSession(this.#game, { inputs, present, history });
    this.#straight = localSession(this.#game, { inputs, present: "none" });
    this.#session.on("effect", (effect) => this.#heard.push(effectText(effect)));
    this.#straight.on("effect", (effect) => this.#emitted.push(effectText(effect)));
    this.#recorder = record(this.#session, recording);
    this.#states[0] = this.#stateOf(this.#straight);
    this.#saved = { tick: 0, state: this.#states[0] };
  }

  #stateOf(session: { bytes(): Uint8Array; readonly world: { readonly x: number } }): State {
    return { bytes: session.bytes(), x: session.world.x };
  }

  advance(value: number): void {
    const session = this.#session;
    this.#value = value;
    if (session.rewinding) {
      assert.equal(session.advance(), "rewound");
      return this.#arrive(session.tick);
    }
    this.#stepStraight();
    assert.equal(session.advance(), "stepped");
    this.#stepped(true);
  }

  skip(ticks: number): void {
    if (ticks === 0) this.#session.skip(0);
    for (let i = 0; i < ticks; i++) {
      this.#stepStraight();
      this.#session.skip(1);
      this.#waiting = [];
      this.#stepped(false);
    }
  }

  #stepStraight(): void {
    this.#straight.load(this.#states[this.#tick]!.bytes);
    this.#emitted = [];
    this.#straight.advance();
  }

  #stepped(emits: boolean): void {
    const tick = (this.#previous = this.#tick);
    this.#last = ++this.#tick;
    this.#states.length = this.#tick;
    this.#states.push(this.#stateOf(this.#straight));
    if (!emits) return;
    if (this.#setting.present === "none") this.#expected.push(...this.#emitted);
    else this.#waiting.push(...this.#emitted.map((text) => ({ tick, text })));
  }

  /** A step that throws changes nothing, not even the external state. */
  fail(): void {
    if (this.#session.rewinding) return;
    this.#value = FAILS;
    assert.throws(() => this.#session.advance(), "failed");
    this.#previous = this.#tick;
    this.#value = 0;
  }

  seek(part: number): void {
    const { first, last } = this.#session;
    const tick = first + Math.round((last - first) * part);
    this.#session.seek(tick);
    this.#arrive(tick);
  }

  rewind(speed: number): void {
    this.#session.rewind(speed);
  }

  endRewind(): void {
    if (this.#session.rewinding) this.#arrive(this.#tick);
    this.#session.endRewind();
  }

  #arrive(tick: number): void {
    this.#tick = this.#previous = tick;
    this.#waiting = this.#waiting.filter((effect) => effect.tick < tick);
  }

  save(): void {
    this.#saved = { tick: this.#tick, state: this.#stateOf(this.#session) };
  }

  load(): void {
    const { tick, state } = this.#saved;
    this.#session.load(state.bytes);
    this.#tick = this.#previous = this.#last = tick;
    this.#states[tick] = state;
    this.#waiting = [];
  }

  view(alpha: number): void {
    const { present } = this.#setting;
    if (present === "none") return;
    const { x } = this.#session.view(alpha);
    if (this.#session.rewinding) return;
    const isBlend = present === "interpolate" && this.#previous < this.#tick;
    const shown = isBlend ? this.#tick - 1 + alpha : this.#tick;
    if (present === "interpolate") {
      const [a, b] = [this.#states[this.#previous]!.x, this.#states[this.#tick]!.x];
      assert.closeTo(x, isBlend ? a + (b - a) * alpha : b, 1e-6);
    }
    this.#expected.push(...this.#waiting.filter(({ tick }) => tick + 1 <= shown).map(({ text }) => text));
    this.#waiting = this.#waiting.filter(({ tick }) => tick + 1 > shown);
  }

  take(): void {
    this.#pieces.push(this.#recorder.take());
  }

  check(): void {
    const session = this.#session;
    assert.deepEqual([session.tick, session.last], [this.#tick, this.#last]);
    this.#straight.load(this.#states[this.#tick]!.bytes);
    assert.equal(hashText(session.hash()), hashText(this.#straight.hash()));
    assert.deepEqual(this.#heard, this.#expected);
  }

  /** The recording is complete, and the same in pieces and as a whole. */
  end(): void {
    this.#recorder.stop();
    this.take();
    const recorder = this.#recorder;
    for (const bytes of [Buffer.concat(this.#pieces), recorder.bytes()]) {
      const replay = readReplay(bytes);
      assert.deepEqual([replay.first, replay.last, replay.message], [recorder.first, recorder.last, ""]);
      const result = verify(this.#game, replay);
      assert.equal(result.ok || result.reason === "no-checkpoints" ? "" : result.message, "");
    }
  }
}
