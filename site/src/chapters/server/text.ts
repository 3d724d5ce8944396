import type { ChapterText } from "../../figure/chapter.js";

export const server: ChapterText = {
  id: "server",
  title: "Server",
  sentence:
    "The server decides, but it is far away: every key takes a round trip. A client that predicts the game answers at once, and corrects wrong guesses.",
  more: [
    "You are player 1. The amber rings are what the server will decide about this very moment, once your keys have reached it. A screen that shows only what has arrived is late by the round trip and by the time between two states.",
    "A client with prediction runs the same simulation a little ahead of the server, so that its keys arrive just in time. It shows your player where the server will put it. When a state arrives that differs from the guess, it loads that state, simulates the ticks since then again, and lets the difference fade: purple in the strip. The server still decides everything, so a client that cheats only fools itself.",
  ],
  sides: { broken: "Show what arrives", fixed: "Predict" },
  control: { label: "Lag, one way", min: 0, max: 250, step: 5, initial: 100, unit: "ms" },
  imports: {
    broken: `import { viewerSession } from "tickwise/net";
import { drive } from "tickwise/sim";`,
    fixed: `import { clientSession } from "tickwise/net";
import { drive } from "tickwise/sim";`,
  },
  code: {
    broken: `// Sends keys, and shows the states that come back.
const session = viewerSession(game, link);
addEventListener("keydown", ({ code }) => {
  socket.send(code);
});
drive(session, { render: draw });`,
    fixed: `// Predicts the game, and corrects what it guessed wrong.
const session = clientSession(game, link, {
  inputs([me]) {
    me.x = keys.x;
    me.y = keys.y;
  },
});
drive(session, { render: draw });`,
  },
  alt: "A server and a screen with a cable between them. Each shows two discs. On a screen that shows what arrives, the discs are far behind the amber rings of the truth; with prediction, your own disc is on its ring.",
  strip: "your player on your screen, from side to side",
  links: { docs: "/docs/server/", lab: "/lab/#server" },
};
