import type { ApplicationMessages } from "./application-messages.js";
import { CommandExchange, type CommandSource } from "./command-exchange.js";
import type { Decisions } from "./decisions.js";
import type { Joining } from "./joining.js";
import { MAX_LAST_INPUTS } from "./last-inputs.js";
import type { MemberWatch } from "./member-watch.js";
import {
  AGREE,
  APPLICATION,
  ASK_LAST_INPUTS,
  COMMAND_PART,
  COMMANDS,
  DECISION,
  DESCRIPTION,
  DESYNC,
  DESYNC_PART,
  FOLLOW,
  HELLO,
  LAST_INPUTS,
  LEAVE,
  LONG_DECISION,
  LONG_LAST_INPUTS,
  PAUSE,
  REJECT,
  SIT,
  SNAPSHOT,
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
  readonly decisions: Decisions;
  readonly watch: MemberWatch;
  readonly applications: ApplicationMessages;
}

/** Gives each message of a peer, other than packets, to the part that handles it. */
export class PeerMessages {
  readonly #core: PeerCore;
  readonly #joining: Joining;
  readonly #decisions: Decisions;
  readonly #watch: MemberWatch;
  readonly #applications: ApplicationMessages;

  constructor(core: PeerCore, { joining, decisions, watch, applications }: MessageTargets) {
    this.#core = core;
    this.#joining = joining;
    this.#decisions = decisions;
    this.#watch = watch;
    this.#applications = applications;
  }

  /** Takes a short message. */
  onControl(peer: Peer, type: number, body: Uint8Array, now: number): void {
    if (type === HELLO) return this.#joining.onHello(peer, body);
    if (type === REJECT) return this.#joining.onReject(peer, body);
    // All else needs an accepted hello.
    if (peer.id === 0) return;
    switch (type) {
      case FOLLOW:
        return this.#joining.onFollow(peer, body, now);
      case SIT:
        return this.#joining.onSit(peer, body);
      case DECISION:
        return this.#decisions.onDecision(peer, body);
      case AGREE:
        return this.#decisions.onAgreement(peer, body, now);
      case WANT:
        return this.#watch.onWant(peer, body);
      case LEAVE:
        peer.isFollower = false;
        return this.#core.members.suspect(peer.id, "left");
      case DESYNC:
        return this.#core.desync.receive(peer.id, body);
      case ASK_LAST_INPUTS:
        return this.#core.members.lastInputs.onAsk(peer, body, now);
      case LAST_INPUTS:
        return this.#core.members.lastInputs.onAnswer(peer, body);
      case COMMAND_PART:
        return this.#onCommandPart(peer, body);
      case PAUSE:
        if (body.length === 1 && this.#core.members.streamOf(peer.id))
          this.#core.members.pause(body[0] === 1);
        return;
      default:
        return this.#core.peers.fault(peer, `a message of the unknown type ${type}`);
    }
  }

  /** Takes a long message. */
  onTransfer(peer: Peer, kind: number, bytes: Uint8Array): void {
    if (kind === DESCRIPTION) return this.#joining.onDescription(peer, bytes);
    if (peer.id === 0) return;
    switch (kind) {
      case SNAPSHOT:
        return this.#joining.onSnapshot(peer, bytes);
      case APPLICATION:
        return this.#applications.receive(peer, bytes);
      case LONG_DECISION:
        return this.#decisions.onDecision(peer, bytes);
      case LONG_LAST_INPUTS:
        return this.#core.members.lastInputs.onAnswer(peer, bytes);
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
      speaksFor: (id) => id === peer.id || peer === this.#core.feeder || peer.asked.includes(id),
      isKnown: (id, tick) => tick < (this.#core.members.streamOf(id)?.end ?? 0),
    };
  }

  /** Whether to receive a long message. */
  accepts(peer: Peer, kind: number, total: number): boolean {
    if (kind === DESCRIPTION) return peer.id === 0 && total <= MAX_DESCRIPTION;
    if (peer.id === 0) return false;
    switch (kind) {
      case SNAPSHOT:
        return this.#joining.expectsSnapshot(peer) && total <= MAX_SNAPSHOT;
      case COMMANDS:
        return total <= CommandExchange.maxBytes;
      case LONG_DECISION:
      case APPLICATION:
        return total <= MAX_APPLICATION;
      case LONG_LAST_INPUTS:
        return this.#core.members.lastInputs.areMissing && total <= MAX_LAST_INPUTS;
      case DESYNC_PART:
        return this.#core.desync.accepts(peer.id, total);
      default:
        return false;
    }
  }
}
