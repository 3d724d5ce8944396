import type { ServerSettings } from "./settings.js";

/** The page's own texts. */
export const PAGE_TEXT = {
  title: "Server",
  lesson: "The server decides, and your own moves still show at once.",
  about: [
    "A server, two clients and a viewer, each a machine of its own, on simulated links and virtual time. Clients run ahead of the server, just far enough for their inputs to arrive in time. Bots play until you press a key: W A S D and Space for client 1, the arrow keys and Enter for client 2. Switch off a part to see what it does.",
  ],
  presets: [
    ["no prediction", { prediction: "off" }],
    ["no reconciliation", { reconciliation: "off" }],
    ["no smoothing", { smoothing: "off" }],
    ["inputs instead of states", { down: "inputs" }],
    ["10 snapshots per second", { rate: "10" }],
    ["a local network", { latency: 1, jitter: 0, loss: 0 }],
    ["hell", { latency: 150, jitter: 75, loss: 20, burst: 8 }],
  ],
  terms: {
    "The three states":
      "Server: the game as it is right now; no client can know it. Predicted: the newest state that the client has computed. Shown: what the client draws, blended between two steps and with corrections that fade. A line leads from where a body is on the server to where it is shown.",
    Jumps:
      "How far the body that jumped most moved in each picture, beyond its own motion. Impacts cause small jumps; corrections cause large ones, unless smoothing hides them.",
    "Early, ahead, pace":
      "Early: how many ticks before they are used inputs reach the server, as it reports. The client changes its pace to keep this small but safe. Ahead: how many ticks the client runs ahead of the server.",
    "To a client, received":
      "Packets per second and their average size, over the last three seconds. States are differences from the last one that the receiver has acknowledged. Inputs are smaller, but then every machine must compute the same bits.",
    "Late inputs, guessed inputs":
      "Inputs of clients 1 and 2 that arrived too late, and ticks for which the server had to guess one. It never waits. Both count from the start, and grow while the clients join.",
    "Corrections, off by":
      "How often the client had to simulate ticks again, and how far the worst body of each tick was from where the server then had it: the mean over three seconds.",
    "Key to picture":
      "Milliseconds by which the state on screen is older than the tick that your keys count for.",
    "Delay, behind":
      "The viewer shows the past, so that the next snapshot is there when it needs it. The delay adapts to how late snapshots are and how many get lost. Behind: that delay, and the trip from the server. Waiting: snapshots that are not shown yet.",
    Starved:
      "The share of the viewer's pictures that had to be extrapolated, because no newer snapshot had arrived.",
  },
} as const;

/** Explains what the visitor sees with these settings. */
export function describe({ prediction, reconciliation, smoothing, down }: ServerSettings): string {
  if (prediction === "off")
    return "Without prediction, a client shows what arrives from the server, as a viewer does. Nothing is ever wrong, but it shows the past (blue behind amber), and your own moves take as long as the key-to-picture figure says.";
  if (reconciliation === "off")
    return "Without reconciliation, a client trusts its guesses and never corrects them: each plays a game of its own, further and further away from the server (amber). Switch it on again, and the pictures agree at once.";
  if (smoothing === "off")
    return "Without smoothing, a corrected guess shows at once: bodies jump, mostly those of the others. See the peaks in the charts, and compare them with smoothing.";
  const news =
    down === "states"
      ? "When a state of the server arrives, the client loads it and replays its own inputs since then"
      : "When the inputs of others arrive, the client simulates again what it had guessed wrongly";
  return `Your own inputs count at once, so a client is ahead of the server (amber). ${news}: the purple circle jumps to the right place. What is shown (blue) follows smoothly.`;
}
