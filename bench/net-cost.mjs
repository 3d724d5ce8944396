// What a session costs, in a process of its own: `node net-cost.mjs resimulated|quiet|heap TICKS`. Prints JSON.
import { bytesPerCall } from "./heap.mjs";
import { inputsOf } from "./net-duel.mjs";
import { source } from "./net-source.mjs";
import { duel, sourceOf } from "./net-tickwise.mjs";

const { button, i32, layout, list, loopbackPair, peerSession, Run, SCENES, simulation, writersOf } = source;

const [mode, count = "1200"] = process.argv.slice(2);
const TICKS = Number(count);
/** Ticks that each step resimulates, as messages are that late. */
const RESIMULATED = 8;
/** The pile stands still until this tick, so that all code is optimized before the measurement. */
const IDLE = 20_000;
/** Where the measurement starts: the balls have fallen, and roll about. */
const FIRST = IDLE + 120;

const { balls } = SCENES;
const { step, input, ...rest } = balls.simulation.options;
/** The pile of a thousand balls, for two: the first moves the bumper. Both have a button that the pile ignores. */
const pile = simulation({
  ...rest,
  name: "pile for two",
  players: 2,
  input: { ...input, blink: button },
  step(world, [first], context) {
    if (context.tick >= IDLE) step(world, [first], context);
  },
});

/** A game whose steps allocate nothing, to see what a session does. */
const tally = simulation({
  name: "tally",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ sums: list(2, i32) }),
  input: duel.options.input,
  step({ sums }, players) {
    for (let i = 0; i < 2; i++) {
      const { b0, b1, b2, b3 } = players[i];
      sums[i] = (sums[i] * 3 + (b0 ? 1 : 0) + (b1 ? 2 : 0) + (b2 ? 4 : 0) + (b3 ? 8 : 0)) & 0xffff;
    }
  },
});

/** The packed inputs of both players of the pile, by tick. `blinks(tick)` is the state of the button. */
function pileInputs(blinks, ticks) {
  const words = new Uint32Array(2 * pile.packing.words);
  const players = writersOf(pile.packing, 2, words);
  return Array.from({ length: ticks }, (_, tick) => {
    balls.script(players, Math.max(0, tick - IDLE));
    for (const player of players) player.blink = blinks(tick);
    return words.slice();
  });
}

const seatSource = (inputs, seat) => ({
  sample(words, at, { tick }) {
    words[at] = inputs[tick][seat];
  },
});

/** Two sessions of one game, each with a seat. Messages arrive some turns late, or at once. */
function pair(game, sources, { latency = 0, ...options }) {
  const ends = loopbackPair();
  const queues = [[], []];
  const links = ends.map((end, i) => ({
    state: "open",
    send: (bytes, reliable) => void queues[i].push({ due: turn + latency, bytes: bytes.slice(), reliable }),
    on: (event, listener) => end.on(event, listener),
    close: (reason) => end.close(reason),
  }));
  let turn = 0;
  // Small integers: a double that is returned from a call would be allocated.
  const clock = new Int32Array(1);
  const sessions = sources.map((inputs, seat) =>
    peerSession(game, {
      seats: [seat],
      links: [latency === 0 ? ends[seat] : links[seat]],
      inputs: [inputs],
      now: () => clock[0],
      ...options,
    }),
  );
  const [a, b] = sessions;
  const advance = () => {
    turn++;
    clock[0] += 17;
    for (let i = 0; i < 2; i++)
      while (queues[i].length > 0 && queues[i][0].due <= turn) {
        const { bytes, reliable } = queues[i].shift();
        ends[i].send(bytes, reliable);
      }
    a.advance();
    b.advance();
  };
  while (a.tick < FIRST || b.tick < FIRST) {
    advance();
    if (turn > 2 * FIRST) throw new Error("the game did not start");
  }
  return { sessions, advance, run: (ticks) => repeat(advance, ticks) };
}

function repeat(call, times) {
  for (let i = 0; i < times; i++) call();
}

/**
 * Two bare piles, which take the same steps as two sessions that resimulate `resimulated` ticks in every tick. Each saves the state
 * after its newest step, as a rollback needs it, to a ring of `slots`. Returns the milliseconds of the steps, and of those saves.
 */
