// One room with a thousand seats in lockstep: each seat is a client session of its own, on a simulated network, in virtual time.
import { random } from "../dist/math/index.js";
import { simulatedNetwork } from "../dist/testing/index.js";
import { squareFor } from "./lockstep-game.mjs";
import { measureRelay } from "./lockstep-relay.mjs";
import { rounded } from "./rounds.mjs";

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
/** A quick look: `npm run bench -- lockstep --quick`. */
const isQuick = process.argv.includes("--quick");
const SEATS = option("seats", 1000);
const RATE = option("rate", 30);
const SECONDS = option("seconds", isQuick ? 20 : 600);
/** Seconds within which all join. What follows is measured. */
const JOINING = 10;
/** Each client lives on one of these networks. */
const NETWORKS = [
  { latency: 20, jitter: 3, loss: 0.005 },
  { latency: 60, jitter: 15, loss: 0.02 },
  { latency: 40, jitter: 20, loss: 0.05, burst: 3 },
];
/** Seconds between two clients that come back over a new link. */
const RECONNECT_EVERY = 2;

/** Changes an input 2 to 8 times per second. */
function player(seed) {
  const dice = random(new Uint32Array(4)).seed(seed);
  const chance = dice.int(2, 8) / RATE;
  return ([inputs]) => {
    if (dice.float() < chance) inputs.act = (inputs.act + dice.int(1, 9)) % 10;
  };
}

/** Everybody plays. What was sent over older links is counted, too. */
function play() {
  const net = simulatedNetwork({ network: "LAN", seed: "lockstep" });
  const game = squareFor(SEATS, RATE);
  const relay = net.server(game, { down: "lockstep", hashEvery: RATE, kernels: "js" });
  let joins = 0;
  relay.session.net.on("client", ({ kind }) => (joins += kind === "joined" ? 1 : 0));
  const clients = [];
  const add = (number) =>
    clients.push(
      net.client(game, relay, {
        name: `p${number}`,
        window: 0,
        present: "none",
        kernels: "js",
        inputs: player(`player ${number}`),
        conditions: NETWORKS[number % NETWORKS.length],
      }),
    );
  const sum = (figure) => clients.reduce((total, { session }) => total + figure(session.net), 0);
  const figures = () => ({
    down: relay.session.net.bytesSent,
    up: sum(({ bytesSent }) => bytesSent),
    stalls: sum(({ stalledTicks }) => stalledTicks),
  });

  for (let second = 1; second <= JOINING; second++) {
    const count = Math.min(SEATS, Math.ceil((SEATS * second) / (JOINING - 2)));
    while (clients.length < count) add(clients.length);
    net.run(1);
  }
  const before = figures();
  const first = joins;
  let reconnected = 0;
  for (let second = 1; second <= SECONDS; second++) {
    net.run(1);
    // Not in the last seconds, so that everybody plays in the end.
    if (second % RECONNECT_EVERY === 0 && second < SECONDS - 8)
      net.connect(clients[(reconnected++ * 7) % SEATS], relay, NETWORKS[reconnected % NETWORKS.length]);
    if (process.stderr.isTTY || (process.argv.includes("--progress") && second % 10 === 0))
      process.stderr.write(`\r${second} of ${SECONDS} s, ${sum(({ desyncs }) => desyncs)} desyncs `);
  }
  const after = figures();

  // The relay stops here, and each client must reach its last state.
  const { tick } = relay.session;
  const behind = clients.map(({ session }) => tick - session.tick);
  relay.freeze();
  net.run(2);
  const last = relay.session.hash().join();
  const different = clients.filter(({ session }) => session.tick !== tick || session.hash().join() !== last);
  const result = {
    desyncs: sum(({ desyncs }) => desyncs) + different.length,
    playing: clients.filter(({ session }) => session.net.state === "playing").length,
    joins,
    first,
    reconnected,
    stalls: after.stalls - before.stalls,
    down: after.down - before.down,
    up: after.up - before.up,
    behind,
  };
  net.dispose();
  return result;
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.floor((values.length - 1) * share)];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const started = performance.now();
const game = play();
const { busy, stepUs } = measureRelay(SEATS, RATE, isQuick ? 30 : 120);
// After the first seconds, in which everybody joins and V8 optimizes.
const steady = busy.slice(10 * RATE);
const inMs = (ticks) => rounded((ticks * 1000) / RATE);
const result = {
  bench: "lockstep",
  seats: SEATS,
  rate: RATE,
  seconds: SECONDS,
  desyncs: game.desyncs,
  playing: game.playing,
  joins: game.joins,
  reconnected: game.reconnected,
  stalledShare: rounded(game.stalls / SEATS / (SECONDS * RATE), 5),
  behindMs: { p50: inMs(quantile(game.behind, 0.5)), max: inMs(quantile(game.behind, 1)) },
  relayUsPerTick: {
    mean: rounded(mean(steady), 1),
    p50: quantile(steady, 0.5),
    p99: quantile(steady, 0.99),
    step: rounded(stepUs, 1),
  },
  relayUsPerSeatSecond: rounded((mean(steady) * RATE) / SEATS, 1),
  relayCore: rounded((mean(steady) * RATE) / 1e6, 4),
  bytesPerSeatSecond: {
    down: rounded(game.down / SEATS / SECONDS),
    up: rounded(game.up / SEATS / SECONDS, 1),
  },
};
if (!process.argv.includes("--json")) {
  console.log(
    `One room with ${SEATS} seats in lockstep, ${RATE} ticks per second, ${SECONDS} s of virtual time (${rounded((performance.now() - started) / 1000)} s here)`,
  );
  console.table({
    desyncs: result.desyncs,
    "joins, with those that came back": result.joins,
    "ticks in which a client stalled": `${rounded(100 * result.stalledShare, 3)} %`,
    "behind the relay, ms (median, most)": `${result.behindMs.p50}, ${result.behindMs.max}`,
    "relay, CPU µs per tick (its step alone)": `${result.relayUsPerTick.mean} (${result.relayUsPerTick.step})`,
    "relay, CPU µs per seat and second": result.relayUsPerSeatSecond,
    "relay, share of a core": `${rounded(100 * result.relayCore, 2)} %`,
    "bytes per seat and second, down": result.bytesPerSeatSecond.down,
    "bytes per seat and second, up": result.bytesPerSeatSecond.up,
  });
}
console.log(JSON.stringify(result));
process.exitCode = game.desyncs === 0 && game.playing === SEATS ? 0 : 1;
