/** The page's own texts. */
export const PAGE_TEXT = {
  title: "Game",
  lesson: "Play, rewind, watch the replay, and take over from any tick.",
  about: [
    "A small platformer running in a local session. Each key press is latched for exactly one step, and everything you do is recorded: the inputs, a hash every second and a full state every ten seconds. A file of a few kilobytes replays all of it, bit for bit, at any render rate.",
  ],
  presets: [
    ["rewind in slow motion", { rewind: "0.5" }],
    ["replay four times as fast", { speed: "4" }],
    ["with sound", { sound: "on" }],
    ["with music", { sound: "music" }],
  ],
  terms: {
    "Tick, hash":
      "The tick of the state shown, and a 64-bit hash of that state. In a replay, they match the original game.",
    "Coins, falls, best run": "All three are part of the state, so they rewind with it.",
    Recorded:
      "The length of the recording. It is also saved in this browser, so you can continue when you come back.",
    Slider:
      "Covers the last two minutes while you play, and all of a replay. Drag it, or focus it and use the arrow keys. Time stops while you drag.",
    Sound:
      "Off until you switch it on, by the button or with M. Each sound starts at the sample that belongs to its tick, a constant time after the picture, whatever frame showed it. The music follows the game: it pauses with it, plays slower with a slow replay, and is in time again after lost time.",
    "Three render rates":
      "Three loops play the replay to its end as fast as the page allows, on simulated displays with seeded, uneven frames. The hashes of all states are compared with each other and with the recorded ones.",
    "The overlay":
      "mountHud(loop). Open it with its button; hide it with the key to the left of 1. Its tick counts the loop's steps, so it never goes back.",
  },
} as const;
