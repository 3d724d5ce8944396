import type { NetEvents, PeerEvent } from "../../../src/net/index.js";

const REASONS: Readonly<Record<string, string>> = {
  timeout: "is not responding",
  closed: "has closed the page or lost the connection",
  left: "has left",
  kicked: "was removed",
  hostile: "broke the rules of the protocol",
  desync: "has a different state of the game",
};

/** Says what happened to a player; "" if it does not matter. */
export function describePeerTo({ kind, name, reason }: PeerEvent, isOwn: boolean): string {
  const who = name || "Your friend";
  switch (kind) {
    case "joined":
      return isOwn ? "You are in the game." : `${who} has joined.`;
    case "dropped":
      return isOwn
        ? "The others continued without you, as they heard nothing from you. You get your seat back in a moment."
        : `${who} ${REASONS[reason] ?? reason}. A bot plays on. The seat is kept for a minute: a new invitation brings ${name || "your friend"} back.`;
    case "connected":
      return `Connected to ${name || "your friend"}.`;
    case "hostile":
      return `The connection to ${name || "your friend"} was closed: it ${reason}.`;
    default:
      return "";
  }
}

const REJECTIONS: Readonly<Record<string, string>> = {
  protocol: "You and your friend have different versions of this page. Reload both.",
  simulation: "Your friend plays a different game.",
  version: "You and your friend have different versions of the game. Reload both.",
  layout: "You and your friend have different builds of the game. Reload both.",
  "math profile": "You and your friend have different versions of the math library. Reload both.",
  "seat taken": "Your seat is taken, or kept for somebody who was disconnected. This page asks again.",
  "game full": "All four seats are taken. This page asks again when one is free.",
  kicked: "The host has removed you from the game.",
  "same peer": "This is your own invitation. Open it in another browser, or send it to a friend.",
  hostile: "The connection was closed because too many messages were invalid.",
};

/** Says why somebody cannot take part. */
export function describeRejection({ code, text, by }: NetEvents["rejected"]): string {
  const why = REJECTIONS[code] ?? text;
  return by === "us" ? `A friend could not join. ${why}` : why;
}

/** Says why a connection has ended. */
export function describeEnd(reason: string, wasOpen: boolean, isHost: boolean): string {
  if (!wasOpen)
    return isHost
      ? "The connection could not be established. Are you both on the same network? If not, tick “over the internet”, and invite again."
      : "The connection was not established in time. Press Join again for a new answer, and send that one.";
  const why =
    reason === "connection lost" ? "The connection was lost." : `The connection has ended: ${reason}.`;
  return `${why} ${isHost ? "Send a new invitation to continue together." : "Ask your friend for a new invitation, and paste it here."}`;
}
