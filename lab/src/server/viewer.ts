import { arena } from "../../../scenes/arena.js";
import type { Conditions } from "../../../src/net/index.js";
import type { SimulatedNetwork } from "../../../src/net/simulated.js";
import { JumpMeter } from "./jump-meter.js";
import { Screen, type ArenaView } from "./screen.js";
import type { ServerMachine } from "./server-machine.js";

/** Somebody who sees the game and simulates nothing. */
export class Viewer {
  readonly name: string;
  readonly machine;
  readonly meter = new JumpMeter();
  readonly #screen;
  /** Of the last picture. */
  shown: ArenaView;

  constructor(network: SimulatedNetwork, server: ServerMachine, name: string, conditions: Conditions) {
    this.name = name;
    this.machine = network.viewer(arena, server, { name, conditions });
    this.#screen = new Screen(network, this.machine);
    this.shown = this.machine.session.world;
  }

  get isConnecting(): boolean {
    return this.machine.session.net.state === "connecting";
  }

  /** Draws the next picture. `seconds` is the time since the last one. */
  look(seconds: number): void {
    this.shown = this.#screen.view();
    if (!this.isConnecting) this.meter.add(this.shown, seconds);
  }

  leave(): void {
    this.machine.kill();
    this.machine.session.dispose();
  }
}
