// Runs in a page: reads and verifies a golden replay, and records one.
import { readReplay, record } from "../../src/replay/index.js";
import { duelSession } from "./duel.js";
import { hashOf, summaryOf } from "./golden.js";

/** Reads and verifies a replay; returns the summary as JSON. */
export function summarize(base64: string): string {
  const replay = readReplay(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  return JSON.stringify({ read: summaryOf(replay), hash: hashOf(replay) });
}

/** Returns a recording whose states were deflated by this platform. */
export async function recorded(): Promise<string> {
  const session = duelSession("page");
  const recorder = record(session, { everyTick: true, keyframes: 1 });
  session.skip(300);
  return btoa(String.fromCharCode(...(await recorder.save())));
}
