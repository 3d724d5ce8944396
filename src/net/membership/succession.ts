import { jsonMessage, readJson, VOTE } from "../messages.js";
import type { Peer } from "../peer.js";
import type { PeerCore } from "../peer-core.js";
import type { MemberWatch } from "./member-watch.js";
import type { Membership } from "./membership.js";
import { isProof, isTick, type Roster } from "./roster.js";
import type { Stream } from "./stream.js";

/** Milliseconds between two messages with answers. */
const VOTE_EVERY = 30;
/** Milliseconds of silence after which a host no longer keeps others from answering a candidate; and after which a candidate is passed over. */
const SILENCE = 250;
const WAIT = 400;
/** Milliseconds after which a candidate stands again: at least this long after it was outbid, and if it still lacks inputs. */
const RETRY = 100;
const RENEW = 2000;
/** Numbers that are further above the known ones are ignored: otherwise, one member could use them all up. */
const MAX_JUMP = 14;

/** What a member has answered: it follows a candidate if that one's succession, by its number, comes about. */
interface Vote {
  readonly id: number;
  readonly number: number;
  readonly candidate: number;
  /** The roster of the voter, and how far it has all inputs and the word of that roster's host. */
  readonly epoch: number;
  readonly since: number;
  readonly have: number;
}

/**
 * Finds a new host for a mesh. A candidate stands with a number: the epoch of its roster. Each member answers the highest number once,
 * says what it has, and ignores older rosters from then on. With answers of more than half of all members, the silent host counted as
 * one, the candidate knows how far anything may have been certain: it gets these inputs, and begins there.
 *
 * If the host was only silent for a while, it stands itself, with a higher number: those that have answered somebody else wait for it.
 */
export class Succession {
  readonly #core: PeerCore;
  readonly #members: Membership;
  readonly #watch: MemberWatch;
  readonly #random: () => number;
  /** The newest answer of each member, this one included. All pass on all answers, as some links may be broken. */
  readonly #votes = new Map<number, Vote>();
  #sentAt = -Infinity;
  #standAt = -Infinity;
  /** Somebody with an older roster stands, whom this member cannot follow. */
  #mustStand = false;

  constructor(core: PeerCore, members: Membership, watch: MemberWatch, random: () => number) {
    this.#core = core;
    this.#members = members;
    this.#watch = watch;
    this.#random = random;
  }

