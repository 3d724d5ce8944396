/**
 * The membership rules of peer games as an executable model, and an explorer that visits every state within bounds.
 *
 * 1. A roster lists the members, the first tick of each one's inputs, and the tick at which each departed member's inputs are cut.
 *    Its host alone changes it. Each change takes the next epoch number. All epochs of one host are a term.
 * 2. The host gives its word for all ticks whose inputs it has: they are final. A member's `have` is how far it has both the inputs
 *    and the word of its epoch. A tick is certain, and confirmed, once more than half of the members have it.
 * 3. The host drops or admits one member per change. It cuts the inputs of a dropped member where its own knowledge of them ends. It
 *    admits a member from a tick for which it has not given its word.
 * 4. The host makes the next change once more than half of the members have its last roster and all ticks before the word that it had
 *    given by then.
 * 5. Any member that misses the host may stand as a candidate, with a number that skips one after its epoch. A voter answers with its
 *    `have`, unless it has a newer roster or has promised as high a number. Then its `have` is frozen, and it ignores older rosters.
 * 6. With answers from more than half of all members, the candidate gets all inputs before the highest report, called `begin`. It then
 *    issues its number as an epoch, with the same members. It drops the old host by an ordinary change later.
 * 7. In a new term each member's word is `begin`, and others count as having a tick only once they say so again.
 * 8. In a star the hub's word alone makes ticks certain, and nobody succeeds the hub unless all others have left. A star that becomes a
 *    mesh begins at the hub's word.
 * 9. A LEAVE reports the leaver's epoch, `have` and promise. Majorities are counted among the others, and `begin` respects the report.
 *    A leaver that had answered a candidate counts as a silent member for everybody but this candidate.
 * 10. A joiner first loads a state that a member is certain of, and then ignores rosters older than that member's. A peer that has
 *    restarted is a joiner, too.
 *
 * The network delays, loses, duplicates and reorders: a member may receive any input that exists, any roster, and any word of its
 * epoch at any time, or never. A crash is a silence that never ends, and anybody may suspect anybody, so neither is an action. All
 * inputs exist from the start. What others have only helps to confirm, so it is received at once.
 *
 * Not modelled: witnesses and timeouts (they make actions rarer), pauses, and departed members that are no longer listed.
 */

/** The rules that the explorer can leave out, and what happens then. */
export const RULES = {
  majorityCertain: "A member confirms what it has, without a majority.",
  haveNeedsWord: "A member says that it has a tick once it has the inputs, without the host's word.",
  wordOfOwnEpoch: "A member takes the word from packets of other epochs of the term.",
  countAnew: "In a new term, everybody counts as having all ticks before begin.",
  changesWait: "The host does not wait between two changes.",
  changesWaitForInputs: "The host waits for a majority that has the roster, but not for the ticks before it.",
  oneMember: "The host drops two members at once.",
  dropAtEnd: "The host cuts the inputs of a dropped member anywhere.",
  joinAfterWord: "The host admits a member from any tick on.",
  onlyNewer: "A member goes back to an older roster.",
  skipNumber: "A candidate's number is its epoch + 1.",
  refuseOlder: "A voter answers a candidate whose roster is older than its own.",
  oneAnswer: "A voter answers several candidates with the same number.",
  freezeHave: "What a voter says that it has grows after its answer.",
  ignoreOlder: "A voter adopts rosters that are older than its promise.",
  pendingHostWaits: "A host that has answered a candidate changes the roster.",
  keepOwnPromise: "A candidate that has answered a higher number begins with its own.",
  countSilentHost: "A candidate needs more than half of the members without the host.",
  highestReport: "A candidate begins at what it has itself.",
  inputsBeforeBegin: "A candidate begins without the inputs before begin.",
  sameMembers: "A successor drops the old host at once.",
  keepCuts: "A candidate moves an earlier cut up to begin.",
  wordEndsWithTerm: "The old host's word stays valid in the next term.",
  noStarSuccession: "A member of a star succeeds the hub.",
  meshBegin: "A mesh that was a star begins where the star began.",
  leaversGiveNoVote: "A leaver counts as an answer to every candidate, and as having every roster.",
  boundLeavers: "A leaver that has answered a candidate is left out for everybody.",
  leaverReports: "A candidate ignores the reports of leavers.",
  leaverEpochs: "A leaver is left out even if its roster was newer.",
  joinerEpoch: "A joiner adopts rosters older than the state that it has loaded.",
  restartIsJoin: "A member that has lost its memory goes on.",
} as const;

