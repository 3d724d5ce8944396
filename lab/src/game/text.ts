/** What the page says of itself. */
export const TEXT = {
  title: "Game",
  lesson: "Play, go back, watch it again, and take over from any tick.",
  about: [
    "A small platformer on a local session. Each press is latched for exactly one step, and what you do is recorded: inputs, a hash each second, a state every ten. So a file of a few kilobytes plays it all again, to the bit, at any render rate.",
  ],
  tries: [
    ["rewind in slow motion", { rewind: "0.5" }],
    ["replays four times as fast", { speed: "4" }],
    ["with sound", { sound: "on" }],
  ],
  terms: {
    "Tick, hash":
      "The state that is shown, and 64 bits of all of it. In a replay they are those that were there when it was recorded.",
    "Coins, falls, best run": "Of the game: all of it lies in the state, so it goes back with it.",
    Recorded: "How long the recording is. It is kept in this browser, too, and offered when you come back.",
    Slider:
      "The last two minutes while you play, all of it in a replay. Drag it, or focus it and press the arrow keys. While you drag, time waits.",
    "Three render rates":
      "The replay is played to its end by three loops, before displays with seeded uneven frames, as fast as the page can. The hashes of all states are compared with one another, and with those recorded.",
    "The overlay":
      "mountHud(loop): open it by its button, hide it by the key left of 1. Its tick counts the loop's steps, which never go back.",
  },
} as const;
