// How evenly a viewer moves the picture on a bad network: ours, and others with the same snapshots. On virtual time.
import { rounded } from "./rounds.mjs";
import { crowds } from "./viewer-crowd.mjs";
import { Colyseus, Geckos } from "./viewer-peers.mjs";
import { source } from "./viewer-source.mjs";

const { carousel, CarouselJudder, simulatedNetwork } = source;

/** A quick look: `npm run bench -- viewer --quick`. */
const isQuick = process.argv.includes("--quick");
const NETWORK = { latency: 50, jitter: 20, loss: 0.05 };
const RATES = isQuick ? [20] : [10, 20, 30];
/** The figures of the last line are those of this rate. */
const RATE = 20;
const SEEDS = isQuick ? [1] : [1, 2, 3];
const FPS = 60;
/** Seconds that are left out, and that count. */
const WARM_UP = 30;
const SECONDS = 180;
/** Viewers of one server. */
const CROWD = 1000;
const NAMES = ["ours", "oursLinear", "geckos", "colyseus"];

/** Lets all contenders draw the same game. */
function draw(stateRate, seed) {
  const net = simulatedNetwork({ network: NETWORK, seed });
  const server = net.server(carousel, { stateRate });
  const viewer = net.viewer(carousel, server);
  const { session } = viewer;
  Geckos.setClock(() => net.time.now());
  const peers = { geckos: new Geckos(stateRate), colyseus: new Colyseus() };
  const truth = new Map();
  server.afterAdvance = () => {
    const { x, y } = server.session.world.riders;
    truth.set(server.session.tick, { x: x[0], y: y[0] });
  };
  session.net.on("state", ({ tick }) => {
    for (const peer of Object.values(peers)) peer.take({ time: (tick * 1000) / FPS, ...truth.get(tick) });
  });
  const judders = Object.fromEntries(NAMES.map((name) => [name, new CarouselJudder(1 / FPS)]));
  const last = {};
  let frames = 0;
  let delays = 0;
  let starvedBefore = 0;
  viewer.afterAdvance = () => {
    const { riders, walkers } = session.view(1);
    last.ours = { x: riders.x[0], y: riders.y[0] };
    last.oursLinear = { x: walkers.x[0], y: walkers.y[0] };
    for (const [name, peer] of Object.entries(peers)) last[name] = { ...(peer.draw() ?? last[name]) };
    if (net.time.now() < 1000 * WARM_UP) {
      starvedBefore = session.net.starvedFrames;
      return;
    }
    frames++;
    delays += session.net.delay;
    for (const name of NAMES) judders[name].draw(last[name].x, last[name].y, net.time.now() / 1000 + 1 / FPS);
  };
  net.run(WARM_UP + SECONDS);
  const starved = (session.net.starvedFrames - starvedBefore) / frames;
  net.dispose();
  return { judders, starved, delayMs: delays / frames };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function measure(stateRate) {
  const runs = SEEDS.map((seed) => draw(stateRate, seed));
  const of = (name, figure) => mean(runs.map(({ judders }) => judders[name][figure]));
  return {
    rms: Object.fromEntries(NAMES.map((name) => [name, of(name, "rms")])),
    worst: Object.fromEntries(NAMES.map((name) => [name, of(name, "worst")])),
    behindMs: Object.fromEntries(NAMES.map((name) => [name, 1000 * of(name, "behind")])),
    starved: mean(runs.map(({ starved }) => starved)),
    delayMs: mean(runs.map(({ delayMs }) => delayMs)),
  };
}

const percent = (share, digits = 2) => rounded(100 * share, digits);
const results = new Map(RATES.map((rate) => [rate, measure(rate)]));
console.log(
  `Judder in % of a frame's true displacement: ${FPS} frames per second, 5 % loss, 50 ± 20 ms, ${SEEDS.length * SECONDS} s`,
);
for (const [rate, { rms, worst, behindMs, starved, delayMs }] of results) {
  console.log(
    `${rate} snapshots per second; starved frames ${percent(starved, 3)} %, delay ${rounded(delayMs, 0)} ms`,
  );
  console.table(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        { rms: percent(rms[name]), worst: percent(worst[name], 1), "behind ms": rounded(behindMs[name], 0) },
      ]),
    ),
  );
}

const crowd = crowds(isQuick ? [CROWD] : [0, 1, CROWD / 10, CROWD]);
console.log("A server of 901 cubes, 20 states per second, 5 % loss, 50 to 150 ms there and back");
console.table(
  Object.fromEntries(
    [...crowd].map(([viewers, { cpu, bytes }]) => [
      `${viewers} viewers`,
      { "% of a core": percent(cpu, 1), "bytes/s each": rounded(bytes, 0) },
    ]),
  ),
);

if (process.argv.includes("--json")) {
  const { rms, starved, delayMs } = results.get(RATE);
  console.log(
    JSON.stringify({
      bench: "viewer",
      judder: Object.fromEntries(NAMES.map((name) => [name, rounded(rms[name], 4)])),
      starved: rounded(starved, 5),
      delayMs: rounded(delayMs, 0),
      crowd: {
        viewers: CROWD,
        cores: rounded(crowd.get(CROWD).cpu, 3),
        bytesPerSecondEach: rounded(crowd.get(CROWD).bytes, 0),
      },
    }),
  );
}
