import { isQuorum } from "./agreement.js";
import type { PeerCore } from "./peer-core.js";
import type { Member } from "./roster.js";

/**
 * Returns the tick before which all inputs are known to a quorum of the voters. Such ticks are certain: of any quorum that decides
 * on the next roster, at least one voter knows these inputs.
 */
export function quorumKnown(core: PeerCore): number {
  const { members } = core;
  if (!members.isVoter) return confirmedByOthers(core);
  const { vouched: known, roster } = members;
  let best = 0;
  for (const member of roster.members) {
    if (!member.isVoter) continue;
    const candidate = knownTo(core, member, known);
    if (candidate > best && isKnownToQuorum(core, candidate, known)) best = candidate;
  }
  return best;
}

/** A peer that does not vote takes the word of those that do, or that feed it. */
function confirmedByOthers({ members, peers }: PeerCore): number {
  let confirmed = 0;
  for (const { vouched, epoch } of peers.all)
    if (epoch === members.epoch && vouched > confirmed) confirmed = vouched;
  return confirmed;
}

function isKnownToQuorum(core: PeerCore, tick: number, ownKnown: number): boolean {
  let voters = 0;
  let count = 0;
  let hasFirst = false;
  for (const member of core.members.roster.members) {
    if (!member.isVoter) continue;
    const knows = knownTo(core, member, ownKnown) >= tick;
    if (knows) count++;
    if (knows && voters === 0) hasFirst = true;
    voters++;
  }
  return isQuorum(count, hasFirst, voters);
}

/** The tick before which a voter knows all inputs, as far as we know. */
function knownTo(core: PeerCore, { id }: Member, ownKnown: number): number {
  if (id === core.id) return ownKnown;
  const peer = core.peers.find(id);
  return peer !== undefined && peer.epoch === core.members.epoch ? peer.vouched : 0;
}
