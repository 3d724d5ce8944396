// What a session costs, in a process of its own: `node net-cost.mjs resimulated|quiet|heap ROUNDS`. Prints JSON.
import { bytesPerCall } from "./heap.mjs";
import { inputsOf } from "./net-duel.mjs";
import { source } from "./net-source.mjs";
import { duel, sourceOf } from "./net-tickwise.mjs";
import { interleave } from "./rounds.mjs";

const { button, i32, layout, list, loopbackPair, peerSession, Run, SCENES, simulation, writersOf } = source;

const [mode, count = "31"] = process.argv.slice(2);
// By what the processor did, and not by the clock: differences of a hundredth matter, and turns are long.
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const ROUNDS = { warmUp: 3, rounds: Number(count), now };
/** Ticks of a round. */
const TICKS = 20;
/** Ticks that each step resimulates, as messages are that late. */
const RESIMULATED = 8;
/** Where the measurement starts: the balls have fallen, and roll about. */
const FIRST = 120;

const { balls } = SCENES;
const { step, input, ...rest } = balls.simulation.options;
/** The pile of a thousand balls, for two: the first moves the bumper. Both have a button that the pile ignores. */
const pile = simulation({
  ...rest,
  name: "pile for two",
  players: 2,
  input: { ...input, blink: button },
  step(world, [first], context) {
    step(world, [first], context);
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
    balls.script(players, tick);
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
    send(bytes, reliable) {
      // Before the first turn, the other session does not listen yet.
      if (latency === 0 && turn > 0) end.send(bytes, reliable);
      else queues[i].push({ due: turn + latency, bytes: bytes.slice(), reliable });
    },
    on: (event, listener) => end.on(event, listener),
    close: (reason) => end.close(reason),
  }));
  let turn = 0;
  // Small integers: a double that is returned from a call would be allocated.
  const clock = new Int32Array(1);
  const sessions = sources.map((inputs, seat) =>
    peerSession(game, {
      seats: [seat],
      links: [links[seat]],
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
    if (turn > 10 * FIRST) throw new Error("the game did not start");
  }
  return { sessions, advance, run: (ticks) => repeat(advance, ticks) };
}

function repeat(call, times) {
  for (let i = 0; i < times; i++) call();
}

/** Bare steps of two piles in turn: in each round the same ticks several times, as resimulation does. */
function bareSteps(inputs, ticks, times) {
  const runs = [new Run(pile, 1), new Run(pile, 1)];
  const advance = () => {
    for (const run of runs) {
      run.words.set(inputs[run.tick]);
      run.step();
    }
  };
  repeat(advance, FIRST);
  return () => {
    for (const run of runs) run.save(0);
    for (let i = 0; i < times; i++) {
      for (const run of runs) run.load(0);
      repeat(advance, ticks);
    }
  };
}

/** Times a pair of sessions and as many bare steps, round by round. */
function measure(blinks, ticks, stepsPerTick, options) {
  const inputs = pileInputs(blinks, 1000 + (ROUNDS.warmUp + ROUNDS.rounds) * ticks);
  const { sessions, run } = pair(
    pile,
    [0, 1].map((seat) => seatSource(inputs, seat)),
    options,
  );
  const before = sessions.map(({ tick, net }) => ({
    tick,
    resimulated: net.resimulatedTicks,
    stalled: net.stalledTicks,
  }));
  const bare = bareSteps(inputs, ticks, stepsPerTick);
  const [times, bareTimes] = interleave([{ run: () => run(ticks) }, { run: bare }], ROUNDS);
  const counts = sessions.map(({ tick, net }, i) => ({
    resimulated: (net.resimulatedTicks - before[i].resimulated) / (tick - before[i].tick),
    stalled: net.stalledTicks - before[i].stalled,
  }));
  const [{ tick, world }] = sessions;
  const check = new Run(pile, 0);
  for (; check.tick < tick; check.step()) check.words.set(inputs[check.tick]);
  if (check.world.balls.x.some((x, i) => x !== world.balls.x[i])) throw new Error("not the same pile");
  const expected = stepsPerTick - 1;
  for (const { resimulated, stalled } of counts)
    if (Math.abs(resimulated - expected) > 0.01 || stalled > 0)
      throw new Error(`${resimulated} resimulated ticks per tick, ${stalled} stalls`);
  return {
    times: [...times],
    bareTimes: [...bareTimes],
    steps: 2 * stepsPerTick * ticks,
    memory: sessions[0].memory,
  };
}

const modes = {
  resimulated: () =>
    // Every guess is wrong.
    measure((tick) => tick % 2 === 1, TICKS, RESIMULATED + 1, {
      latency: RESIMULATED,
      delay: 0,
      window: RESIMULATED,
      maxWindow: RESIMULATED,
    }),
  quiet: () =>
    // With the default delay, inputs arrive before they are needed.
    measure((tick) => tick % 16 < 8, 3 * TICKS, 1, {}),
  async heap() {
    const scripts = inputsOf("heap", 1e5);
    const bare = new Run(tally, 0);
    const advance = () => {
      const at = bare.tick % 1e5;
      bare.words[0] = scripts[0][at];
      bare.words[1] = scripts[1][at];
      bare.step();
    };
    repeat(advance, 5000);
    const step = await bytesPerCall((ticks) => repeat(advance, ticks), 20_000);
    const { sessions, run } = pair(tally, scripts.map(sourceOf), { delay: 0 });
    run(5000);
    const bytes = await bytesPerCall(run, 20_000);
    if (sessions[0].net.rollbacks === 0) throw new Error("nothing was resimulated");
    return { bytes: bytes / 2, step };
  },
};
console.log(JSON.stringify(await modes[mode]()));
