import type { ChapterText } from "../../figure/chapter.js";

export const rollback: ChapterText = {
  id: "rollback",
  title: "Rollback",
  sentence:
    "If each step waits for the other player’s keys, the cable sets the speed of the game. Rollback guesses them, and corrects wrong guesses.",
  more: [
    "Both phones run the same game and send each other nothing but keys. If every step waits for the keys of both players, it takes as long as a packet needs to arrive: at 120 ms, the game crawls at 7 steps per second. The amber rings show the game without a cable.",
    "With rollback, a phone never waits. It guesses that the other player still presses the same keys, and steps. When the real keys arrive and differ, it loads the state from before the wrong guess, simulates the ticks since then again, and shows the result: a purple line in the strip. Your own player is always right. The other one is wrong only for a moment after each change of direction.",
  ],
  sides: { broken: "Wait", fixed: "Roll back" },
  control: { label: "Lag, one way", min: 0, max: 250, step: 5, initial: 120, unit: "ms" },
  imports: {
    broken: `import { peerSession } from "tickwise/net";
import { drive } from "tickwise/sim";`,
    fixed: `import { peerSession } from "tickwise/net";
import { drive } from "tickwise/sim";`,
  },
  code: {
    broken: `const session = peerSession(game, {
  seats: [0],
  links: [link],
  window: 0, // every step waits for all inputs
  delay: 0,
  inputs: keys,
});
drive(session, { render: draw });`,
    fixed: `const session = peerSession(game, {
  seats: [0],
  links: [link],
  window: 20, // may be 20 ticks ahead of what it knows
  delay: 0,
  inputs: keys,
});
drive(session, { render: draw });`,
  },
  alt: "Two phones with a cable between them, on which packets travel. Each phone shows two discs. While the phones wait, their discs are far from the amber rings that show the game without a cable; with rollback, they are on them.",
  strip: "player 2 on the phone of player 1, from side to side",
  links: { docs: "/docs/netcode/", lab: "/lab/#network" },
};
