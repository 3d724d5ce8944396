// Random games of a server and its clients, which join, leave, die and freeze, and whose lines break. Checks the laws of netcode.
import { random } from "../../src/math/index.js";
import type { ClientSession } from "../../src/net/authority/client-session.js";
import type { ServerSession } from "../../src/net/authority/server-session.js";
import { NETWORK_PROFILES, type NetworkProfile } from "../../src/net/network-profiles.js";
import { simulatedNetwork, type SimulatedPeer } from "../../src/net/simulated.js";
import { brawlFor } from "./brawl.js";

export interface ServerChaosOptions {
  readonly seed: number | string;
  readonly clients: number;
  readonly seconds: number;
  readonly network: NetworkProfile;
  /** Mean seconds between two disturbances; Infinity for none. */
  readonly disturbedEvery?: number;
  /** What the server sends. Default `"inputs"`. */
  readonly down?: "inputs" | "states";
  /** One client plays by other rules, to test the checks. */
  readonly isTampered?: boolean;
  readonly log?: (text: string) => void;
}

/** How a client fared from three seconds after its arrival on, until it was disturbed. */
export interface SteadyPlay {
  readonly name: string;
  readonly ticks: number;
  /** The share of ticks that were stepped without its input. */
  readonly late: number;
  /** How early its inputs came on average, in ticks, and how early they may come at most. */
  readonly margin: number;
  readonly allowedMargin: number;
}

export interface ServerChaosResult {
  /** Every breach of a law, as text. */
  readonly faults: string[];
  readonly ticks: number;
  /** States that clients confirmed. */
  readonly confirmed: number;
  readonly rollbacks: number;
  readonly joins: number;
  readonly drops: number;
  readonly loads: number;
  readonly longestStandstill: number;
  readonly steady: readonly SteadyPlay[];
}

const STEADY_AFTER = 8000;
/** Seconds at the end in which nobody does anything. */
const QUIET = 4;
/** Milliseconds for which a client remembers how late its inputs were. */
const CAREFUL = 6000;

type Machine = SimulatedPeer<ClientSession>;

interface Player {
  machine: Machine;
  readonly name: string;
  readonly seat: number;
  progressAt: number;
  /** Since when it has played undisturbed. */
  calmSince: number;
  start: { readonly missing: number; readonly tick: number; readonly id: number } | undefined;
  marginSum: number;
  marginCount: number;
  isAway: boolean;
}

/** How early inputs may come: 1.5 ticks, the 99th percentile of the jitter, and one tick per packet of a burst. */
function allowedMargin(network: NetworkProfile): number {
  const { jitter = 0, loss = 0, burst = 1, reorder = 0 } = NETWORK_PROFILES[network];
  // Uniform within ± jitter, so the 99th percentile is 98 % of the way from the earliest to the latest.
  const late = 2 * jitter * 0.99 + (reorder > 0.01 ? 50 + jitter : 0);
  return 1.5 + late / (1000 / 60) + (loss > 0 ? Math.max(burst, 1 / (1 - loss)) : 0);
}