export type Rule = keyof typeof RULES;

export interface Bounds {
  /** Members of the first roster; the first one is the host. */
  readonly members: number;
  /** Peers that may join. */
  readonly joiners?: number;
  readonly ticks: number;
  readonly isStar?: boolean;
  /** The members whose inputs travel; everybody knows those of the others from the start. Default: all. */
  readonly slow?: readonly number[];
  /** How many rosters hosts may issue, how often members may stand, and how many may leave. Default: 0. */
  readonly changes?: number;
  readonly stands?: number;
  readonly leaves?: number;
  /** The highest number of a candidate. */
  readonly maxNumber: number;
  /** The rule that does not hold. */
  readonly without?: Rule;
  /** Only actions whose line matches happen. */
  readonly only?: RegExp;
}

/** Members are numbered; these lists have an item for each. A peer that joins again is another member. */
type PerMember = readonly number[];

interface Roster {
  readonly epoch: number;
  /** The first epoch of the term. */
  readonly since: number;
  readonly begin: number;
  readonly host: number;
  /** A bit per member. */
  readonly members: number;
  readonly from: PerMember;
  /** Where the inputs of departed members are cut. -1 for the others. */
  readonly until: PerMember;
  readonly isStar: boolean;
  /** The host's word when it issued the roster. */
  readonly wordBefore: number;
  /** The highest `have` in packets of this epoch, by sender. -1: none was sent. */
  readonly said: PerMember;
  /** Packets of this epoch say that all ticks before this one are certain. */
  readonly certain: number;
}

interface Member {
  /** 0 before a joiner has loaded a state. */
  readonly epoch: number;
  /** The highest number that it has answered since it adopted its roster. 0 if none. */
  readonly promised: number;
  /** Its `have` when it answered or left. */
  readonly frozen: number;
  readonly word: number;
  /** How many inputs of each member it knows. */
  readonly ends: PerMember;
  readonly confirmed: number;
  readonly hasLeft: boolean;
}

interface Candidate {
  readonly number: number;
  readonly id: number;
  readonly epoch: number;
  /** What each voter reports. -1: no answer. */
  readonly votes: PerMember;
}

export interface State {
  readonly members: readonly Member[];
  /** All that were issued, oldest first. */
  readonly rosters: readonly Roster[];
  readonly candidates: readonly Candidate[];
  /** Whose inputs each tick has (a bit per member), as it was first confirmed. -1: nobody has confirmed it. */
  readonly contents: readonly number[];
  /** How many of these may still happen. */
  readonly changes: number;
  readonly stands: number;
  readonly leaves: number;
  /** What is wrong, if anything is. */
  readonly violation: string;
}

/** Takes an action: a line to read, and what changes. */
type Emit = (line: string, change: Partial<State>) => void;

/** A member that may act, and takes part as far as it knows. */
interface Turn {
  readonly state: State;
  readonly id: number;
  readonly me: Member;
  readonly roster: Roster;
  /** Emits an action that changes this member, and perhaps more. */
  readonly act: (line: string, member: Partial<Member>, change?: Partial<State>) => void;
}

const has = (bits: number, id: number) => ((bits >> id) & 1) === 1;

const set = <T>(list: readonly T[], i: number, value: T): T[] => {
  const copy = list.slice();
  copy[i] = value;
  return copy;
};

const NAMES = ["host", "a", "b", "c", "d", "e", "f"];
const names = (bits: number) => NAMES.filter((_, id) => has(bits, id)).join(" + ") || "nobody";

/** Whether a member has answered a candidate whose roster it still waits for. */
const isPending = ({ promised, epoch }: Member) => promised > epoch;

