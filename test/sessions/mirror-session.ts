// A session that never steps: another session simulates elsewhere, and its states arrive as messages.
import { bytesOf, readBytes } from "../../src/sim/bytes.js";
import type { Effect, PackedCommand, SessionOf, ViewOf } from "../../src/sim/index.js";
import { Presenter } from "../../src/sim/presenter.js";
import { Run } from "../../src/sim/run.js";
import { SESSION_EVENTS, type Advance, type Session, type SessionEvents } from "../../src/sim/session.js";
import { SessionListeners } from "../../src/sim/session-listeners.js";
import type { Hash } from "../../src/state/index.js";
import { tug } from "./tug.js";

type View = ViewOf<typeof tug>;
type TugEffect = Effect<NonNullable<typeof tug.options.effects>>;

interface Message {
  readonly tick: number;
  readonly words: Uint32Array;
  readonly commands: readonly PackedCommand[];
  readonly absent: Uint8Array;
  readonly bytes: Uint8Array;
  readonly effects: TugEffect[];
}

export class MirrorSession implements Session<View, TugEffect> {
  readonly simulation = tug;
  readonly seed = 0;
  readonly pace = 1;
  readonly #run = new Run<(typeof tug)["layout"]["fields"]>(tug, Presenter.snapshots);
  readonly #presenter = new Presenter("mirror", this.#run, 1 / 60, {
    deliver: (effect) => this.#listeners.emit("effect", effect as TugEffect),
  });
  readonly #listeners = new SessionListeners<SessionEvents<TugEffect>>(SESSION_EVENTS);
  readonly #inbox: Message[] = [];

  readonly #outbox: Message[] = [];

  /** Sends every tick of the other session here. That one must be headless, so that its effects come with their ticks. */
  constructor(elsewhere: SessionOf<typeof tug>) {
    elsewhere.on("confirmed", ({ tick, words, commands, absent, bytes }) => {
      this.#outbox.push({
        tick,
        words: words.slice(),
        commands,
        absent: absent.slice(),
        bytes: bytes(),
        effects: [],
      });
    });
    // Effects follow the `confirmed` event of their tick.
    elsewhere.on("effect", (effect) => void this.#outbox.at(-1)!.effects.push(effect));
  }

  /** Lets the messages that were sent so far arrive, or the first `count` of them. */
  arrive(count = Infinity): void {
    this.#inbox.push(...this.#outbox.splice(0, count));
  }

  get tick() {
    return this.#run.tick;
  }
  get confirmed() {
    return this.#run.tick;
  }
  get present() {
    return this.#presenter.present;
  }
  get world() {
    return this.#run.world as View;
  }

  advance(): Advance {
    const message = this.#inbox.shift();
    if (!message) {
      this.#presenter.stall();
      return "waiting";
    }
    this.#presenter.beforeStep();
    readBytes(tug, this.#run, message.bytes);
    message.effects.forEach(this.#presenter.emit);
    this.#listeners.emit("confirmed", {
      tick: message.tick,
      words: message.words,
      commands: message.commands,
      absent: message.absent,
      hash: (out) => this.hash(out),
      bytes: () => this.bytes(),
    });
    return "stepped";
  }

  view(alpha: number) {
    return this.#presenter.view(alpha, this.tick) as View;
  }
  hash(out?: [number, number]): Hash {
    return this.#run.hash(out);
  }
  bytes() {
    return bytesOf(tug, this.#run, true);
  }
  on<N extends keyof SessionEvents<TugEffect>>(
    event: N,
    listener: (info: SessionEvents<TugEffect>[N]) => void,
  ) {
    return this.#listeners.on(event, listener);
  }
  dispose() {
    this.#run.dispose();
  }
}
