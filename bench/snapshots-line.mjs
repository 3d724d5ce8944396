import { source } from "./snapshots-source.mjs";

/** A packet per frame at 60 frames per second. */
export const RATE = 60;
/** Frames from a packet to the arrival of its acknowledgement: 100 ms. */
const ROUND_TRIP = 6;

/**
 * Returns what a server sends in each frame: the number of the baseline, which is the newest frame that the client is known to
 * have, the baseline that it was sent with itself (older), and whether the packet arrives. Every frame the client acknowledges
 * the newest frame that it has, and acknowledgements are lost as often as packets. Starts with a frame that both sides have.
 */
export function packetsOf(count, loss, seed) {
  const random = source.random(new Uint32Array(4));
  random.seed(seed);
  const arrives = Array.from({ length: count }, (_, n) => n === 0 || !random.chance(loss));
  const packets = [{ number: 0, baseline: 0, older: 0, arrives: true }];
  let acknowledged = 0;
  let newest = 0;
  for (let number = 1; number < count; number++) {
    // What the client had when the acknowledgement that arrives now was sent.
    const sent = number - ROUND_TRIP;
    if (sent >= 0) {
      if (arrives[sent]) newest = sent;
      if (!random.chance(loss)) acknowledged = newest;
    }
    packets.push({
      number,
      baseline: acknowledged,
      older: packets[acknowledged].baseline,
      arrives: arrives[number],
    });
  }
  return packets;
}