class Model {
  readonly #bounds: Bounds;
  readonly #ids: readonly number[];

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#ids = Array.from({ length: bounds.members + (bounds.joiners ?? 0) }, (_, id) => id);
  }

  #holds(rule: Rule): boolean {
    return this.#bounds.without !== rule;
  }

  initial(): State {
    const { members: n, ticks, slow, isStar = false, changes = 0, stands = 0, leaves = 0 } = this.#bounds;
    const isKnown = (id: number) => id < n && slow !== undefined && !slow.includes(id);
    const empty = { promised: 0, frozen: -1, word: 0, confirmed: 0, hasLeft: false };
    const first = { epoch: 1, since: 1, begin: 0, host: 0, isStar, wordBefore: 0, certain: 0 };
    const lists = { from: this.#all(0), until: this.#all(-1), said: this.#all(-1) };
    return this.#settle({
      members: this.#ids.map((me) =>
        me < n
          ? { ...empty, epoch: 1, ends: this.#ids.map((id) => (id === me || isKnown(id) ? ticks : 0)) }
          : { ...empty, epoch: 0, ends: this.#all(0) },
      ),
      rosters: [{ ...first, members: (1 << n) - 1, ...lists }],
      candidates: [],
      contents: Array.from({ length: ticks }, () => -1),
      changes,
      stands,
      leaves,
      violation: "",
    });
  }

  #all(value: number): number[] {
    return this.#ids.map(() => value);
  }

  // What a member knows

  /** Returns the roster of a member that takes part, as far as it knows. */
  #rosterOf(state: State, id: number): Roster | undefined {
    const { epoch, hasLeft } = state.members[id]!;
    const roster = hasLeft ? undefined : state.rosters.find((other) => other.epoch === epoch);
    return roster && has(roster.members, id) ? roster : undefined;
  }

  /** Returns the tick before which a member has all inputs. */
  #known(roster: Roster, { ends }: Member): number {
    let known = this.#bounds.ticks;
    for (let id = 0; id < ends.length; id++) {
      const end = ends[id]!;
      if (end < known && (has(roster.members, id) || end < roster.until[id]!)) known = end;
    }
    return known;
  }

  #isFrozen(member: Member): boolean {
    return isPending(member) && this.#holds("freezeHave");
  }

  #have(roster: Roster, member: Member): number {
    if (member.hasLeft || this.#isFrozen(member)) return member.frozen;
    const known = this.#known(roster, member);
    return this.#holds("haveNeedsWord") ? Math.min(known, member.word) : known;
  }

  /** Returns what a member has said in this term that it has. */
  #heard(rosters: readonly Roster[], { since, begin }: Roster, id: number): number {
    let heard = this.#holds("countAnew") ? -1 : begin;
    for (const roster of rosters) if (roster.since === since) heard = Math.max(heard, roster.said[id]!);
    return heard;
  }

  #certain(rosters: readonly Roster[], roster: Roster, id: number, me: Member): number {
    const known = this.#known(roster, me);
    const told = Math.min(known, roster.certain);
    if (roster.isStar) return Math.max(told, Math.min(known, me.word));
    for (let tick = this.#have(roster, me); tick > told; tick--) {
      let balance = 0;
      for (const other of this.#ids) {
        if (!has(roster.members, other)) continue;
        // A word that was passed on by others shows what the host has.
        const have = other === roster.host ? me.word : this.#heard(rosters, roster, other);
        balance += other === id || have >= tick ? 1 : -1;
      }
      if (balance > 0 || !this.#holds("majorityCertain")) return tick;
    }
    return told;
  }

  /** Returns whose inputs a tick has. */
  #content({ members, from, until }: Roster, tick: number): number {
    let bits = 0;
    for (const id of this.#ids)
      if (tick >= from[id]! && (has(members, id) || tick < until[id]!)) bits |= 1 << id;
    return bits;
  }

  // What happens

  /** Returns the state after an action. */
  after(state: State, change: Partial<State>): State {
    return this.#settle({ ...state, ...change });
  }

  /** Does what follows at once: hosts give their word, all send what they have, and ticks are confirmed. */
  #settle(state: State): State {
    const members = state.members.slice();
    const rosters = state.rosters.slice();
    let { contents, violation } = state;
    const places = this.#ids.map((id) => rosters.indexOf(this.#rosterOf(state, id)!));
    places.forEach((place, id) => {
      const roster = rosters[place];
      if (!roster) return;
      let me = members[id]!;
      if (roster.host === id && !this.#isFrozen(me))
        members[id] = me = { ...me, word: Math.max(me.word, this.#known(roster, me)) };
      const have = this.#have(roster, me);
      if (have > roster.said[id]!) rosters[place] = { ...roster, said: set(roster.said, id, have) };
    });
    for (let isNews = true; isNews;) {
      isNews = false;
      places.forEach((place, id) => {
        const roster = rosters[place];
        if (!roster) return;
        const certain = this.#certain(rosters, roster, id, members[id]!);
        for (let tick = 0; tick < certain; tick++) {
          const content = this.#content(roster, tick);
          const before = contents[tick]!;
          if (before < 0) contents = set(contents, tick, content);
          else if (before !== content)
            violation ||= `${NAMES[id]} confirms tick ${tick} of ${names(content)}, confirmed before as that of ${names(before)}`;
        }
        const confirmed = Math.max(certain, members[id]!.confirmed);
        if (confirmed > members[id]!.confirmed) members[id] = { ...members[id]!, confirmed };
        if (confirmed <= roster.certain) return;
        rosters[place] = { ...roster, certain: confirmed };
        isNews = true;
      });
    }
    const candidates = state.candidates.filter(({ id, number, epoch }) => {
      const { promised, epoch: current, hasLeft } = members[id]!;
      const isKept = promised === number || (promised > number && !this.#holds("keepOwnPromise"));
      return isKept && current === epoch && !hasLeft;
    });
    return { ...state, members, rosters, contents, candidates, violation };
  }

  /** Emits each action that is possible. */
  next(state: State, emit: Emit): void {
    const { only } = this.#bounds;
    for (const id of this.#ids) {
      const me = state.members[id]!;
      if (me.hasLeft) continue;
      const act: Turn["act"] = (what, member, change) => {
        const line = `${NAMES[id]} ${what}`;
        if (only && !only.test(line)) return;
        emit(line, { members: set(state.members, id, { ...me, ...member }), ...change });
      };
      if (me.epoch === 0) this.#load(state, id, act);
      else this.#adopt(state, id, me, act);
      const roster = this.#rosterOf(state, id);
      if (!roster) continue;
      const turn: Turn = { state, id, me, roster, act };
      this.#receive(turn);
      if (roster.host === id) this.#change(turn);
      this.#stand(turn);
      for (const candidate of state.candidates)
        if (candidate.id === id) this.#begin(turn, candidate);
        else this.#answer(turn, candidate);
      if (state.leaves > 0) this.#vanish(turn);
    }
  }

  /** Inputs and the host's word arrive. */
  #receive({ state, id, me, roster, act }: Turn): void {
    for (const other of this.#ids) {
      const end = me.ends[other]!;
      const all = has(roster.members, other) ? state.members[other]!.ends[other]! : roster.until[other]!;
      if (end < all) act(`receives ${NAMES[other]}'s input ${end}`, { ends: set(me.ends, other, end + 1) });
    }
    if (roster.host === id || this.#isFrozen(me)) return;
    let newest = 0;
    for (const other of state.rosters)
      if (other === roster || (other.since === roster.since && !this.#holds("wordOfOwnEpoch")))
        newest = Math.max(newest, ...other.said);
    for (let word = me.word + 1; word <= newest; word++)
      act(`hears the word for all ticks before ${word}`, { word });
  }

  /** A member leaves, or loses its memory. */
  #vanish({ state, id, me, roster, act }: Turn): void {
    const leaves = state.leaves - 1;
    const frozen = this.#have(roster, me);
    const ends = this.#ids.map((other) => (other === id ? me.ends[id]! : 0));
    act(`leaves in epoch ${me.epoch} with ${frozen}`, { hasLeft: true, frozen, ends }, { leaves });
    const forgotten = {
      promised: 0,
      frozen: -1,
      word: roster.begin,
      ends: this.#cut(id, this.#all(0), roster),
    };
    if (!this.#holds("restartIsJoin")) act(`restarts in epoch ${me.epoch}`, forgotten, { leaves });
  }

  // Rosters

  #adopt({ rosters }: State, id: number, me: Member, act: Turn["act"]): void {
    for (const roster of rosters) {
      if (roster.epoch === me.epoch || (roster.epoch < me.epoch && this.#holds("onlyNewer"))) continue;
      if (!has(roster.members, id) || (roster.epoch < me.promised && this.#holds("ignoreOlder"))) continue;
      act(`adopts roster ${roster.epoch}`, this.#adopted(rosters, id, me, roster));
    }
  }

  #adopted(rosters: readonly Roster[], id: number, me: Member, roster: Roster): Member {
    const isSameTerm = rosters.some(({ epoch, since }) => epoch === me.epoch && since === roster.since);
    const keepsWord = isSameTerm || !this.#holds("wordEndsWithTerm");
    return {
      ...me,
      epoch: roster.epoch,
      promised: me.promised > roster.epoch ? me.promised : 0,
      frozen: me.promised > roster.epoch ? me.frozen : -1,
      word: Math.max(roster.begin, keepsWord ? me.word : 0),
      ends: this.#cut(id, me.ends, roster),
    };
  }

  /** Returns how many inputs a member knows, without those that a roster cuts. */
  #cut(me: number, ends: PerMember, { members, from, until }: Roster): number[] {
    return ends.map((end, id) => {
      if (id === me && has(members, id)) return this.#bounds.ticks;
      return until[id]! < 0 ? Math.max(end, from[id]!) : Math.min(end, until[id]!);
    });
  }

  /** A joiner loads a state that a member is certain of. */
  #load(state: State, id: number, act: Turn["act"]): void {
    for (const feeder of this.#ids) {
      const roster = this.#rosterOf(state, feeder);
      if (!roster) continue;
      const epoch = this.#holds("joinerEpoch") ? roster.epoch : 1;
      for (let tick = 0; tick <= state.members[feeder]!.confirmed; tick++)
        act(`loads the state of tick ${tick} from ${NAMES[feeder]} in epoch ${roster.epoch}`, {
          epoch,
          word: Math.max(tick, roster.begin),
          ends: this.#cut(id, this.#all(tick), roster),
          confirmed: tick,
        });
    }
  }

  /** The host drops or admits a member, or turns a star into a mesh. */
  #change(turn: Turn): void {
    const { state, id: host, me, roster } = turn;
    const { members, from, until, isStar, begin } = roster;
    if (state.changes === 0 || (isPending(me) && this.#holds("pendingHostWaits"))) return;
    if (!isStar && this.#holds("changesWait") && !this.#isEstablished(state, roster)) return;
    const issue = (what: string, change: Partial<Roster>) => {
      const issued = { ...roster, epoch: roster.epoch + 1, wordBefore: me.word, ...change };
      this.#issue(turn, `issues roster ${issued.epoch}: ${what}`, issued, { changes: state.changes - 1 });
    };
    const drop = (id: number, tick: number, others: Pick<Roster, "members" | "until">) => ({
      members: others.members & ~(1 << id),
      until: set(others.until, id, tick),
    });
    for (const id of this.#ids) {
      if (id === host || !has(members, id)) continue;
      const end = me.ends[id]!;
      for (let tick = this.#holds("dropAtEnd") ? end : 0; tick <= end; tick++)
        issue(`drops ${NAMES[id]} at tick ${tick}`, drop(id, tick, roster));
      for (const other of this.#ids)
        if (other > id && other !== host && has(members, other) && !this.#holds("oneMember"))
          issue(
            `drops ${NAMES[id]} and ${NAMES[other]}`,
            drop(id, end, drop(other, me.ends[other]!, roster)),
          );
    }
    for (const id of this.#ids) {
      if (state.rosters.some((other) => has(other.members, id) || other.until[id]! >= 0)) continue;
      const added = members | (1 << id);
      for (let tick = this.#holds("joinAfterWord") ? me.word : 0; tick <= this.#bounds.ticks; tick++)
        issue(`admits ${NAMES[id]} at tick ${tick}`, { members: added, from: set(from, id, tick), until });
    }
    const meshBegin = this.#holds("meshBegin") ? me.word : begin;
    if (isStar) issue("the star becomes a mesh", { isStar: false, begin: meshBegin });
  }

  /** Issues a roster, which its host adopts at once. */
  #issue({ state, id, me, act }: Turn, line: string, roster: Roster, change: Partial<State>): void {
    const { rosters } = state;
    const isTaken = rosters.some(({ epoch }) => epoch === roster.epoch);
    act(line, this.#adopted(rosters, id, { ...me, promised: 0 }, roster), {
      ...change,
      rosters: [...rosters, { ...roster, said: this.#all(-1), certain: 0 }].sort((a, b) => a.epoch - b.epoch),
      violation: isTaken ? `two rosters have number ${roster.epoch}` : "",
    });
  }

  /** Whether more than half have the roster, and all ticks that were final before it. */
  #isEstablished(state: State, { host, epoch, since, members, said, wordBefore }: Roster): boolean {
    const needed = this.#holds("changesWaitForInputs") ? wordBefore : 0;
    let balance = 0;
    for (const id of this.#ids) {
      if (!has(members, id)) continue;
      if (id === host || said[id]! >= needed) balance++;
      else if (!this.#isLeftOut(state.members[id]!, epoch, since)) balance--;
      else if (!this.#holds("leaversGiveNoVote")) balance++;
    }
    return balance > 0;
  }

  /** Whether a member has left, so that a candidate or host of this epoch (and term) counts without it. */
  #isLeftOut(member: Member, epoch: number, since = 0): boolean {
    if (!member.hasLeft || (member.epoch > epoch && this.#holds("leaverEpochs"))) return false;
    return !isPending(member) || member.promised === since || !this.#holds("boundLeavers");
  }

  // Succession

  #stand({ state, id, me, roster, act }: Turn): void {
    const { epoch, isStar, members } = roster;
    const isLast = this.#ids.every((other) => {
      return other === id || !has(members, other) || state.members[other]!.hasLeft;
    });
    if (state.stands === 0 || (isStar && !isLast && this.#holds("noStarSuccession"))) return;
    const lowest = Math.max(epoch + (this.#holds("skipNumber") ? 2 : 1), me.promised + 1);
    const frozen = isPending(me) ? me.frozen : this.#have(roster, me);
    for (let number = lowest; number <= this.#bounds.maxNumber; number++) {
      const candidate = { number, id, epoch, votes: set(this.#all(-1), id, frozen) };
      const candidates = [...state.candidates, candidate];
      const change = { candidates, stands: state.stands - 1 };
      act(`stands with number ${number} in epoch ${epoch}`, { promised: number, frozen }, change);
    }
  }

  #answer({ state, id, me, roster, act }: Turn, candidate: Candidate): void {
    const { number, epoch, votes } = candidate;
    const { members } = state.rosters.find((other) => other.epoch === epoch)!;
    if (!has(members, id) || votes[id]! >= 0 || number < me.promised) return;
    if (number === me.promised && this.#holds("oneAnswer")) return;
    if (me.epoch > epoch && this.#holds("refuseOlder")) return;
    const have = this.#have(roster, me);
    const answered = { ...candidate, votes: set(votes, id, have) };
    const candidates = state.candidates.map((other) => (other === candidate ? answered : other));
    const line = `answers ${NAMES[candidate.id]}'s number ${number} with ${have}`;
    act(line, { promised: number, frozen: isPending(me) ? me.frozen : have }, { candidates });
  }

  #begin(turn: Turn, { number, id, epoch, votes }: Candidate): void {
    const { me, roster, state } = turn;
    const { host } = roster;
    let { begin } = roster;
    let balance = 0;
    for (const voter of this.#ids) {
      const isCounted = voter !== host || id === host || this.#holds("countSilentHost");
      if (!has(roster.members, voter) || !isCounted) continue;
      const member = state.members[voter]!;
      let report = votes[voter]!;
      if (report >= 0) balance++;
      else if (!this.#isLeftOut(member, epoch)) balance--;
      else {
        if (!this.#holds("leaversGiveNoVote")) balance++;
        if (this.#holds("leaverReports")) report = member.frozen;
      }
      if (voter === id || this.#holds("highestReport")) begin = Math.max(begin, report);
    }
    if (balance <= 0 || (this.#known(roster, me) < begin && this.#holds("inputsBeforeBegin"))) return;
    const isDropped = id !== host && !this.#holds("sameMembers");
    const members = isDropped ? roster.members & ~(1 << host) : roster.members;
    const until = roster.until.map((tick, other) => {
      const end = me.ends[other]!;
      if (other === host && isDropped) return end;
      if (tick < 0) return tick;
      return this.#holds("keepCuts") ? Math.min(tick, end) : Math.max(begin, end);
    });
    const term = { epoch: number, since: number, host: id, begin, wordBefore: begin, isStar: false };
    const line = `begins epoch ${number} at tick ${begin} with ${names(members)}`;
    this.#issue(turn, line, { ...roster, ...term, members, until }, {});
  }
}

/** Returns a text for a state. If names do not matter, it is mostly the same for states that differ only in names. */
function keyOf({ members, rosters, candidates, contents, ...rest }: State, doNamesMatter: boolean): string {
  const signs = members.map((me, id) => {
    let sign = me.epoch * 16 + me.promised;
    sign = sign * 64 + me.word * 16 + me.frozen * 4 + me.confirmed + (me.hasLeft ? 32 : 0);
    for (const { host, members: bits, until } of rosters)
      sign = sign * 4 + (host === id ? 2 : 0) + (has(bits, id) ? 1 : 0) + until[id]! / 64;
    for (const end of me.ends) sign += end / 8;
    for (const other of members) sign += other.ends[id]! / 128;
    return sign;
  });
  const order = [...members.keys()];
  if (!doNamesMatter) order.sort((a, b) => signs[a]! - signs[b]!);
  const renamed = (bits: number) => order.reduce((sum, id, i) => sum + (has(bits, id) ? 1 << i : 0), 0);
  const codes = [rest.changes, rest.stands, rest.leaves];
  for (const bits of contents) codes.push(bits < 0 ? 999 : renamed(bits));
  for (const id of order) {
    const { epoch, promised, frozen, word, confirmed, hasLeft, ends } = members[id]!;
    codes.push(epoch, promised, frozen + 1, word, confirmed, hasLeft ? 1 : 0);
    for (const other of order) codes.push(ends[other]!);
  }
  for (const { host, members: bits, isStar, from, until, said, ...roster } of rosters) {
    codes.push(999, order.indexOf(host), renamed(bits), isStar ? 1 : 0);
    codes.push(roster.epoch, roster.since, roster.begin, roster.wordBefore, roster.certain);
    for (const id of order) codes.push(from[id]!, until[id]! + 1, said[id]! + 1);
  }
  const standing = candidates.map(({ number, id, epoch, votes }) =>
    String.fromCharCode(number, order.indexOf(id), epoch, ...order.map((voter) => votes[voter]! + 1)),
  );
  return String.fromCharCode(...codes) + standing.sort().join("");
}

export interface Exploration {
  /** How many states were visited. */
  readonly states: number;
  /** The shortest way to what was looked for: a line per action, and one for a violation. Empty if it was not found. */
  readonly trace: readonly string[];
}

/** Visits all states within bounds, nearest first, until it finds a violation or what else is looked for. */
export function explore(bounds: Bounds, isFound = ({ violation }: State) => violation !== ""): Exploration {
  const model = new Model(bounds);
  const initial = model.initial();
  const seen = new Set([keyOf(initial, bounds.only !== undefined)]);
  // The parent of each state, and which of its actions led to it.
  const parents = [-1];
  const choices = [-1];
  let states: [State, number][] = [[initial, 0]];
  while (states.length > 0) {
    const following: [State, number][] = [];
    for (const [state, place] of states) {
      let choice = -1;
      let found = false;
      model.next(state, (_, change) => {
        choice++;
        if (found) return;
        const next = model.after(state, change);
        const key = keyOf(next, bounds.only !== undefined);
        if (seen.has(key)) return;
        seen.add(key);
        following.push([next, parents.length]);
        parents.push(place);
        choices.push(choice);
        found = isFound(next);
      });
      if (!found) continue;
      const way: number[] = [];
      for (let at = parents.length - 1; at > 0; at = parents[at]!) way.unshift(choices[at]!);
      return { states: seen.size, trace: play(bounds, way.length, (_, step) => way[step]!).lines };
    }
    states = following;
  }
  return { states: seen.size, trace: [] };
}

/** Takes up to `steps` actions, until one leads to a violation. Returns a line per action, and one for the violation. */
export function play(bounds: Bounds, steps: number, choose: (count: number, step: number) => number) {
  const model = new Model(bounds);
  const lines: string[] = [];
  let state = model.initial();
  for (let step = 0; step < steps && !state.violation; step++) {
    const actions: [string, Partial<State>][] = [];
    model.next(state, (...action) => actions.push(action));
    if (actions.length === 0) break;
    const [line, change] = actions[choose(actions.length, step)]!;
    lines.push(line);
    state = model.after(state, change);
  }
  if (state.violation) lines.push(state.violation);
  return { state, lines };
}
