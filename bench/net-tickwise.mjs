// Two Tickwise sessions on a simulated network, in virtual time.
import { differentTicks, inputsOf, PeerMeter, RATE, START, stepDuel, TICK_MS } from "./net-duel.mjs";
import { source } from "./net-source.mjs";

const { button, f64, layout, random, simulatedNetwork, simulation, u32 } = source;

const buttons = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`b${i}`, button]));

/** Two players with eight buttons each: a byte. */
export const duel = simulation({
  name: "duel",
  version: 1,
  rate: RATE,
  players: 2,
  state: layout({ ...Object.fromEntries(Object.keys(START).map((name) => [name, f64])), meetings: u32 }),
  input: buttons,
  init(world) {
    Object.assign(world, START);
  },
  step(world, [first, second]) {
    stepDuel(world, byteOf(first), byteOf(second));
  },
});

function byteOf({ b0, b1, b2, b3, b4, b5, b6, b7 }) {
  return (
    (b0 ? 1 : 0) |
    (b1 ? 2 : 0) |
    (b2 ? 4 : 0) |
    (b3 ? 8 : 0) |
    (b4 ? 16 : 0) |
    (b5 ? 32 : 0) |
    (b6 ? 64 : 0) |
    (b7 ? 128 : 0)
  );
}

/** Returns a source of inputs that plays a script, one byte per tick. */
export const sourceOf = (script) => ({
  sample(words, at, { tick }) {
    words[at] = script[tick % script.length];
  },
});

/**
 * Plays a game and returns what happened to each of the two peers. `late`: B's loop starts that many ticks after A's. `skew`: how much
 * faster B's clock runs.
 */
export function playTickwise({ network, window = 8, late = 0, skew = 0 }, seed, seconds) {
  const scripts = inputsOf(seed, Math.ceil(seconds + 60) * RATE);
  const net = simulatedNetwork({ network, seed });
  const dice = random(new Uint32Array(4)).seed(`phase ${seed}`);
  const add = (seat, options) =>
    net.peer(duel, { seats: [seat], inputs: [sourceOf(scripts[seat])], delay: 0, window, ...options });
  const a = add(0, {});
  // The loops of two machines are not in phase.
  net.run(dice.float() / RATE);
  const b = add(1, { skew });
  const links = net.connect(a, b);

  let desyncs = 0;
  let isPlaying = false;
  const now = () => net.time.now();
  const meters = [a, b].map((peer, i) => {
    const { session } = peer;
    const meter = new PeerMeter(links[i], now, (reliable) => !reliable);
    session.net.on("desync", () => desyncs++);
    session.net.on("game", () => {
      meter.start(session.tick);
      peer.afterAdvance = () => meter.turn(session.tick, session.pace === 1);
    });
    session.on("confirmed", (confirmed) => {
      if (confirmed.tick !== meter.hashes.length)
        throw new Error(`confirmed tick ${confirmed.tick} out of turn`);
      const [low, high] = confirmed.hash();
      meter.hashes.push(low + high * 2 ** 32);
    });
    return meter;
  });
  a.session.net.on("game", () => {
    isPlaying = true;
    if (late === 0) return;
    b.freeze();
    net.time.after(late * TICK_MS, () => b.start());
  });
  while (!isPlaying) {
    net.run(0.01);
    if (now() > 20_000) throw new Error("the game did not start within 20 s");
  }
  net.run(seconds);

  desyncs += differentTicks(meters[0], meters[1], seconds * RATE * 0.9);
  const peers = [a, b].map(({ session }, i) => {
    const { rollbacks, resimulatedTicks, stalledTicks, bytesSent, packetsSent } = session.net;
    // A run without rollbacks, or in which nothing moves, would show nothing.
    if (rollbacks === 0 || session.world.x0 === START.x0) throw new Error("nothing happened");
    if (stalledTicks !== meters[i].stalled)
      throw new Error(`the session counts ${stalledTicks} stalled ticks, the bench ${meters[i].stalled}`);
    const { turns, stalled, scaleOne, frozen, sent, sentBytes } = meters[i];
    return {
      turns,
      stalled,
      scaleOne,
      frozen,
      sent,
      sentBytes,
      bytesSent,
      packetsSent,
      ticks: session.tick,
      resimulated: resimulatedTicks,
      window: session.net.window,
    };
  });
  net.dispose();
  return { peers, desyncs };
}
