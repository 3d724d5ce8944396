import { arena, DASH_TICKS, playBot, SEATS } from "../../../scenes/arena.js";
import type { ViewOf } from "../../../scenes/index.js";
import { localSession, simulation } from "../../../src/sim/index.js";
import type { ArenaInputs } from "../arena/inputs.js";

/** The seats that clients play. Bots play the others. */
export const CLIENTS = 2;

/** The game for a session without a network, which knows nothing of absent players. */
const withBots = simulation({
  ...arena.options,
  step(world, inputs, context) {
    arena.options.step(world, inputs, context);
    for (let seat = CLIENTS; seat < SEATS; seat++) world.players.isBot[seat] = 1;
  },
});

/**
 * A client's copy of the game without reconciliation. The own inputs count at once. What others do counts when it becomes known,
 * too late, and nothing is ever corrected.
 */
export class StrayCopy {
  readonly session;
  /** What the client knows of the others, and their ticks until the next dash when it was last read. */
  readonly #known: () => ViewOf<"arena">;
  readonly #rests: number[] = [];

  /** Starts with the state that `bytes` contains. */
  constructor(
    bytes: Uint8Array,
    seat: number,
    known: () => ViewOf<"arena">,
    play: (player: ArenaInputs) => void,
  ) {
    this.#known = known;
    this.session = localSession(withBots, {
      inputs: (players, { tick }) =>
        players.forEach((player, other) => {
          if (other === seat) play(player);
          else if (other < CLIENTS) this.#repeat(player, other);
          else playBot(player, other, tick, this.session.world);
        }),
    });
    this.session.load(bytes);
  }

  /** Steps up to a tick. */
  advanceTo(tick: number): void {
    while (this.session.tick < tick) this.session.advance();
  }

  #repeat(player: ArenaInputs, seat: number): void {
    const { players } = this.#known();
    player.x = players.aimX[seat]!;
    player.y = players.aimY[seat]!;
    const rest = players.rest[seat]!;
    player.dash = rest > (this.#rests[seat] ?? DASH_TICKS);
    this.#rests[seat] = rest;
  }
}
