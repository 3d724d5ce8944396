import { desyncText, NO_HOST, noQuorumText, rejectedText } from "./net-problems.js";
import type { PeerCore } from "./peer-core.js";

/** Milliseconds for which nobody hosts the game before that counts as a problem. */
const HOSTLESS = 3000;

/** Warns of each kind of problem once: a game that stands still must not do so silently. */
export class NetWarnings {
  readonly #core: PeerCore;
  readonly #warn: (text: string) => void;
  readonly #told = new Set<string>();
  #hostlessSince = Infinity;

  constructor(core: PeerCore, warn: (text: string) => void) {
    const { net, settings } = core;
    this.#core = core;
    this.#warn = warn;
    net.on("rejected", (event) => {
      // A player that the host removed is no problem.
      if (event.by === "them" || event.code !== "kicked") this.#tell(event.code, rejectedText(event));
    });
    net.on("desync", (event) => {
      // The first warning has said what to do.
      if (event.stage !== "unknown") this.#tell(event.stage, desyncText(event));
    });
    net.on("quorum", ({ hasQuorum }) => {
      if (!hasQuorum && settings.alone === "wait")
        this.#tell("quorum", noQuorumText(net.heardMembers, net.members.length));
    });
  }

  /** Notices that nobody hosts the game. */
  poll(now: number): void {
    if (this.#core.hasState || !this.#core.net.isHostMissing) this.#hostlessSince = Infinity;
    else if (this.#hostlessSince === Infinity) this.#hostlessSince = now;
    else if (now - this.#hostlessSince >= HOSTLESS) this.#tell("host", NO_HOST);
  }

  #tell(kind: string, text: string): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#warn(`peerSession: ${text}`);
  }
}
