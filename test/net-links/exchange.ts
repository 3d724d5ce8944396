// Uses a link as peers do, from both ends. Runs in Node and in pages.
import { MAX_MESSAGE, type Link } from "../../src/net/link.js";

/** What one end of a link received. */
export interface Exchanged {
  /** Reliable messages, all in order. */
  readonly reliable: number;
  /** Unreliable messages: not all, but some. */
  readonly unreliable: number;
  /** Messages with a wrong number, length or content. */
  readonly wrong: number;
}

const LOOSE = 0;
const RELIABLE = 1;
const DONE = 2;

/** Writes message number `n` of a kind. Lengths differ, up to the longest. */
function compose(bytes: Uint8Array, kind: number, n: number): Uint8Array {
  const length = n % 50 === 0 ? MAX_MESSAGE : 3 + ((n * 37) % 200);
  bytes[0] = kind;
  bytes[1] = n;
  bytes[2] = n >> 8;
  for (let i = 3; i < length; i++) bytes[i] = kind * 31 + n * 7 + i;
  return bytes.subarray(0, length);
}

/**
 * Sends unreliable messages until some of the peer have arrived, and reliable ones as soon as the peer is there. Both ends must
 * run it. Resolves when both have received everything; rejects if the link closes before.
 */
export function exchange(link: Link, count = 300, loose = 10): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const scratch = new Uint8Array(MAX_MESSAGE);
    const expected = new Uint8Array(MAX_MESSAGE);
    let reliable = 0;
    let unreliable = 0;
    let wrong = 0;
    let sent = 0;
    let hasBegun = false;
    let isDone = false;
    let peerIsDone = false;
    const send = (kind: number, n: number) => {
      link.send(compose(scratch, kind, n), kind !== LOOSE);
      // The link has copied it.
      scratch.fill(255);
    };
    const timer = setInterval(() => send(LOOSE, sent++ % 1000), 5);
    const end = () => {
      clearInterval(timer);
      for (const off of offs) off();
    };
    const offs = [
      link.on("message", (bytes) => {
        // Before, the peer may not listen yet.
        for (let n = 0; n < count && !hasBegun; n++) send(RELIABLE, n);
        hasBegun = true;
        const [kind, low = 0, high = 0] = bytes;
        const n = low + high * 256;
        const same = compose(expected, kind!, n);
        if (bytes.length !== same.length || bytes.some((byte, i) => byte !== same[i])) wrong++;
        if (kind === LOOSE) unreliable++;
        else if (kind === RELIABLE && n !== reliable++) wrong++;
        else if (kind === DONE) peerIsDone = true;
        if (!isDone && reliable === count && unreliable >= loose) {
          isDone = true;
          send(DONE, 1);
        }
        if (!isDone || !peerIsDone) return;
        end();
        resolve({ reliable, unreliable, wrong });
      }),
      link.on("close", (reason) => {
        end();
        reject(new Error(`closed: ${reason}, after ${reliable} and ${unreliable} messages`));
      }),
    ];
  });
}

/** Resolves with the reason when a link is closed. */
export function closing(link: Link): Promise<string> {
  return new Promise((resolve) => {
    if (link.state === "closed") resolve("already closed");
    else link.on("close", resolve);
  });
}

/** Resolves when a link is open. */
export function opening(link: Link): Promise<void> {
  return new Promise((resolve, reject) => {
    if (link.state === "open") return resolve();
    link.on("open", () => resolve());
    link.on("close", (reason) => reject(new Error(`closed: ${reason}`)));
  });
}
