// Random games of peers on the simulated network, for the rules of membership: players come, leave, die, sleep and lose their lines,
// one or several at a time. The harness knows who is in trouble, so it can tell what must not happen to all others.
import { random } from "../../src/math/index.js";
import type { Conditions } from "../../src/net/conditioned.js";
import type { Link } from "../../src/net/link.js";
import { simulatedNetwork, type SimulatedPeer } from "../../src/net/simulated.js";
import { button, int, simulation } from "../../src/sim/index.js";
import { f64, layout, list, u32 } from "../../src/state/index.js";
import { hectic } from "./party.js";

/** All play with all; all play with seat 0 alone, who forwards; or all play with a relay, which has no seat. */
export interface Shape {
  readonly kind: "mesh" | "star" | "relay";
  readonly players: number;
}

const MS_50 = { latency: 50, jitter: 5 };
export const NETWORKS = {
  LAN: { latency: 1, jitter: 0.2 },
  "50 ms": MS_50,
  "150 ms": { latency: 150, jitter: 40 },
  "5 % loss": { ...MS_50, loss: 0.05 },
  "30 % loss": { ...MS_50, loss: 0.3 },
  duplicates: { ...MS_50, duplicate: 0.3 },
  reordering: { ...MS_50, reorder: 0.3 },
} satisfies Record<string, Conditions>;
export type Network = keyof typeof NETWORKS;

/** What happens again and again in a game. */
const EVENTS = [
  "bursts of loss",
  "one-way cuts",
  "a blackout of one",
  "a blackout of all",
  "a split",
  "a suspension",
  "a reload",
  "a kill",
  "a leave",
  "several leave",
] as const;
type Event = (typeof EVENTS)[number];
/** Games without events are about clocks and slow machines. */
const QUIET = ["nothing", "fast and slow clocks", "a machine at 45 Hz"] as const;
export const UPHEAVALS = [...QUIET, ...EVENTS, "everything"] as const;
type Upheaval = (typeof UPHEAVALS)[number];

export interface UpheavalOptions extends Shape {
  readonly seed: number | string;
  readonly network: Network;
  readonly upheaval: Upheaval;
  readonly seconds: number;
  /** Mean seconds between two events. Default 6. */
  readonly every?: number;
  readonly log?: (text: string) => void;
}

export interface UpheavalResult {
  /** Everything that must not happen, with what is needed to play the same game again. */
  readonly faults: string[];
  readonly ticks: number;
  readonly events: number;
  readonly rollbacks: number;
  readonly joins: number;
  readonly drops: number;
  /** Milliseconds of the longest standstill of a player who was not in trouble, and of the longest return to the game. */
  readonly standstill: number;
  readonly longestReturn: number;
  /** The largest share of calls of `advance` that could not step. */
  readonly stalled: number;
}

interface Player {
  readonly peer: SimulatedPeer;
  readonly session: SimulatedPeer["session"];
  readonly name: string;
  readonly token: string;
  /** -1 for the relay. */
  readonly seat: number;
  /** All sessions of the same game must agree. Whoever continues alone plays another one. */
  game: string;
  isDead: boolean;
  /** It is dead, asleep or cut off until then. Then it must be back soon. */
  troubledUntil: number;
  isBack: boolean;
  backAt: number;
  tick: number;
  progressAt: number;
}

/** One direction of a line. */
interface Line {
  readonly from: Player;
  readonly to: Player;
  readonly link: { configure(changes: Conditions): void; close(reason: string): void };
  isCut: boolean;
}

const RATE = 60;
/** Milliseconds within which a player must play (again), and in which others may still drop one that is back. */
const RETURN = 10_000;
const AFTERMATH = 2500;
const FAULTS = 5;

/** A cheap game for up to 64 players, in which everyone's inputs change everything. */
const throngFor = (players: number) =>
  simulation({
    name: "throng",
    version: 1,
    rate: RATE,
    players: players as 64,
    state: layout({ hits: u32, noise: u32, absentTicks: u32, x: list(64, f64) }),
    input: { go: button, hit: button, way: int(0, 7) },
    step(world, inputs, { random: dice }) {
      world.noise = dice.int(0, 1_000_000);
      for (let player = 0; player < players; player++) {
        const { go, way, pressed, absent } = inputs[player as 0]!;
        if (absent) world.absentTicks += 1;
        if (go) world.x[player]! += way - 3.5;
        if (!pressed.hit) continue;
        world.hits = (Math.imul(world.hits, 31) + player) >>> 0;
        world.x[(player + way + 1) % players]! += dice.float() - 0.5;
      }
    },
  });

