import type { ConditionedLink } from "../../../src/net/index.js";
import { simulatedNetwork } from "../../../src/net/simulated.js";
import type { Difference } from "../../../src/state/index.js";
import type { PlaySeat } from "../arena/inputs.js";
import { conditionsOf } from "../conditions.js";
import { Machine } from "./machine.js";
import type { NetworkSettings } from "./settings.js";
import { describePeer } from "./describe.js";

/** The seat that the visitor kills, freezes and plants a fault in. */
const VICTIM = 1;
/** Milliseconds for which a frozen player stands still. */
const FREEZE_TIME = 2000;
/** Milliseconds that a program takes to start again. */
const RESTART_TIME = 1500;
const MAX_EVENTS = 40;
/** Confirmed ticks after which all machines have compared a state: hashes go out every 10 ticks, and machines are at most 30 apart. */
const FIRST_COMPARISON = 40;

/** What the players have found out about a desync. */
export interface Diagnosis {
  /** The first state that differs. */
  readonly tick: number;
  readonly fields: readonly Difference[];
  /** The name of the player whose state differs from that of player 1. */
  readonly name: string;
  readonly stage: "suspected" | "found" | "unknown";
  report?(): Uint8Array;
}

/** Something that happened, for the visitor. */
export interface LoggedEvent {
  /** Seconds since the start. */
  readonly at: number;
  readonly text: string;
}

/** A game of two or four players on a simulated network, on virtual time. */
export class NetworkGame {
  readonly machines: readonly Machine[];
  /** Newest last. */
  readonly events: LoggedEvent[] = [];
  diagnosis: Diagnosis | undefined;
  /** Whether the machines have compared states since the start, or since the faulty copy was replaced. */
  isCompared = false;
  isCut = false;
  /** States up to this tick may still be those of a faulty copy that was replaced. */
  #repairedAt = -1;
  readonly #network;
  readonly #settings: NetworkSettings;

  constructor(settings: NetworkSettings, play: PlaySeat) {
    this.#settings = settings;
    this.#network = simulatedNetwork({ network: conditionsOf(settings), seed: 1 });
    this.machines = Array.from(
      { length: Number(settings.players) },
      (_, seat) => new Machine(this.#network, seat, settings, play),
    );
    this.#network.mesh();
    this.#listen();
  }

  /** Seconds since the start. */
  get time(): number {
    return this.#network.time.now() / 1000;
  }
  get victim(): Machine {
    return this.machines[VICTIM]!;
  }
  get isFaulty(): boolean {
    return this.victim.fault.isPlanted;
  }
  /** Milliseconds on the network's clock, which effects are stamped with. */
  get now(): number {
    return this.#network.time.now();
  }

  advance(seconds: number): void {
    this.#network.run(seconds);
    const first = Math.max(0, this.#repairedAt) + FIRST_COMPARISON;
    this.isCompared ||= this.machines.every(({ session }) => session.confirmed >= first);
  }

  /** Applies changed settings of the network to all links. */
  applyConditions(): void {
    const conditions = conditionsOf(this.#settings);
    this.machines.forEach((a, i) => {
      for (const b of this.machines.slice(i + 1))
        for (const link of this.#links(a, b))
          link.configure({ ...conditions, ...(this.#isCutBetween(a, b) ? { loss: 1 } : {}) });
    });
  }

  /** Kills the second player without a word to the others; or lets it come back, with nothing but its token. */
  kill(isKilled: boolean): void {
    const { victim } = this;
    if (isKilled === victim.isGone) return;
    if (isKilled) {
      victim.peer.kill();
      this.#log(`${victim.name} is gone: its program ended without warning.`);
      return;
    }
    this.#bringBack();
    this.#log(`${victim.name} starts its program again.`);
  }

  #bringBack(): void {
    const { victim } = this;
    if (!victim.isGone) return;
    victim.restart();
    for (const other of this.machines)
      if (other !== victim) this.#network.connect(other.peer, victim.peer, conditionsOf(this.#settings));
    this.applyConditions();
  }

  /** Cuts the line between the first two players, or repairs it. */
  cut(isCut: boolean): void {
    if (isCut === this.isCut) return;
    this.isCut = isCut;
    this.applyConditions();
    const names = `${this.machines[0]!.name} and ${this.victim.name}`;
    this.#log(isCut ? `The line between ${names} is cut.` : `The line between ${names} works again.`);
  }

  /** Stops the loop of the second player for two seconds, as a hidden tab or a debugger does. */
  freeze(): void {
    const { victim } = this;
    const { peer } = victim;
    if (victim.isGone || victim.isFrozen) return;
    victim.isFrozen = true;
    peer.freeze();
    this.#log(`${victim.name} is frozen for ${FREEZE_TIME / 1000} s.`);
    this.#network.time.after(FREEZE_TIME, () => {
      if (victim.peer !== peer) return;
      victim.isFrozen = false;
      peer.start();
    });
  }

  /** Plants a fault in the second player's copy of the game; or removes it and restarts that player. */
  plant(isFaulty: boolean): void {
    const { victim } = this;
    if (isFaulty === victim.fault.isPlanted) return;
    victim.fault.isPlanted = isFaulty;
    if (isFaulty) {
      this.#log(`${victim.name} has a faulty copy of the game from now on.`);
      return;
    }
    this.diagnosis = undefined;
    this.isCompared = false;
    this.#repairedAt = this.machines[0]!.session.tick;
    victim.peer.kill();
    this.#network.time.after(RESTART_TIME, () => this.#bringBack());
    this.#log(`${victim.name} starts a correct copy, and loads the state of the others.`);
  }

  dispose(): void {
    this.#network.dispose();
  }

  #links(a: Machine, b: Machine): readonly ConditionedLink[] {
    return this.#network.links(a.peer, b.peer);
  }

  #isCutBetween(a: Machine, b: Machine): boolean {
    return this.isCut && a.seat === 0 && b.seat === VICTIM;
  }

  /** Logs what player 1 notices. */
  #listen(): void {
    const { net } = this.machines[0]!.session;
    net.on("peer", (event) => {
      const text = describePeer(event);
      if (text) this.#log(text);
    });
    net.on("desync", (event) => {
      const { stage, tick, name } = event;
      if (tick <= this.#repairedAt || (this.diagnosis && this.diagnosis.stage !== "suspected")) return;
      this.diagnosis = event;
      if (stage === "suspected") this.#log(`The states of Player 1 and ${name} differ at tick ${tick}.`);
      else if (stage === "found") this.#log(`The cause is found: tick ${tick}.`);
      else this.#log("The cause was not found: the states are no longer held.");
    });
  }

  #log(text: string): void {
    this.events.push({ at: this.time, text });
    if (this.events.length > MAX_EVENTS) this.events.shift();
  }
}