function barePiles(inputs, resimulated, slots) {
  const runs = [new Run(pile, 1 + slots), new Run(pile, 1 + slots)];
  const step = (run) => {
    run.words.set(inputs[run.tick]);
    run.step();
  };
  for (const run of runs) {
    while (run.tick < FIRST - resimulated) step(run);
    run.save(0);
  }
  return () => {
    let steps = 0;
    let saves = 0;
    for (const run of runs) {
      // From the oldest of the ticks; the next time begins one later.
      run.load(0);
      let start = performance.now();
      step(run);
      steps += performance.now() - start;
      run.save(0);
      start = performance.now();
      for (let i = 0; i < resimulated; i++) step(run);
      const stepped = performance.now();
      run.save(1 + (run.tick % slots));
      steps += stepped - start;
      saves += performance.now() - stepped;
    }
    return { steps, saves };
  };
}

/** Times the ticks of two sessions, and the same steps of two bare piles, in turns. */
function measure(blinks, resimulated, options) {
  const last = FIRST + TICKS;
  const inputs = pileInputs(blinks, last + 100);
  const { sessions, advance } = pair(
    pile,
    [0, 1].map((seat) => seatSource(inputs, seat)),
    options,
  );
  const slots = sessions[0].memory / pile.layout.size;
  const bare = barePiles(inputs, resimulated, slots);
  const before = sessions.map(({ net }) => ({ ...figuresOf(net) }));
  const times = [];
  const bareTimes = [];
  const saveTimes = [];
  const ours = () => {
    const start = performance.now();
    advance();
    times.push(performance.now() - start);
  };
  const theirs = () => {
    const { steps, saves } = bare();
    bareTimes.push(steps);
    saveTimes.push(saves);
  };
  for (let tick = FIRST; tick < last; tick++) {
    if (tick % 2 === 0) ours();
    theirs();
    if (tick % 2 === 1) ours();
  }
  sessions.forEach(({ tick, net, world }, i) => {
    const { stalled, resimulated: ticks } = figuresOf(net);
    const perTick = (ticks - before[i].resimulated) / (last - FIRST);
    if (Math.abs(perTick - resimulated) > 0.01 || stalled > before[i].stalled)
      throw new Error(`${perTick} resimulated ticks per tick, and ${stalled - before[i].stalled} stalls`);
    const check = new Run(pile, 0);
    for (; check.tick < tick; check.step()) check.words.set(inputs[check.tick]);
    if (check.world.balls.x.some((x, ball) => x !== world.balls.x[ball]))
      throw new Error("the sessions have another pile");
  });
  return {
    times,
    bareTimes,
    saveTimes,
    steps: 2 * (1 + resimulated),
    memory: sessions[0].memory,
    saveBytes: pile.layout.size,
  };
}

const figuresOf = ({ resimulatedTicks, stalledTicks }) => ({
  resimulated: resimulatedTicks,
  stalled: stalledTicks,
});

const modes = {
  resimulated: () =>
    // Every guess is wrong.
    measure((tick) => tick % 2 === 1, RESIMULATED, {
      latency: RESIMULATED,
      delay: 0,
      window: RESIMULATED,
      maxWindow: RESIMULATED,
    }),
  quiet: () =>
    // With the default delay, inputs arrive before they are needed.
    measure((tick) => tick % 16 < 8, 0, {}),
  async heap() {
    const scripts = inputsOf("heap", 1e6);
    const bare = new Run(tally, 0);
    const advance = () => {
      const at = bare.tick % 1e6;
      bare.words[0] = scripts[0][at];
      bare.words[1] = scripts[1][at];
      bare.step();
    };
    repeat(advance, IDLE);
    const step = await bytesPerCall((ticks) => repeat(advance, ticks), 20_000);
    const { sessions, run } = pair(tally, scripts.map(sourceOf), { delay: 0 });
    const bytes = await bytesPerCall(run, 20_000);
    if (sessions[0].net.rollbacks === 0) throw new Error("nothing was resimulated");
    return { bytes: bytes / 2, step };
  },
};
console.log(JSON.stringify(await modes[mode]()));
