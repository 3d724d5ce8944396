import type { ApplicationMessages } from "./application-messages.js";
import { CommandExchange, type CommandSource } from "./command-exchange.js";
import type { Joining } from "./joining.js";
import type { Host } from "./membership/host.js";
import type { MemberWatch } from "./membership/member-watch.js";
import type { RosterExchange } from "./membership/roster-exchange.js";
import type { Succession } from "./membership/succession.js";
import {
  APPLICATION,
  COMMAND_PART,
  COMMANDS,
  DESCRIPTION,
  DESYNC,
  DESYNC_PART,
  FOLLOW,
  HELLO,
  LEAVE,
  LONG_ROSTER,
  PAUSE,
  readJson,
  REJECT,
  ROSTER,
  SIT,
  SNAPSHOT,
  VOTE,
  WANT,
} from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { MAX_APPLICATION } from "./routed-message.js";

/** Longest snapshot and description that are accepted, in bytes. */
const MAX_SNAPSHOT = 2 ** 28;
const MAX_DESCRIPTION = 2 ** 20;

/** The parts of a session that messages go to. */
export interface MessageTargets {
  readonly joining: Joining;
  readonly host: Host;
  readonly rosters: RosterExchange;
  readonly succession: Succession;
  readonly watch: MemberWatch;
  readonly applications: ApplicationMessages;
}

/** Gives each message of a peer, other than packets, to the part that handles it. */
export class PeerMessages {
  readonly #core: PeerCore;
  readonly #targets: MessageTargets;

  constructor(core: PeerCore, targets: MessageTargets) {
    this.#core = core;
    this.#targets = targets;
  }

  /** Takes a short message. */
  onControl(peer: Peer, type: number, body: Uint8Array, now: number): void {
    const { joining, host, rosters, succession, watch } = this.#targets;
    const { members } = this.#core;
    if (type === HELLO) return joining.onHello(peer, body);
    if (type === REJECT) return joining.onReject(peer, body);
    // All else needs an accepted hello.
    if (peer.id === 0) return;
    switch (type) {
      case FOLLOW:
        return joining.onFollow(peer, body, now);
      case SIT:
        return joining.onSit(peer, body);
      case ROSTER:
        return rosters.onRoster(peer, body);
      case VOTE:
        return succession.onVotes(peer, body, now);
      case WANT:
        return watch.onWant(peer, body);
      case LEAVE:
        peer.isFollower = false;
        return members.onLeave(peer, readJson(body));
      case DESYNC:
        return this.#core.desync.receive(peer.id, body);
      case COMMAND_PART:
        return this.#onCommandPart(peer, body);
      case PAUSE:
        if (body.length === 1 && members.streamOf(peer.id)) host.pause(body[0] === 1);
        return;
      default:
        return this.#core.peers.fault(peer, `a message of the unknown type ${type}`);
    }
  }

  /** Takes a long message. */
  onTransfer(peer: Peer, kind: number, bytes: Uint8Array): void {
    const { joining, rosters, applications } = this.#targets;
    if (kind === DESCRIPTION) return joining.onDescription(peer, bytes);
    if (peer.id === 0) return;
    switch (kind) {
      case SNAPSHOT:
        return joining.onSnapshot(peer, bytes);
      case APPLICATION:
        return applications.receive(peer, bytes);
      case LONG_ROSTER:
        return rosters.onRoster(peer, bytes);
      case DESYNC_PART:
        return this.#core.desync.receivePart(peer.id, bytes);
      case COMMANDS: {
        const problem = this.#core.commands.receive(bytes, this.#commandSource(peer));
        if (problem !== undefined) this.#core.peers.fault(peer, problem);
      }
    }
  }

  #onCommandPart(peer: Peer, body: Uint8Array): void {
    const problem = this.#core.commands.receivePart(body, this.#commandSource(peer));
    if (problem !== undefined) this.#core.peers.fault(peer, problem);
  }

  #commandSource(peer: Peer): CommandSource {
    return {
      // Without a state, no tick is far away: the snapshot is on its way.
      tick: this.#core.hasState ? this.#core.tick : Infinity,
      speaksFor: (id) =>
        id === peer.id ||
        peer === this.#core.feeder ||
        peer.asked.includes(id) ||
        this.#core.members.isDeparted(id),
      isKnown: (id, tick) => tick < (this.#core.members.streamAt(id, tick)?.end ?? 0),
    };
  }

  /** Whether to receive a long message. */
  accepts(peer: Peer, kind: number, total: number): boolean {
    if (kind === DESCRIPTION) return peer.id === 0 && total <= MAX_DESCRIPTION;
    if (peer.id === 0) return false;
    switch (kind) {
      case SNAPSHOT:
        return this.#targets.joining.expectsSnapshot(peer) && total <= MAX_SNAPSHOT;
      case COMMANDS:
        return total <= CommandExchange.maxBytes;
      case LONG_ROSTER:
      case APPLICATION:
        return total <= MAX_APPLICATION;
      case DESYNC_PART:
        return this.#core.desync.accepts(peer.id, total);
      default:
        return false;
    }
  }
}