  /** The roster has changed: older answers no longer count. */
  adopted(): void {
    this.#mustStand = false;
    for (const { id, number } of this.#votes.values())
      if (number <= this.#members.epoch || this.#members.indexOf(id) < 0) this.#votes.delete(id);
  }

  poll(now: number): void {
    const { own, isLost, roster, streams } = this.#members;
    if (!own || isLost || roster.members.length < 2) return;
    const [host] = streams;
    const isHostGone = this.#watch.isSilent(host!, now);
    if (!isHostGone && this.#votes.size === 0) return;
    // Nobody succeeds the hub of a star, unless it is known to be gone, and there is only one other.
    if (roster.isStar && !(roster.members.length === 2 && isProof(host!.gone))) return;
    if (this.#mayStand(isHostGone, now)) this.#stand(now);
    if (this.#tryToBegin(now) || this.#votes.size === 0 || now - this.#sentAt < VOTE_EVERY) return;
    this.#sentAt = now;
    const votes = Array.from(this.#votes.values(), (vote) => [
      vote.id,
      vote.number,
      vote.candidate,
      vote.epoch,
      vote.since,
      vote.have,
    ]);
    for (const peer of this.#core.peers.all)
      if (this.#members.indexOf(peer.id) >= 0) peer.send(jsonMessage(VOTE, votes), false);
  }

  // Candidates

  /** The highest number that anybody has answered. */
  get #highest(): number {
    let highest = this.#members.promised;
    for (const { number } of this.#votes.values()) highest = Math.max(highest, number);
    return highest;
  }

  #mayStand(isHostGone: boolean, now: number): boolean {
    const { id } = this.#core;
    const { isHost } = this.#members;
    if (now < this.#standAt || !(isHost ? this.#votes.size > 0 : isHostGone || this.#mustStand)) return false;
    // Without a majority, numbers would grow for nothing.
    if (!this.#watch.hearsMajority(now)) return false;
    if (this.#firstInLine(isHostGone, now) !== id) return false;
    const vote = this.#votes.get(id);
    // Those that have a newer roster do not follow.
    if (this.#hasNewer(now)) return false;
    // It waits for answers, unless somebody has followed another candidate.
    if (vote?.candidate !== id) return true;
    for (const { number, candidate } of this.#votes.values())
      if (number >= vote.number && candidate !== id) return true;
    return false;
  }

  /** Whether a member that is heard has a newer roster than this one. */
  #hasNewer(now: number): boolean {
    const { epoch } = this.#members;
    for (const vote of this.#votes.values()) {
      const stream = vote.epoch > epoch ? this.#members.streamOf(vote.id) : undefined;
      if (stream && !this.#watch.isSilent(stream, now, WAIT)) return true;
    }
    return false;
  }

  /** The next member in the roster's order that is heard and has this roster, or a newer one. */
  #firstInLine(isHostGone: boolean, now: number): number {
    const { roster, streams, own, epoch } = this.#members;
    const index = roster.members.findIndex((member, i) => {
      const stream = streams[i]!;
      if (stream === own) return true;
      const isBehind = (this.#votes.get(member.id)?.epoch ?? epoch) < epoch;
      return !(i === 0 && isHostGone) && !isBehind && !this.#watch.isSilent(stream, now, WAIT);
    });
    return roster.members[index]!.id;
  }

  /** Stands with a number above all others. It skips one, which the host may still give to a change that is under way. */
  #stand(now: number): void {
    const { epoch } = this.#members;
    let wait = RETRY;
    for (const { quality } of this.#core.peers.all) wait = Math.max(wait, quality.roundTrip);
    this.#standAt = now + wait * (1 + this.#random() / 2);
    this.#answer(Math.max(epoch + 2, this.#highest + 1), this.#core.id);
  }

  /** Continues with the answers of a majority, if all inputs that may be certain are known. */
  #tryToBegin(now: number): boolean {
    const { id } = this.#core;
    const members = this.#members;
    const { roster, streams, promised, known } = members;
    if (!members.isPending || this.#votes.get(id)?.candidate !== id) return false;
    const { voters } = members;
    const left = streams.flatMap((stream) =>
      stream.left && !voters.includes(stream) ? [stream.left.have] : [],
    );
    const answers = voters.flatMap((stream) => this.#answerOf(stream, promised)).sort((a, b) => a - b);
    // Any majority will do: the one that has least needs least.
    const needed = Math.floor(voters.length / 2);
    if (answers.length <= needed) return false;
    const begin = Math.max(roster.begin, answers[needed]!, ...left);
    if (known < begin) {
      // The member that has the missing inputs may be gone. Other answers may need fewer inputs.
      if (now - this.#standAt > RENEW) this.#stand(now);
      return false;
    }
    const [host, ...others] = roster.members.filter((member) => member.id !== id);
    const successor: Roster = {
      ...roster,
      epoch: promised,
      since: promised,
      begin,
      // The members stay the same. The new host drops the old one later, once most members have this roster.
      members: members.isHost ? roster.members : [members.own!.member, ...others, host!],
      // Nobody may have more of their inputs than this peer: they count as far as it knows them.
      departed: roster.departed.map((member, i) => ({
        ...member,
        until: Math.min(member.until, streams[roster.members.length + i]!.end),
      })),
    };
    members.adopt(successor);
    return true;
  }

  /** What a member has, if it has answered. */
  #answerOf({ member }: Stream, number: number): readonly number[] {
    const vote = this.#votes.get(member.id);
    if (vote?.number !== number || vote.candidate !== this.#core.id) return [];
    return [vote.since === this.#members.roster.since ? vote.have : 0];
  }

  // Voters

  #answer(number: number, candidate: number): void {
    const { id } = this.#core;
    this.#members.promise(number, candidate);
    const { epoch, have, roster } = this.#members;
    this.#votes.set(id, { id, number, candidate, epoch, since: roster.since, have });
    this.#sentAt = -Infinity;
  }

  /** Takes in the answers that a member knows. */
  onVotes(peer: Peer, body: Uint8Array, now: number): void {
    const { peers, id } = this.#core;
    const members = this.#members;
    const list = readJson(body);
    if (!Array.isArray(list) || list.length > 65)
      return peers.fault(peer, "malformed answers to a candidate");
    if (!members.own || members.indexOf(peer.id) < 0) return;
    const limit = Math.max(members.epoch, this.#highest) + MAX_JUMP;
    for (const item of list as unknown[]) {
      const vote = readVote(item);
      if (!vote) return peers.fault(peer, "malformed answers to a candidate");
      const stream = members.streamOf(vote.id);
      if (!stream || vote.id === id || vote.number > limit || vote.number <= members.epoch) continue;
      // What others pass on does not count while the member itself is heard.
      if (vote.id !== peer.id && now - stream.heardDirectlyAt < SILENCE) continue;
      if (vote.number > (this.#votes.get(vote.id)?.number ?? 0)) this.#votes.set(vote.id, vote);
    }
    this.#consider(now);
  }

  /** Answers the candidate with the highest number, unless there is no need for one. */
  #consider(now: number): void {
    const members = this.#members;
    const { streams, roster, epoch } = members;
    const number = this.#highest;
    if (number <= members.promised || roster.isStar || members.isLost) return;
    const { candidate } = Array.from(this.#votes.values()).find((vote) => vote.number === number)!;
    const asked = this.#votes.get(candidate);
    if (asked?.number !== number || members.indexOf(candidate) < 0) return;
    const [host] = streams;
    const isNeeded =
      members.isPending || candidate === host!.member.id || this.#watch.isSilent(host!, now, SILENCE);
    // A host stands itself, unless others have a newer roster.
    if (asked.epoch <= epoch && (members.isHost || !isNeeded)) return;
    if (asked.epoch < epoch) this.#mustStand = true;
    else {
      this.#answer(number, candidate);
      // The candidate needs some time.
      this.#standAt = now + WAIT;
    }
  }
}

function readVote(item: unknown): Vote | undefined {
  if (!Array.isArray(item) || item.length !== 6 || !item.every(isTick)) return undefined;
  const [id, number, candidate, epoch, since, have] = item as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { id, number, candidate, epoch, since, have };
}
