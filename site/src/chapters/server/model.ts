import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { RADIUS } from "../../duel/game.js";
import { Packets } from "../../duel/packets.js";
import { Machines, type Places } from "./machines.js";

const FPS = 60;
const RATE = 60;
/** Frames over which figures count. */
const RECENT = FPS;

/** Where the parts of a picture are. Places are x and y of both players. */
export const Part = {
  /** What the server will decide about the moment that the client simulates. */
  truth: 0,
  /** What the client shows. */
  shown: 4,
  /** The newest state of the server. */
  server: 8,
  /** Seconds since the last correction. */
  corrected: 12,
  /** How late the picture is, in seconds. */
  late: 13,
  /** How far the packets have come: those from the server, then those to it. */
  packets: 14,
} as const;
const MAX_PACKETS = 24;

/** A frame that was simulated, and waits for what the server decides about it. */
interface Pending {
  readonly places: Places;
  readonly server: Places;
  readonly at: number;
  readonly late: number;
  readonly steps: number;
  readonly corrections: number;
  readonly packets: Float64Array;
}

/**
 * A client of a server. The figure runs behind its network by a moment: only when the server has simulated a tick, it is known what the
 * client should have shown.
 */
export class PlayAtServer implements ChapterModel {
  readonly track = new Track(Part.packets + 2 * MAX_PACKETS);
  readonly #machines: Machines;
  readonly #packets: readonly Packets[];
  readonly #frames = new Frames(FPS);
  readonly #pending: Pending[] = [];
  /** Frames that were simulated. */
  #simulated = 0;
  #correctedAt = -Infinity;
  #lag: number;
  readonly #predicts: boolean;
  readonly #offs = new Float64Array(RECENT);
  #late = 0;

  constructor(predicts: boolean, lag: number) {
    this.#lag = lag;
    this.#predicts = predicts;
    this.#machines = new Machines(lag, predicts);
    this.#packets = this.#machines.links.map((link) => new Packets(link, MAX_PACKETS));
  }

  /** Changes how long a packet is under way, in milliseconds. */
  changeLag(lag: number): void {
    this.#lag = lag;
    this.#machines.changeLag(lag);
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      this.#frames.next();
      while (!this.#pending[0] || !this.#truthAt(this.#pending[0].at)) this.#simulate();
      this.#show(this.#pending.shift()!);
    }
  }

  figures(): readonly Figure[] {
    const frames = Math.min(RECENT, Math.max(1, this.#frames.count));
    const off = this.#offs.subarray(0, frames).reduce((sum, each) => sum + each, 0) / frames;
    return [
      { label: "From key to picture", value: `${(1000 * (this.#late + 1 / RATE)).toFixed(0)} ms` },
      { label: "Own player off by", value: `${(100 * off).toFixed(0)} cm`, isGood: off < RADIUS },
    ];
  }

  /** Simulates a frame of the client. */
  #simulate(): void {
    const machines = this.#machines;
    machines.network.run(1 / FPS);
    const time = ++this.#simulated / FPS;
    const { places, at, shownAt } = machines.look();
    const packets = new Float64Array(2 * MAX_PACKETS);
    this.#packets.forEach((each, i) => each.write(packets, i * MAX_PACKETS, time, this.#lag / 1000));
    const server = machines.states.get(machines.server.session.tick)!;
    this.#pending.push({
      places,
      server,
      at,
      late: (at - shownAt) / RATE,
      packets,
      ...machines.takeCounts(),
    });
  }

  #show({ places, server, at, late, steps, corrections, packets }: Pending): void {
    const { time, count } = this.#frames;
    for (let i = 0; i < steps; i++) this.track.step(time);
    // Who predicts nothing has nothing to correct.
    if (corrections > 0 && this.#predicts) {
      this.track.corrected(time);
      this.#correctedAt = time;
    }
    const truth = this.#truthAt(at)!;
    const picture = this.track.frame(time, places[0]!, truth[0]!);
    picture.set(truth, Part.truth);
    picture.set(places, Part.shown);
    picture.set(server, Part.server);
    picture[Part.corrected] = Math.min(10, time - this.#correctedAt);
    picture[Part.late] = this.#late = late;
    picture.set(packets, Part.packets);
    this.#offs[count % RECENT] = Math.hypot(places[0]! - truth[0]!, places[1]! - truth[1]!);
  }

  /** Returns what the server decided about a moment; undefined if it has not yet. */
  #truthAt(at: number): Places | undefined {
    const from = Math.floor(at);
    const [a, b] = [this.#machines.states.get(from), this.#machines.states.get(from + 1)];
    return a && b?.map((place, i) => a[i]! + (place - a[i]!) * (at - from));
  }
}