/** Plays one random game. The same options give the same game. */
export function playServerChaos(options: ServerChaosOptions): ServerChaosResult {
  const {
    seed,
    clients,
    seconds,
    network,
    disturbedEvery = Infinity,
    isTampered = false,
    down = "inputs",
  } = options;
  const game = brawlFor(clients);
  const dice = random(new Uint32Array(4)).seed(`server chaos ${seed}`);
  const net = simulatedNetwork({ seed, network });
  const { time } = net;
  const faults: string[] = [];
  const hashes = new Map<number, string>();
  const all: Player[] = [];
  const live: Player[] = [];
  const steady: SteadyPlay[] = [];
  let [joins, drops, loads, confirmedStates, longestStandstill, names] = [0, 0, 0, 0, 0, 0];
  const stamp = () => `${(time.now() / 1000).toFixed(2)} s`;
  const say = (text: string) => options.log?.(`${stamp()}: ${text}`);
  const fault = (text: string) => {
    if (faults.length < 20) faults.push(`${stamp()}: ${text}`);
    say(`FAULT ${text}`);
  };

  const server = net.server(game, {
    keepSeat: 0,
    timeout: 5,
    down,
  }) as unknown as SimulatedPeer<ServerSession>;
  server.session.on("confirmed", ({ tick, hash }) => void hashes.set(tick + 1, hash().join()));
  server.session.net.on("client", ({ kind, name, reason, tick }) => {
    if (kind === "joined") joins++;
    else drops++;
    say(`${name} ${kind} ${reason} (tick ${tick})`);
    if (kind === "hostile") fault(`the server takes ${name} for hostile: ${reason}`);
  });
  let serverAt = 0;
  server.afterAdvance = (result) => {
    if (result !== "stepped") fault(`the server waits: ${result}`);
    serverAt = time.now();
  };

  const infoOf = ({ name }: Player) => server.session.net.clients.find((one) => one.name === name);
  /** Ends the measurement of a client that is about to be disturbed. */
  const disturbed = (player: Player) => {
    const { start, name, marginSum, marginCount } = player;
    const info = infoOf(player);
    const ticks = start ? server.session.tick - start.tick : 0;
    if (start && info?.id === start.id && ticks >= 240)
      steady.push({
        name,
        ticks,
        late: (info.missingInputs - start.missing) / ticks,
        margin: marginSum / Math.max(1, marginCount),
        allowedMargin: allowedMargin(network),
      });
    player.start = undefined;
    player.calmSince = time.now();
  };

  const enter = (seat: number) => {
    const name = `p${names++}`;
    const bot = random(new Uint32Array(4)).seed(`${seed} ${name}`);
    const machine = net.client(isTampered && seat === 1 ? brawlFor(clients, 2) : game, server, {
      seats: [seat],
      name,
      inputs([player]) {
        if (!player) return;
        // At last, all let go, so that every prediction is right.
        if (time.now() > (seconds - QUIET) * 1000) {
          player.go = player.hit = false;
          player.way = 0;
          return;
        }
        if (bot.chance(0.05)) player.go = !player.go;
        if (bot.chance(0.05)) player.hit = !player.hit;
        if (bot.chance(0.04)) player.way = bot.int(0, 7);
      },
    }) as unknown as Machine;
    const { session } = machine;
    const player: Player = {
      machine,
      name,
      seat,
      progressAt: time.now(),
      calmSince: time.now(),
      start: undefined,
      marginSum: 0,
      marginCount: 0,
      isAway: false,
    };
    let last = -1;
    session.on("load", ({ tick }) => {
      loads++;
      last = tick - 1;
      say(`${name} loads tick ${tick}`);
    });
    session.on("confirmed", (confirmed) => {
      confirmedStates++;
      if (last >= 0 && confirmed.tick !== last + 1)
        fault(`${name} confirmed tick ${confirmed.tick} after ${last}`);
      last = confirmed.tick;
      if (hashes.get(last + 1) !== confirmed.hash().join())
        fault(`${name} has another state at tick ${last + 1}`);
    });
    session.net.on("desync", ({ tick }) => fault(`${name} reports a desync at tick ${tick}`));
    session.net.on("server", ({ kind, reason }) => {
      say(`${name} sees the server ${kind} ${reason}`);
      if (kind === "joined" || kind === "gone") disturbed(player);
      // As an application does: it connects anew.
      if (kind === "gone" && !machine.isGone)
        time.after(200, () => {
          if (!machine.isGone) net.connect(machine, server);
        });
    });
    session.net.on("rejected", ({ code }) => fault(`${name} is rejected: ${code}`));
    let tick = 0;
    machine.afterAdvance = () => {
      const now = time.now();
      const isPlaying = session.net.state === "playing" && !player.isAway;
      // While nothing arrives, nobody can go on for long.
      const isDeaf = now - player.progressAt > 200 && (session.net.peers[0]?.silence ?? 0) > 200;
      if (session.tick !== tick || !isPlaying || isDeaf) {
        tick = session.tick;
        player.progressAt = now;
      }
      const standstill = now - player.progressAt;
      longestStandstill = Math.max(longestStandstill, standstill);
      if (standstill > 1000) {
        fault(`${name} has stood still for ${standstill.toFixed(0)} ms at tick ${tick}`);
        player.progressAt = now;
      }
      if (!isPlaying || now - player.calmSince < STEADY_AFTER) return;
      if (!player.start) {
        const info = infoOf(player);
        if (!info) return;
        player.start = { missing: info.missingInputs, tick: server.session.tick, id: info.id };
        player.marginSum = player.marginCount = 0;
      }
      player.marginSum += session.net.margin;
      player.marginCount++;
    };
    all.push(player);
    live.push(player);
  };
  for (let seat = 0; seat < clients; seat++) enter(seat);

  /** Once nothing happens any more, what clients predict is what the server gets to later. */
  const checkQuiet = () => {
    const predicted = live.map(
      ({ machine }) => [machine.session.tick, machine.session.hash().join()] as const,
    );
    while (server.session.tick < Math.max(...predicted.map(([tick]) => tick))) net.run(0.1);
    predicted.forEach(([tick, hash], i) => {
      if (hashes.get(tick) !== hash) fault(`${live[i]!.name} predicts another state at tick ${tick}`);
    });
  };

  const replace = (player: Player, after: number) => {
    live.splice(live.indexOf(player), 1);
    time.after(after, () => enter(player.seat));
  };
  const disturb = () => {
    const candidates = live.filter(({ isAway }) => !isAway);
    if (candidates.length <= 2) return;
    const player = dice.pick(candidates);
    const { machine, name } = player;
    disturbed(player);
    switch (dice.int(0, 4)) {
      case 0:
        say(`${name} is killed`);
        machine.kill();
        // Its seat is free once the server has noticed.
        return replace(player, 5500 + dice.int(0, 2000));
      case 1:
        say(`${name} is killed, and its link closes`);
        machine.kill();
        net.links(machine, server)[0].close("gone");
        return replace(player, dice.int(2000, 4000));
      case 2:
        say(`${name} leaves`);
        machine.freeze();
        machine.session.leave();
        machine.kill();
        return replace(player, dice.int(2000, 4000));
      case 3: {
        const pause = dice.int(100, 8000);
        say(`${name} freezes for ${pause} ms`);
        player.isAway = true;
        machine.freeze();
        time.after(pause, () => {
          machine.start();
          player.isAway = false;
          player.calmSince = player.progressAt = time.now();
        });
        return;
      }
      default: {
        const pause = dice.int(100, 8000);
        say(`the line of ${name} breaks for ${pause} ms`);
        player.isAway = true;
        net.cut(machine, server);
        time.after(pause, () => {
          net.restore(machine, server);
          player.isAway = false;
          player.progressAt = time.now();
          // The client is careful for some seconds.
          player.calmSince = time.now() + CAREFUL;
        });
      }
    }
  };
  if (disturbedEvery < Infinity) {
    const next = () =>
      time.after(dice.float() * 2 * disturbedEvery * 1000, () => {
        if (time.now() < (seconds - QUIET - 9) * 1000) disturb();
        next();
      });
    next();
  }

  net.run(seconds);
  for (const player of live) disturbed(player);
  checkQuiet();
  if (time.now() - serverAt > 100) fault("the server stands still");
  for (const { machine, name } of live) {
    if (machine.session.net.state !== "playing") fault(`${name} does not play: ${machine.session.net.state}`);
    else if (down === "inputs" && server.session.tick - machine.session.confirmed > 200)
      fault(`${name} is at tick ${machine.session.confirmed}, the server at ${server.session.tick}`);
  }
  if (network !== "hell") checkSteady(steady, fault);
  const rollbacks = all.reduce((sum, { machine }) => sum + machine.session.net.rollbacks, 0);
  const { tick } = server.session;
  net.dispose();
  return {
    faults,
    ticks: tick,
    confirmed: confirmedStates,
    rollbacks,
    joins,
    drops,
    loads,
    longestStandstill,
    steady,
  };
}

