import type { BitReader } from "../bits.js";
import type { ServerHead } from "./tick-packet.js";

/** Follows a server: takes what it sends, and keeps the client's states in accordance with it. */
export interface Follower {
  /** What the server may rely on: see `InputHead.ack`. */
  readonly ack: number;
  /** The first tick whose inputs are guesses. */
  readonly known: number;
  /** Takes the rest of a packet. Returns what is wrong with it. */
  onPacket(reader: BitReader, head: ServerHead, now: number): string | undefined;
}
