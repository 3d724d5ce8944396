/** The page's own texts. */
export const PAGE_TEXT = {
  title: "Network",
  lesson: "Everyone sees the same game, however bad the network is.",
  about: [
    "A small arena game: push the others out of the ring, dash at them, or let the ball do it. Each picture is a machine of its own with its own session. They exchange nothing but inputs, over simulated links on virtual time. Player 1 hosts the game. Bots play until you press a key: W A S D and Space for player 1, the arrow keys and Enter for player 2.",
  ],
  presets: [
    ["a local network", { latency: 1, jitter: 0, loss: 0 }],
    ["bad wifi", { latency: 40, jitter: 20, loss: 5, burst: 3 }],
    ["lockstep over 100 ms", { model: "lockstep", delay: "auto", latency: 100, loss: 1 }],
    ["lockstep without delay", { model: "lockstep", delay: "0", latency: 100, loss: 0 }],
    ["four players in hell", { players: "4", latency: 150, jitter: 75, loss: 20, burst: 8 }],
  ],
  terms: {
    Ticks:
      "One column per tick, newest on the right; a mark at the bottom of the band for each second. Confirmed: a majority knows all inputs, so this state can never change. Bars above: how often the tick was simulated again. Bars below: how long it had to wait for inputs. Dots: effects, such as hits and falls; crosses: effects that were shown, but did not happen.",
    Advantage:
      "How many ticks this player is ahead of the others. Whoever is ahead gets all the corrections, so it slows down a little, and whoever is behind speeds up: see the pace.",
    "Round trip, loss": "Measured from the packets of the game; the session sends no others.",
    "Rollbacks, resimulated":
      "Corrections so far, and ticks that were simulated again for each new tick, over the last three seconds.",
    Stalled:
      "The share of the last three seconds in which the session could not step, as inputs were missing.",
    Packet: "The average size of a packet, with all inputs that the other side has not acknowledged yet.",
    "Delay, window":
      "Ticks between pressing a key and the tick it counts for, and ticks that may be predicted. The window grows while a session stalls.",
    "Cut the line":
      "Packets between players 1 and 2 no longer arrive, and neither side gets an error. With four players, the others relay.",
  },
} as const;
