import { desyncText, NO_HOST, noQuorumText, rejectedText, seatsText } from "../net/net-problems.js";
import { nameOf, SILENCE } from "./net-figures.js";
import type { NetSession } from "./subject.js";
import { percent } from "./text.js";

/** Why a network session stands still, or plays wrongly. */
export type NetStopKind =
  | "rejected"
  | "desync"
  | "connecting"
  | "waiting"
  | "no-quorum"
  | "game-paused"
  | "missing-inputs";

/** Why a network session plays badly. */
export type NetTroubleKind =
  | "round-trip"
  | "prediction"
  | "ahead"
  | "behind"
  | "packet-loss"
  | "rejecting"
  | "bad-messages";

/** Returns the text of a problem, if there is one. */
type NetCause = (session: NetSession) => string | false | undefined;

/** Seconds for which an event is shown. */
const SHOWN_SECONDS = 60;
/** Predicted seconds above which corrections are visible. */
const VISIBLE = 0.1;
/** Ticks of advantage that matter. */
const FAR = 2;
/** Loss above which corrections and stalls become likely. */
const HEAVY_LOSS = 0.15;

type Peer = NetSession["net"]["peers"][number];

const secondsPerTick = ({ simulation: { rate } }: NetSession) => rate[1] / rate[0];
const isRecent = (session: NetSession, tick: number) =>
  (session.confirmed - tick) * secondsPerTick(session) < SHOWN_SECONDS;
const isPlaying = ({ net, seats }: NetSession) => net.state === "playing" && seats.length > 0;

/** Returns the peer whose inputs come latest, and after how many ticks; undefined if nothing was measured yet. */
function slowest(session: NetSession) {
  let found: { readonly peer: Peer; readonly ticks: number } | undefined;
  if (!isPlaying(session)) return undefined;
  for (const peer of session.net.peers) {
    if (peer.role !== "playing" || peer.roundTrip === 0) continue;
    const ticks = Math.ceil((peer.roundTrip / 2 + peer.jitter) / 1000 / secondsPerTick(session));
    if (!found || ticks > found.ticks) found = { peer, ticks };
  }
  return found;
}

const roundTripOf = ({ roundTrip }: Peer) => `round trip ${roundTrip.toFixed(0)} ms`;
const ticksText = (ticks: number) => `${ticks} ${ticks === 1 ? "tick" : "ticks"}`;

export const NET_STOPS: { readonly [K in NetStopKind]: NetCause } = {
  rejected: ({ net }) =>
    // Sessions with a server have only the state.
    (net.state === "rejected" || net.rejection !== undefined) &&
    net.last.rejected !== undefined &&
    rejectedText(net.last.rejected),
  desync: (session) => {
    const { desync } = session.net.last;
    return desync && isRecent(session, desync.tick) && desyncText(desync);
  },
  connecting: ({ net }) =>
    net.state === "connecting" &&
    (net.peers.length > 0
      ? net.isHostMissing
        ? NO_HOST
        : "The state of the game has not arrived yet."
      : "No peer is connected. Pass links to the session, or call session.connect(link)."),
  waiting: ({ net, simulation: { players } }) => {
    if (net.state !== "waiting") return false;
    const taken = new Set(net.members.flatMap(({ seats }) => seats));
    const free = Array.from({ length: players }, (_, seat) => seat).filter((seat) => !taken.has(seat));
    return free.length > 0
      ? `The game has not begun: ${seatsText(free)} ${free.length === 1 ? "is" : "are"} free. The host starts when enough are taken.`
      : "The game has not begun yet.";
  },
  "no-quorum": ({ net }) => net.state === "no quorum" && noQuorumText(net.heardMembers, net.members.length),
  "game-paused": ({ net }) =>
    net.state === "paused" && "The players have paused the game. Call session.resume().",
  "missing-inputs": ({ net, seats: own }) => {
    const { stall } = net.last;
    if (!stall?.isStalled || ["paused", "waiting", "no quorum"].includes(net.state)) return false;
    const missing = stall.seats.filter((seat) => !own.includes(seat)).sort((a, b) => a - b);
    if (missing.length === 0) return "Waiting for inputs of others.";
    const silent = net.peers.find(
      ({ seats, silence }) => silence > SILENCE && seats.some((seat) => missing.includes(seat)),
    );
    const why = silent ? ` (no news for ${(silent.silence / 1000).toFixed(1)} s)` : "";
    return `Waiting for ${seatsText(missing)}${why}. The game goes on when the inputs arrive, or the others drop the player.`;
  },
};

export const NET_TROUBLES: { readonly [K in NetTroubleKind]: NetCause } = {
  "round-trip": (session) => {
    const found = slowest(session);
    const { delay, window } = session.net;
    return (
      found &&
      found.ticks > delay + window &&
      `Inputs of ${nameOf(found.peer)} take ${ticksText(found.ticks)} (${roundTripOf(found.peer)}), but delay ${delay} and window ${window} cover ${delay + window}: the game stalls. Raise delay.`
    );
  },
  prediction: (session) => {
    const found = slowest(session);
    const { delay, window } = session.net;
    const predicted = (found?.ticks ?? 0) - delay;
    const visible = Math.floor(VISIBLE / secondsPerTick(session));
    return (
      found &&
      predicted <= window &&
      predicted > visible &&
      `About ${ticksText(predicted)} are predicted (${roundTripOf(found.peer)}), so corrections are visible. Raise delay to ${Math.min(10, found.ticks - visible)}, or set delay: "auto".`
    );
  },
  ahead: (session) =>
    isPlaying(session) &&
    session.net.advantage >= FAR &&
    `This peer is ${session.net.advantage.toFixed(1)} ticks ahead of the others, so it predicts more than they do.${
      session.pace < 1 ? ` It runs ${percent(1 - session.pace)} slower until they have caught up.` : ""
    }`,
  behind: (session) =>
    isPlaying(session) &&
    session.net.advantage <= -FAR &&
    `This peer is ${(-session.net.advantage).toFixed(1)} ticks behind the others.${
      session.pace > 1 ? ` It runs ${percent(session.pace - 1)} faster to catch up.` : ""
    } If it stays behind, its steps are too slow or it gets too few frames.`,
  "packet-loss": ({ net }) => {
    const worst = net.peers.reduce<Peer | undefined>(
      (found, peer) => (peer.loss > (found?.loss ?? HEAVY_LOSS) ? peer : found),
      undefined,
    );
    return (
      worst &&
      `${percent(worst.loss, 0)} of the packets of ${nameOf(worst)} are lost. Inputs are sent again, but late: expect corrections and stalls.`
    );
  },
  rejecting: (session) => {
    const { rejected } = session.net.last;
    // A player that the host removed is no problem.
    if (rejected?.by !== "us" || rejected.code === "kicked" || session.net.rejection !== undefined)
      return false;
    return isRecent(session, rejected.tick) && rejectedText(rejected);
  },
  "bad-messages": ({ net }) => {
    const worst = net.peers.find(({ droppedPackets }) => droppedPackets > 0);
    return (
      worst &&
      `${worst.droppedPackets} of the messages of ${nameOf(worst)} were dropped, the last one as ${worst.lastFault}.`
    );
  },
};
