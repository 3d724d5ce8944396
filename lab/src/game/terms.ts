/** What the figures of the game mean. */
export const TERMS = {
  "Tick, hash":
    "The state that is shown, and 64 bits of all of it. In a replay they are those that were there when it was recorded.",
  "Coins, falls, best run": "Of the game: all of it lies in the state, so it goes back with it.",
  Recorded: "How long the recording is. It is kept in this browser, too, and offered when you come back.",
  Slider:
    "The last two minutes while you play, all of it in a replay. Drag it, or focus it and press the arrow keys. While you drag, time waits.",
  "Three render rates":
    "The replay is played to its end by three loops, before displays with seeded uneven frames, as fast as the page can. The hashes of all states are compared, with one another and with those recorded.",
  "The overlay":
    "mountHud(loop): open it by its button, hide it by the key left of 1. Its tick counts the loop's steps, which never go back.",
};
