// Messages outside the simulation, with the ids of their sender and receiver in front:
//
//   id of the sender 4 bytes · id of the receiver 4, 0 for all · the bytes
import { badValue, requireType } from "../errors/index.js";

/** The longest message with its ids, in bytes. */
export const MAX_APPLICATION = 2 ** 16;
const HEAD = 8;

/** Checks the arguments of `Session.send`, and returns the message with its ids. */
export function routedMessage(bytes: Uint8Array, from: number, to: number | undefined): Uint8Array {
  if (!(bytes instanceof Uint8Array))
    badValue("Session.send: bytes", "a Uint8Array", bytes, "new TextEncoder().encode(text)");
  const most = MAX_APPLICATION - HEAD;
  if (bytes.length > most)
    badValue("Session.send: bytes.length", `at most ${most}`, bytes.length, "several messages");
  if (to !== undefined) requireType("Session.send: to", to, "number", "session.net.peers[0].id");
  const routed = new Uint8Array(HEAD + bytes.length);
  const view = new DataView(routed.buffer);
  view.setUint32(0, from);
  view.setUint32(4, to ?? 0);
  routed.set(bytes, HEAD);
  return routed;
}

/** A message outside the simulation. */
export interface Routed {
  readonly from: number;
  /** The id of the receiver; 0 for all. */
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** Reads a message with its ids. Returns undefined if it is too short. */
export function readRouted(routed: Uint8Array): Routed | undefined {
  if (routed.length < HEAD) return undefined;
  const view = new DataView(routed.buffer, routed.byteOffset, routed.length);
  return { from: view.getUint32(0), to: view.getUint32(4), bytes: routed.slice(HEAD) };
}

/** Replaces the id of the sender. */
export function setSender(routed: Uint8Array, from: number): void {
  new DataView(routed.buffer, routed.byteOffset, routed.length).setUint32(0, from);
}
