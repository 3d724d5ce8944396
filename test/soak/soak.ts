import { hashText, type Scene } from "../../scenes/index.js";
import { random, type Random } from "../../src/math/index.js";
import { localSession, type InputFields, type InputValues } from "../../src/sim/index.js";
import type { Fields } from "../../src/state/index.js";

/** Seconds of history, and the most ticks from one disturbance to the next. */
const HISTORY = 4;
const STRETCH = 240;

export interface SoakResult {
  /** What was found, in words; nothing if the runs are equal. */
  readonly fault: string | undefined;
  readonly ticks: number;
  /** Ticks that were simulated again, or for nothing. */
  readonly again: number;
  /** How often each disturbance came. */
  readonly disturbances: Readonly<Record<string, number>>;
  readonly hash: string;
}

/**
 * Two runs of a scene: a straight one, and one that is rolled back, sent into other futures, saved, loaded, rewound and
 * moved to new memory, by chance. After each disturbance both must be in the same state.
 */
export function soak<S extends Fields, I extends InputFields>(
  scene: Pick<Scene<S, I>, "script" | "simulation">,
  ticks: number,
  seed: number | string,
  watch: (tick: number) => void = () => {},
): SoakResult {
  const straight = new Runner(scene);
  const other = new Runner(scene, HISTORY);
  const dice = random(new Uint32Array(4)).seed(seed);
  const counts = Object.fromEntries(Object.keys(DISTURBANCES).map((name) => [name, 0]));
  const names = Object.keys(DISTURBANCES) as Disturbance[];
  let fault: string | undefined;
  while (straight.tick < ticks && fault === undefined) {
    const to = Math.min(ticks, straight.tick + 1 + dice.below(STRETCH));
    straight.goTo(to);
    other.goTo(to);
    const name = dice.pick(names);
    counts[name]! += 1;
    DISTURBANCES[name](other, dice);
    other.goTo(to);
    if (other.hash() !== straight.hash())
      fault = `After ${name}, state ${to} is ${other.hash()}; straight, it is ${straight.hash()}.`;
    watch(to);
  }
  const { tick } = straight;
  const result = {
    fault,
    ticks: tick,
    again: other.steps - tick,
    disturbances: counts,
    hash: straight.hash(),
  };
  straight.dispose();
  other.dispose();
  return result;
}

/** A session that follows the script of its scene, unless it is led astray. */
class Runner<S extends Fields, I extends InputFields> {
  readonly #scene: Pick<Scene<S, I>, "script" | "simulation">;
  readonly #seconds: number;
  #session;
  /** Players do something else: what they did so many ticks later, or earlier. */
  #astray = 0;
  /** Steps that were taken in all. */
  steps = 0;

  constructor(scene: Pick<Scene<S, I>, "script" | "simulation">, seconds = 0) {
    this.#scene = scene;
    this.#seconds = seconds;
    this.#session = this.#open();
  }

  #open() {
    const session = localSession(this.#scene.simulation, {
      ...(this.#seconds > 0 ? { history: { seconds: this.#seconds } } : {}),
      inputs: (players: readonly InputValues<I>[], { tick }) =>
        this.#scene.script(players, Math.max(0, tick + this.#astray)),
    });
    session.on("step", () => void this.steps++);
    return session;
  }

  get tick(): number {
    return this.#session.tick;
  }
  get session() {
    return this.#session;
  }

  goTo(tick: number): void {
    while (this.#session.tick < tick) this.#session.advance();
  }

  /** Takes so many steps of another future, and comes back. */
  stray(by: number, ticks: number): void {
    const { tick } = this;
    this.#astray = by;
    this.goTo(tick + ticks);
    this.#astray = 0;
    this.#session.jump(tick);
  }

  /** Goes on in a new session, from bytes. */
  move(): void {
    const bytes = this.#session.bytes();
    this.#session.dispose();
    this.#session = this.#open();
    this.#session.load(bytes);
  }

  hash(): string {
    return hashText(this.#session.hash());
  }

  dispose(): void {
    this.#session.dispose();
  }
}

type AnyRunner = Pick<Runner<Fields, InputFields>, "tick" | "stray" | "move"> & {
  readonly session: {
    readonly first: number;
    readonly last: number;
    jump(tick: number): void;
    bytes(): Uint8Array;
    load(bytes: Uint8Array): void;
    rewind(speed: number): void;
    resume(): void;
    advance(): void;
    view(alpha: number): unknown;
  };
};

/** How far a run can go back. */
const past = ({ session, tick }: AnyRunner) => tick - session.first;

/** Each leaves the run in a state of its true past, or where it is. */
const DISTURBANCES = {
  rollback(run: AnyRunner, dice: Random) {
    run.session.jump(run.tick - dice.below(past(run) + 1));
  },
  "many rollbacks"(run: AnyRunner, dice: Random) {
    const { tick } = run;
    for (let n = dice.below(8); n >= 0; n--) {
      run.session.jump(run.tick - Math.min(past(run), dice.below(9)));
      while (run.tick < tick) run.session.advance();
    }
  },
  "another future"(run: AnyRunner, dice: Random) {
    run.session.jump(run.tick - dice.below(past(run) + 1));
    run.stray(dice.int(-1000, 1000), 1 + dice.below(60));
  },
  "save and load"(run: AnyRunner, dice: Random) {
    run.session.jump(run.tick - Math.min(past(run), dice.below(30)));
    const bytes = run.session.bytes();
    run.stray(1 + dice.below(1000), 1 + dice.below(30));
    run.session.load(bytes);
  },
  "new memory"(run: AnyRunner) {
    run.move();
  },
  rewind(run: AnyRunner, dice: Random) {
    run.session.rewind(0.25 + 3 * dice.float());
    for (let n = dice.below(40); n >= 0; n--) {
      run.session.advance();
      run.session.view(dice.float());
    }
    run.session.resume();
  },
  look(run: AnyRunner, dice: Random) {
    for (let n = 0; n < 5; n++) run.session.view(dice.float());
  },
};
type Disturbance = keyof typeof DISTURBANCES;