/** The share of inputs that were late, and how early they came on average, over many clients. */
export function meanOf(steady: readonly SteadyPlay[]): Omit<SteadyPlay, "name"> {
  const sum = (of: (one: SteadyPlay) => number) => steady.reduce((total, one) => total + of(one), 0);
  const ticks = sum((one) => one.ticks);
  return {
    ticks,
    late: sum((one) => one.late * one.ticks) / ticks,
    margin: sum((one) => one.margin * one.ticks) / ticks,
    allowedMargin: steady[0]?.allowedMargin ?? 0,
  };
}

/** Checks that inputs come in time, and not much too early. Losses come in bursts, so one game or one client may have worse luck. */
function checkSteady(steady: readonly SteadyPlay[], fault: (text: string) => void): void {
  const check = (name: string, one: Omit<SteadyPlay, "name">, luck: number, mostLate: number) => {
    if (one.late * one.ticks > mostLate)
      fault(`${name}: ${(100 * one.late).toFixed(2)} % of ${one.ticks} inputs were late`);
    if (one.margin > luck * one.allowedMargin)
      fault(
        `${name}: inputs come ${one.margin.toFixed(2)} ticks early, ${one.allowedMargin.toFixed(2)} are allowed`,
      );
  };
  const mean = meanOf(steady);
  // Of some hundred games on "bad wifi", the worst had 1.252 times what is allowed; all of them together have 0.93 times.
  check("all", mean, 1.4, 0.0125 * mean.ticks + 20);
  // One burst of 18 packets, which "bad wifi" has now and then, decides about the next eight seconds of a client.
  for (const one of steady) check(one.name, one, 3, 0.02 * one.ticks + 40);
}
