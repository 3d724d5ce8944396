import { seatsText } from "../net/net-problems.js";
import type { NetMemory } from "./net-memory.js";
import type { NetSession } from "./subject.js";
import { NONE, percent } from "./text.js";

/** Milliseconds without a message after which a peer counts as silent. */
export const SILENCE = 250;

/** What the overlay shows of another peer, in one line. */
export type PeerFigures = Readonly<Record<"peer" | "trip" | "jitter" | "loss" | "ahead", string>>;

/** What the overlay shows of a network session. */
export interface NetFigures {
  readonly figures: ReturnType<typeof netFiguresOf>;
  readonly peers: readonly PeerFigures[];
}

type Peer = NetSession["net"]["peers"][number];

/** Returns the name of a peer, or its seats. */
export const nameOf = ({ name, seats }: Pick<Peer, "name" | "seats">) =>
  name || (seats.length > 0 ? seatsText(seats) : "a peer without a seat");

function signed(ticks: number): string {
  const size = Math.abs(ticks).toFixed(1);
  return size === "0.0" ? size : `${ticks < 0 ? "−" : "+"}${size}`;
}
const ratio = (growth: number, over: number, digits: number) =>
  over > 0 ? (growth / over).toFixed(digits) : NONE;

/** `"playing as host, seat 0"`. */
function stateText({ net, seats }: NetSession): string {
  const role = net.isHost ? " as host" : "";
  return `${net.state}${role}${seats.length > 0 ? `, ${seatsText(seats)}` : ""}`;
}

/** Returns the figures that the overlay shows of a network session, by name. */
export function netFiguresOf(session: NetSession, memory: NetMemory) {
  const { net, tick, pace } = session;
  const seconds = memory.growth("time");
  const bytes = memory.growth("bytesSent");
  return {
    net: stateText(session),
    pace: pace.toFixed(2),
    ahead: signed(net.advantage),
    window: String(net.window),
    delay: String(net.delay),
    predicted: String(tick - net.known),
    stalled: String(net.stalledTicks),
    rollbacks: `${ratio(memory.growth("rollbacks"), seconds, 1)} /s`,
    resim: `${ratio(memory.growth("resimulatedTicks"), memory.growth("tick"), 2)} /tick`,
    packet: `${ratio(bytes, memory.growth("packetsSent"), 1)} B`,
    sent: `${ratio(bytes, seconds, 0)} B/s`,
  };
}

export type NetFigureName = keyof ReturnType<typeof netFiguresOf>;

/** Returns a line for each peer that has a link to this one, by seat. */
export function peerFiguresOf({ net }: NetSession): PeerFigures[] {
  const seatOf = ({ seats }: Peer) => seats[0] ?? Number.MAX_VALUE;
  const sorted = [...net.peers].sort((a, b) => seatOf(a) - seatOf(b));
  return sorted.map((peer) => {
    const { roundTrip, jitter, loss, advantage, seats, name, role, silence } = peer;
    return {
      peer: seats.length > 0 && name ? `${seats.join(", ")} ${name}` : nameOf(peer),
      trip: silence > SILENCE ? "silent" : roundTrip > 0 ? `${roundTrip.toFixed(0)} ms` : NONE,
      jitter: `${jitter.toFixed(0)} ms`,
      loss: percent(loss, 0),
      ahead: role === "playing" ? signed(advantage) : NONE,
    };
  });
}