/** Describes a game so that it can be played again. */
const titleOf = ({ kind, players, network, upheaval, seconds, every, seed }: UpheavalOptions): string =>
  `${kind} of ${players}, ${network}, ${upheaval}, ${seconds} s${every === undefined ? "" : ` every ${every} s`}, seed ${seed}`;

/** Plays one random game. The same options give the same game. */
export function playUpheaval(options: UpheavalOptions): UpheavalResult {
  const { seed, kind, players, network, upheaval, seconds, every = 6 } = options;
  const conditions: Conditions = NETWORKS[network];
  const dice = random(new Uint32Array(4)).seed(`upheaval ${titleOf(options)}`);
  const net = simulatedNetwork({ seed, network: conditions });
  const { time } = net;
  const game = throngFor(players);
  const all: Player[] = [];
  /** The newest session with an id. */
  const byId = new Map<number, Player>();
  const lines: Line[] = [];
  /** Which directions are cut now. */
  const cuts = new Set<(from: Player, to: Player) => boolean>();
  /** By game, the hash of each confirmed state, and who had it first. */
  const states = new Map<string, Map<number, { readonly hash: string; readonly by: string }>>();
  const faults: string[] = [];
  const hasHub = kind !== "mesh";
  const isEventful = !QUIET.includes(upheaval as (typeof QUIET)[0]);
  let [joins, drops, events, standstill, longestReturn] = [0, 0, 0, 0, 0];
  /** Until then, a game may stand still for longer, as its host has died, or as two wait for each other. */
  let [hostTroubleUntil, troubleUntil] = [0, 0];
  let burstAt = 0;
  /** How many packets arrive before the next event. */
  let packetsToGo = Infinity;
  let count = 0;

  const clock = () => `${(time.now() / 1000).toFixed(2)} s`;
  const say = (text: string) => options.log?.(`${clock()}: ${text}`);
  const fault = (text: string) => {
    if (faults.length < FAULTS) faults.push(`${titleOf(options)} · ${clock()}: ${text}`);
    say(`FAULT ${text}`);
  };
  const guard = <T>(name: string, call: () => T): T | undefined => {
    try {
      return call();
    } catch (error) {
      fault(`${name} throws: ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    }
  };

  // Who is there

  const live = () => all.filter(({ isDead }) => !isDead);
  const hub = () => (hasHub ? all[0] : undefined);
  const playerOf = (id: number) => byId.get(id);
  const isTroubled = (player: Player | undefined) =>
    !player || player.isDead || time.now() < player.troubledUntil || !player.isBack;
  const isHost = (player: Player) =>
    live().some(({ session }) => session.net.members[0]?.id === player.session.net.id);
  const isSettled = () =>
    live().every((player) => !isTroubled(player) && player.session.net.members.length === live().length);
  /** Whether the others can go on without these players. Two wait for each other. */
  const canSpare = (victims: readonly Player[]) =>
    (players === 2 && !hasHub && isSettled()) ||
    live().every(({ session }, _, { length }) => {
      const { members } = session.net;
      if (hasHub) return length > victims.length + 1 && !victims.includes(hub()!);
      const well = members
        .map(({ id }) => playerOf(id))
        .filter((one) => !isTroubled(one) && !victims.includes(one!));
      return 2 * well.length > members.length;
    });

  /** Notes that some players can take no part for a while, and may be dropped. */
  const trouble = (victims: readonly Player[], milliseconds: number) => {
    const until = time.now() + milliseconds;
    const affected = victims.some((player) => player === hub()) ? live() : victims;
    if (affected.some(isHost)) hostTroubleUntil = Math.max(hostTroubleUntil, until + AFTERMATH * 2);
    troubleUntil = Math.max(troubleUntil, until + AFTERMATH * 2);
    for (const player of affected) {
      player.troubledUntil = Math.max(player.troubledUntil, until);
      player.isBack = false;
    }
  };

  // Sessions and lines

  const guarded = (owner: Player, link: Link): Link => ({
    get state() {
      return link.state;
    },
    send: (bytes, reliable) => (owner.isDead ? undefined : link.send(bytes, reliable)),
    close: (reason) => link.close(reason),
    on: (event, listener) =>
      link.on(event, (info) => {
        if (owner.isDead) return;
        guard(`${owner.name}, on ${event},`, () => listener(info));
        if (--packetsToGo > 0) return;
        packetsToGo = Infinity;
        time.after(0, disturb);
      }),
  });

  const updateCuts = () => {
    for (const line of lines) {
      const isCut = Array.from(cuts).some((cut) => cut(line.from, line.to));
      if (isCut !== line.isCut) line.link.configure({ loss: isCut ? 1 : (conditions.loss ?? 0) });
      line.isCut = isCut;
    }
  };
  const cutFor = (milliseconds: number, cut: (from: Player, to: Player) => boolean) => {
    cuts.add(cut);
    updateCuts();
    time.after(milliseconds, () => {
      cuts.delete(cut);
      updateCuts();
      say("the cut is over");
    });
  };

  const watch = (player: Player) => {
    const { session, name } = player;
    let last = -1;
    session.on("load", ({ tick }) => {
      last = tick - 1;
      const hash = session.hash().join();
      const source = Array.from(states.keys()).find((key) => states.get(key)!.get(last)?.hash === hash);
      if (tick > 0 && source === undefined)
        fault(`${name} loads a state of tick ${tick} that nobody confirmed`);
      player.game = source ?? "main";
      const newest = Math.max(
        ...live()
          .filter((one) => one.game === "main" && !isTroubled(one))
          .map((one) => one.session.confirmed),
      );
      say(`${name} loads tick ${tick}`);
      if (player.game === "main" && tick < newest - 5 * RATE)
        fault(`${name} loads the old tick ${tick}, and others are at ${newest}`);
    });
    session.on("confirmed", (confirmed) => {
      const { tick } = confirmed;
      if (last >= 0 && tick !== last + 1) fault(`${name} confirms tick ${tick} after ${last}`);
      last = tick;
      let hashes = states.get(player.game);
      if (!hashes) states.set(player.game, (hashes = new Map()));
      const hash = confirmed.hash().join();
      const first = hashes.get(tick);
      if (!first) hashes.set(tick, { hash, by: name });
      else if (first.hash !== hash) fault(`${name} has another state at tick ${tick} than ${first.by}`);
    });
    session.net.on("desync", ({ tick, stage }) => fault(`${name} reports a desync at ${tick}: ${stage}`));
    session.net.on("rejected", ({ code, by }) => say(`${name} is rejected by ${by}: ${code}`));
    session.net.on("quorum", ({ hasQuorum }) => say(`${name} has ${hasQuorum ? "a" : "no"} quorum`));
    session.net.on("peer", ({ kind: what, id, name: other, reason, tick }) => {
      say(`${name} sees ${other} ${what} ${reason} (tick ${tick}, epoch ${session.net.epoch})`);
      if (what === "joined") joins++;
      if (what === "hostile" || what === "two-faced") fault(`${name} takes ${other} for ${what}: ${reason}`);
      if (what !== "dropped") return;
      drops++;
      const dropped = playerOf(id);
      // Whoever has just come back learns what happened meanwhile.
      const isNews = !isTroubled(player) && time.now() - player.backAt > AFTERMATH;
      const isExcused = isTroubled(dropped) || time.now() - dropped!.backAt < AFTERMATH;
      if (!isExcused && isNews) fault(`${name} sees that ${other} is dropped: ${reason}`);
      // It did not know yet that the others had gone on without it.
      if (dropped === player && !isNews) player.isBack = false;
    });
  };

  const enter = (seat: number, token?: string): Player => {
    const name = kind === "relay" ? `p${count++} `.padEnd(24, "abcdefgh") : `p${count++}`;
    const isClockOff = upheaval === "fast and slow clocks";
    const peer = net.peer(game, {
      seats: seat < 0 ? [] : [seat],
      relay: seat < 0,
      name,
      token: token ?? `${seed} ${name}`,
      // On a LAN, inputs would always come in time otherwise.
      delay: network === "LAN" ? 0 : 2,
      skew: isClockOff ? dice.pick([-0.0005, 0, 0.0005]) : 0,
      keepSeat: 0,
      inputs: hectic(`${seed} ${name}`),
    }) as unknown as SimulatedPeer;
    const { session } = peer;
    const now = time.now();
    const fate = { isDead: false, troubledUntil: now, isBack: false, backAt: now, tick: -1, progressAt: now };
    const player: Player = {
      peer,
      session,
      name,
      token: token ?? `${seed} ${name}`,
      seat,
      game: "main",
      ...fate,
    };
    const advance = session.advance.bind(session);
    const connect = session.connect.bind(session);
    session.advance = (timing) => guard(`${name}.advance`, () => advance(timing)) ?? "stalled";
    session.connect = (link) => void guard(`${name}.connect`, () => connect(guarded(player, link)));
    watch(player);
    for (const other of hasHub ? all.slice(0, 1) : live()) {
      const [there, back] = net.connect(other.peer, peer);
      lines.push({ from: other, to: player, link: there, isCut: false });
      lines.push({ from: player, to: other, link: back, isCut: false });
    }
    updateCuts();
    all.push(player);
    byId.set(session.net.id, player);
    return player;
  };

  /** Ends a session. Its links close at once, or are closed by a browser some seconds later. */
  const end = (player: Player, milliseconds: number) => {
    player.isDead = true;
    player.peer.kill();
    time.after(milliseconds, () => {
      for (const line of lines.slice()) {
        if (line.from !== player && line.to !== player) continue;
        line.link.close("gone");
        lines.splice(lines.indexOf(line), 1);
      }
    });
  };
  const returnAfter = (milliseconds: number, { seat, token }: Player, isSame: boolean) =>
    time.after(milliseconds, () => {
      const player = enter(seat, isSame ? token : undefined);
      say(`${player.name} takes seat ${seat}, ${isSame ? "with the same token" : "as somebody else"}`);
    });
  const leave = (player: Player) => {
    say(`${player.name} leaves`);
    trouble([player], 0);
    player.peer.freeze();
    guard(`${player.name}.leave`, () => player.session.leave());
    end(player, 5000);
  };

  // Events

  const happen: Record<Event, (victim: Player) => void> = {
    "bursts of loss"(victim) {
      // Two in a row would be longer than the timeout.
      if (time.now() - burstAt < 2000) return;
      burstAt = time.now();
      const other = dice.pick(live().filter((one) => one !== victim));
      const chance = dice.float();
      const who = chance < 0.5 ? [victim] : live();
      if (chance < 0.25 && !hasHub && players > 2) {
        say(`a burst of loss between ${victim.name} and ${other.name}`);
        return cutFor(500, (from, to) => [from, to].includes(victim) && [from, to].includes(other));
      }
      say(`a burst of loss of ${chance < 0.5 ? victim.name : "all"}`);
      // With a hub, and for two, the timeout is longer than the burst.
      if (!hasHub && players > 2) {
        if (chance < 0.5 && !canSpare(who)) return;
        trouble(who, 500);
      }
      cutFor(500, (from, to) => who.includes(from) || who.includes(to));
    },
    "one-way cuts"(victim) {
      if (!isSettled() || cuts.size > 0) return;
      const duration = dice.int(200, 4000);
      const isDeaf = dice.chance(0.5);
      if (dice.chance(0.5) && victim !== hub()) {
        say(`${isDeaf ? "nothing reaches" : "nothing comes from"} ${victim.name} for ${duration} ms`);
        trouble(players === 2 ? live() : [victim], duration);
        return cutFor(duration, (from, to) => victim === (isDeaf ? to : from));
      }
      const other = hasHub && victim !== hub() ? hub()! : dice.pick(live().filter((one) => one !== victim));
      const [from, to] = isDeaf ? [victim, other] : [other, victim];
      say(`nothing from ${from.name} reaches ${to.name} for ${duration} ms`);
      if (hasHub) trouble([from === hub() ? to : from], duration);
      else if (players === 2) trouble(live(), duration);
      cutFor(duration, (a, b) => a === from && b === to);
    },
    "a blackout of one"(victim) {
      if (!(victim === hub() ? isSettled() : canSpare([victim]))) return;
      say(`nothing reaches ${victim.name} for 3 s, or leaves it`);
      trouble(players === 2 ? live() : [victim], 3000);
      cutFor(3000, (from, to) => from === victim || to === victim);
    },
    "a blackout of all"() {
      if (!isSettled()) return;
      say("nothing reaches anybody for 3 s");
      trouble(live(), 3000);
      cutFor(3000, () => true);
    },
    "a split"(victim) {
      if (hasHub || players < 3 || !isSettled()) return;
      const here = live().filter((one) => one === victim || dice.chance(0.4));
      const there = live().filter((one) => !here.includes(one));
      const duration = dice.int(500, 8000);
      const smaller = here.length === there.length ? live() : here.length < there.length ? here : there;
      say(`${here.map(({ name }) => name).join()} and the others are apart for ${duration} ms`);
      trouble(smaller, duration);
      cutFor(duration, (from, to) => here.includes(from) !== here.includes(to));
      if (smaller.length === live().length || !dice.chance(0.5)) return;
      const [first] = smaller;
      time.after(duration * 0.7, () => {
        // Others who come now would join that game, and stay in it.
        const isQuiet = live().length === here.length + there.length && cuts.size === 1;
        if (!isQuiet || first?.session.net.state !== "no quorum") return;
        say(`${first.name} continues alone`);
        first.game = first.name;
        guard(`${first.name}.continueAlone`, () => first.session.continueAlone());
      });
    },
    "a suspension"(victim) {
      if (!canSpare([victim]) || (hasHub && victim === hub())) return;
      const isHidden = dice.chance(0.5);
      say(`${victim.name} is ${isHidden ? "hidden: it receives, but does not step" : "asleep"} for 10 s`);
      trouble(players === 2 ? live() : [victim], 10_000);
      if (!isHidden) cutFor(10_000, (from, to) => from === victim || to === victim);
      victim.peer.freeze();
      time.after(10_000, () => victim.peer.start());
    },
    "a reload"(victim) {
      if (!canSpare([victim])) return;
      const pause = dice.chance(0.5) ? 0 : 1000;
      say(`${victim.name} is reloaded, which takes ${pause} ms`);
      trouble(players === 2 ? live() : [victim], pause);
      // The page says nothing, or the browser closes its links.
      end(victim, dice.pick([0, 5000]));
      returnAfter(pause, victim, true);
    },
    "a kill"(victim) {
      if (!canSpare([victim])) return;
      const isClean = dice.chance(0.5);
      const pause = dice.int(0, 6000);
      say(`${victim.name} is killed${isClean ? ", its links close" : ""}`);
      trouble(players === 2 ? live() : [victim], pause);
      end(victim, isClean ? 0 : 5000);
      returnAfter(pause, victim, players === 2);
    },
    "a leave"(victim) {
      if (!canSpare([victim])) return;
      leave(victim);
      returnAfter(dice.int(0, 4000), victim, dice.chance(0.5));
    },
    "several leave"(victim) {
      if (!isSettled()) return;
      const others = live().filter((one) => one !== victim && one !== hub());
      const leavers = [victim, ...others.sort(() => dice.float() - 0.5).slice(0, dice.int(1, 2))];
      if (victim === hub() || leavers.length >= live().length) return;
      const isAtOnce = dice.chance(0.5);
      const pause = dice.int(200, 4000);
      leavers.forEach((player, i) => {
        if (isHost(player)) hostTroubleUntil = time.now() + 5000;
        time.after(isAtOnce ? 0 : dice.int(0, 200), () => leave(player));
        returnAfter(pause + 50 * i, player, dice.chance(0.5));
      });
    },
  };

  const disturb = () => {
    const name = upheaval === "everything" ? dice.pick(EVENTS) : (upheaval as Event);
    const candidates = live().filter((player) => !isTroubled(player));
    const hosts = candidates.filter(isHost);
    if (candidates.length > 1) {
      happen[name](dice.pick(hosts.length > 0 && dice.chance(0.3) ? hosts : candidates));
      events++;
    }
    plan();
  };
  /** Something happens at a random packet. At the end, all get the time to return. */
  const plan = () => {
    const pause = -Math.log(1 - dice.float()) * every * 1000;
    if (!isEventful) return;
    const longest = upheaval === "a suspension" || upheaval === "everything" ? 10_000 : 8000;
    if (time.now() + pause < seconds * 1000 - RETURN - longest)
      time.after(pause, () => (packetsToGo = dice.int(1, 300)));
  };

  // What must go on

  /** Whether a player may wait for others: too many members of its game are in trouble. */
  const mayLackQuorum = ({ session: { net: info } }: Player) => {
    if (hasHub) return isTroubled(hub());
    return 2 * info.members.filter(({ id }) => isTroubled(playerOf(id))).length >= info.members.length;
  };
  const check = (player: Player) => {
    const now = time.now();
    const { session, name } = player;
    const { state, members, epoch } = session.net;
    const isPlaying = state === "playing" || (player.seat < 0 && state !== "no quorum");
    const isMoving = isPlaying && session.tick !== player.tick;
    player.tick = session.tick;
    if (isMoving || now < player.troubledUntil || (state === "no quorum" && mayLackQuorum(player)))
      player.progressAt = now;
    if (now < player.troubledUntil) return;
    const about = `${state}, tick ${session.tick}, confirmed ${session.confirmed}, known ${session.net.known}, epoch ${epoch}, ${members.length} members`;
    const since = now - player.troubledUntil;
    if (!player.isBack) {
      const isBack = isMoving && members.some(({ id }) => id === session.net.id) && session.tick > 0;
      if (isBack) {
        longestReturn = Math.max(longestReturn, since);
        Object.assign(player, { isBack, backAt: now, progressAt: now });
      } else if (since > RETURN) {
        fault(`${name} does not play ${(since / 1000).toFixed(1)} s after it could again: ${about}`);
        player.troubledUntil = now;
      }
      return;
    }
    const still = now - player.progressAt;
    const isTwo = members.length < 3 && now < troubleUntil;
    const limit = isTwo ? 6000 : now < hostTroubleUntil ? 2500 : 1000;
    if (!isTwo) standstill = Math.max(standstill, still);
    if (still <= limit) return;
    fault(`${name} has stood still for ${still.toFixed(0)} ms: ${about}`);
    player.progressAt = now;
  };

  if (kind === "relay") enter(-1);
  for (let seat = 0; seat < players; seat++) enter(seat);
  if (upheaval === "a machine at 45 Hz") {
    const { peer, session } = dice.pick(all.filter(({ seat }) => seat >= 0));
    const turn = () => {
      session.advance();
      time.after(1000 / 45, turn);
    };
    peer.freeze();
    turn();
  }
  time.after(3000, plan);
  while (time.now() < seconds * 1000 && faults.length < FAULTS) {
    net.run(0.05);
    for (const player of live()) check(player);
  }

  // A game in which nothing happened proves nothing.
  const ticks = Math.max(...live().map(({ session }) => session.tick));
  const sessions = all.map(({ session }) => session);
  const rollbacks = sessions.reduce((sum, session) => sum + session.net.rollbacks, 0);
  const stalled = Math.max(
    ...live().map(({ session }) => session.net.stalledTicks / (session.net.stalledTicks + session.tick)),
  );
  if (faults.length === 0) {
    for (const player of live()) {
      const { session, name } = player;
      if (isTroubled(player)) fault(`${name} is not back at the end: ${session.net.state}`);
      if (ticks - session.confirmed > 2 * RATE)
        fault(`${name} has confirmed ${session.confirmed} of ${ticks} ticks`);
      if (session.net.members.length !== live().length)
        fault(`${name} sees ${session.net.members.length} members of ${live().length}`);
    }
    if (rollbacks < 30 || joins < players - 1) fault(`trivial: ${rollbacks} rollbacks and ${joins} joins`);
    if (new Set(Array.from(states.get("main")?.values() ?? [], ({ hash }) => hash)).size < ticks / 2)
      fault("trivial: the states do not change");
    if (isEventful && events === 0) fault("trivial: no event");
    const least = isEventful ? 0.3 : upheaval === "a machine at 45 Hz" ? 0.7 : 0.9;
    if (ticks < least * RATE * (seconds - 3)) fault(`only ${ticks} ticks in ${seconds} s`);
  }
  net.dispose();
  return { faults, ticks, events, rollbacks, joins, drops, standstill, longestReturn, stalled };
}

/** All shapes, on all networks, with all upheavals. Relays for many are slow to simulate, so they play less. */
const SHAPES: readonly Shape[] = [
  ...[2, 3, 4, 8].map((players) => ({ kind: "mesh", players }) as const),
  ...[3, 4, 5, 6, 7, 8].map((players) => ({ kind: "star", players }) as const),
  ...[8, 25, 64].map((players) => ({ kind: "relay", players }) as const),
];

/** Returns the games of five minutes with a seed, in random order: all, or a share of them. */
export function gridOf(seed: number | string, share = 1): UpheavalOptions[] {
  const dice = random(new Uint32Array(4)).seed(`grid ${seed}`);
  const networks = Object.keys(NETWORKS) as Network[];
  const games = SHAPES.flatMap((shape) =>
    UPHEAVALS.flatMap((upheaval) =>
      (shape.players > 8 ? [dice.pick(networks)] : networks).map((network) => {
        const seconds = { 25: 60, 64: 30 }[shape.players] ?? 300;
        return { game: { ...shape, network, upheaval, seconds, seed }, order: dice.float() };
      }),
    ),
  );
  games.sort((a, b) => a.order - b.order);
  return games.slice(0, Math.ceil(share * games.length)).map(({ game }) => game);
}
