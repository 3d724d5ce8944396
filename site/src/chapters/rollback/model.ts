import { simulatedNetwork } from "tickwise/testing";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { SEATS, withoutNetwork } from "../../duel/game.js";
import { Packets } from "../../duel/packets.js";
import { Phone } from "./phone.js";

const FPS = 60;
const RATE = 60;
/** Seconds until two phones have connected and keep in step. */
const WARM_UP = 6;
/** Frames over which figures count. */
const RECENT = FPS;

/** Where the parts of a picture are. Places are x and y of both players. */
export const Part = {
  truth: 0,
  /** What each phone shows. */
  phones: 4,
  /** The share of the last second in which each phone waited. */
  waiting: 12,
  /** Seconds since the last correction on each phone. */
  corrected: 14,
  /** How far the packets from each phone have come. */
  packets: 16,
} as const;
const MAX_PACKETS = 24;

/** Two phones and a cable. */
export class TwoPhones implements ChapterModel {
  readonly track = new Track(Part.packets + SEATS * MAX_PACKETS);
  readonly #network;
  readonly #phones: readonly Phone[];
  readonly #packets: readonly Packets[];
  readonly #truth = withoutNetwork();
  readonly #frames = new Frames(FPS);
  readonly #correctedAt = [-Infinity, -Infinity];
  /** Steps of each phone, and corrections on the first one, by frame. */
  readonly #steps = [0, 1].map(() => new Uint8Array(RECENT));
  readonly #corrections = new Uint8Array(RECENT);
  /** The tick of the first phone when the figure began. */
  readonly #first: number;
  #lag: number;

  constructor(rollsBack: boolean, lag: number) {
    this.#lag = lag;
    this.#network = simulatedNetwork({ network: { latency: lag }, seed: 1 });
    this.#phones = [0, 1].map((seat) => new Phone(this.#network, seat, rollsBack));
    const [a, b] = this.#phones.map(({ peer }) => peer);
    this.#network.connect(a!, b!);
    this.#network.run(WARM_UP);
    this.#packets = this.#network.links(a!, b!).map((link) => new Packets(link, MAX_PACKETS));
    this.#first = a!.session.tick;
    this.#phones.forEach((phone, i) => {
      phone.onStep = () => {
        this.#steps[i]![this.#frames.count % RECENT]! += 1;
        if (i === 0) this.track.step(this.#frames.time);
      };
      phone.onCorrection = () => {
        this.#correctedAt[i] = this.#frames.time;
        if (i > 0) return;
        this.track.corrected(this.#frames.time);
        this.#corrections[this.#frames.count % RECENT]! += 1;
      };
    });
  }

  /** Changes how long a packet is under way, in milliseconds. */
  changeLag(lag: number): void {
    this.#lag = lag;
    const [a, b] = this.#phones;
    for (const link of this.#network.links(a!.peer, b!.peer)) link.configure({ latency: lag });
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      this.#frames.next();
      const { time, count } = this.#frames;
      for (const counts of [...this.#steps, this.#corrections]) counts[count % RECENT] = 0;
      this.#network.run(1 / FPS);
      while (this.#truth.tick < this.#first + Math.floor(time * RATE)) this.#truth.advance();
      if (this.#steps[0]![count % RECENT] === 0) this.track.lost(time - 1 / FPS, time);
      const truth = this.#truth.world.bodies;
      const views = this.#phones.map((phone) => phone.view().bodies);
      // The other player on the first phone: the one that has to be guessed.
      const picture = this.track.frame(time, views[0]!.x[1]!, truth.x[1]!);
      [truth, ...views].forEach(({ x, y }, i) => {
        for (let seat = 0; seat < SEATS; seat++) {
          picture[4 * i + 2 * seat] = x[seat]!;
          picture[4 * i + 2 * seat + 1] = y[seat]!;
        }
      });
      this.#packets.forEach((packets, i) => {
        picture[Part.waiting + i] = 1 - this.#perSecond(this.#steps[i]!) / RATE;
        picture[Part.corrected + i] = Math.min(10, time - this.#correctedAt[i]!);
        packets.write(picture, Part.packets + i * MAX_PACKETS, time, this.#lag / 1000);
      });
    }
  }

  figures(): readonly Figure[] {
    const steps = this.#perSecond(this.#steps[0]!);
    return [
      { label: "Steps per second", value: steps.toFixed(0), isGood: steps > 0.95 * RATE },
      { label: "Corrections per second", value: this.#perSecond(this.#corrections).toFixed(0) },
    ];
  }

  #perSecond(counts: Uint8Array): number {
    const frames = Math.min(RECENT, Math.max(1, this.#frames.count));
    return (counts.reduce((sum, count) => sum + count, 0) * FPS) / frames;
  }
}
