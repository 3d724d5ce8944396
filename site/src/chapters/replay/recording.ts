import { random } from "../../../../src/math/index.js";
import { inputRuns, readReplay, record, type Replay } from "../../../../src/replay/index.js";
import { localSession } from "../../../../src/sim/index.js";
import { platformer } from "../../../../scenes/platformer.js";
import { platformerScript } from "../../../../scenes/platformer-script.js";

/** Steps per second. */
export const RATE = 60;
/** The part of the scripted game that is recorded: from the flag to the exit. */
const FIRST = 1088;
const LAST = 1522;

/** Keys that changed, and when: in seconds since the start. */
export interface TimedKeys {
  readonly time: number;
  readonly left: boolean;
  readonly right: boolean;
  readonly jump: boolean;
}

/** A recording, and what to compare its replays with. */
export interface Recording {
  readonly replay: Replay;
  /** The state with which it begins. */
  readonly start: Uint8Array;
  /** Where the character was, and the hash of the state, by ticks since the start. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly hashes: readonly string[];
  /** The same keys with the times of their events, which fall between two frames. */
  readonly keys: readonly TimedKeys[];
}

/** Blends two recorded values, as a view does. `at` is in ticks since the start. */
export function blendAt(values: readonly number[], at: number): number {
  const last = values.length - 1;
  const from = Math.min(last, Math.max(0, Math.floor(at)));
  const [a, b] = [values[from]!, values[Math.min(last, from + 1)]!];
  return a + (b - a) * Math.min(1, Math.max(0, at - from));
}

/** Records a part of the scripted game. */
export function makeRecording(): Recording {
  const session = localSession(platformer, {
    inputs: (players, { tick }) => platformerScript(players, tick),
  });
  session.skip(FIRST);
  const start = session.bytes();
  const recorder = record(session);
  const [x, y, hashes]: [number[], number[], string[]] = [[], [], []];
  for (;;) {
    const { player } = session.world;
    x.push(player.x);
    y.push(player.y);
    hashes.push(session.hash().join());
    if (session.tick === LAST) break;
    session.advance();
  }
  const replay = readReplay(recorder.bytes());
  const numbers = random(new Uint32Array(4)).seed(20);
  const keys = Array.from(inputRuns(replay), ({ from, values }) => ({
    time: (from - FIRST + numbers.float()) / RATE,
    left: values["left"] === true,
    right: values["right"] === true,
    jump: values["jump"] === true,
  }));
  session.dispose();
  return { replay, start, x, y, hashes, keys };
}
