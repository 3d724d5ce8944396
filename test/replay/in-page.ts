// What a page is asked: to read a golden replay and do what was recorded, and to record one.
import { readReplay, record } from "../../src/replay/index.js";
import { duelSession } from "./duel.js";
import { hashOf, summaryOf } from "./golden.js";

/** What comes out of a replay, as JSON. */
export function told(base64: string): string {
  const replay = readReplay(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  return JSON.stringify({ read: summaryOf(replay), hash: hashOf(replay) });
}

/** A recording with its states deflated by this platform. */
export async function recorded(): Promise<string> {
  const session = duelSession("page");
  const recorder = record(session, { everyTick: true, keyframes: 1 });
  session.skip(300);
  return btoa(String.fromCharCode(...(await recorder.save())));
}
