// Snapshots of Fiedler's 901 cubes: the bytes and times of his encoding, ours, and others, on the same recording.
import { Fiedler } from "./snapshots-fiedler.mjs";
import { packetsOf, RATE } from "./snapshots-line.mjs";
import { imagesOf, KERNELS, Ours } from "./snapshots-ours.mjs";
import { brotli, Colyseus, deflate, Geckos } from "./snapshots-peers.mjs";
import { loadCubes, source } from "./snapshots-source.mjs";
import { compare, interleave, rounded, spread } from "./rounds.mjs";

/** A quick look: `npm run bench -- snapshots --quick`. */
const isQuick = process.argv.includes("--quick");
const LOSS = 0.05;
const SEEDS = isQuick ? [1] : [1, 2, 3];
/** The first packets have no second baseline yet. They are left out, for all contenders. */
const SKIPPED = 12;
/** Every how many packets one is timed. */
const TIMED = 7;
/** In processor time, which other load on the machine affects less. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const TIMING = isQuick ? { warmUp: 20, rounds: 21, now } : { warmUp: 60, rounds: 101, now };

const { DENSE_FRAMES, IDLE_FRAME } = source;
const recording = loadCubes();
const dense = recording.slice(0, DENSE_FRAMES);
const idle = recording.slice(IDLE_FRAME);

/** Sends all frames. Returns the mean rate in kbit/s. Fails if a packet that arrives does not give the frame that was sent. */
function rateOf(name, codec, frames, packets) {
  let bytes = 0;
  let count = 0;
  for (const packet of packets.slice(1)) {
    const sent = codec.encode(packet, frames);
    if (packet.number >= SKIPPED) {
      bytes += sent.length;
      count++;
    }
    if (packet.arrives) check(name, codec.decodeFrame(sent.slice(), frames, packet), frames, packet);
  }
  return (bytes / count) * 8 * (RATE / 1000);
}

function check(name, frame, frames, { number }) {
  const wanted = frames[number];
  for (let i = 0; i < wanted.length; i++)
    if (frame[i] !== wanted[i])
      throw new Error(`${name}: value ${i % 8} of cube ${i >> 3} differs in frame ${number}`);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const images = imagesOf(dense);
const ours = () => new Ours(images);
const perfect = packetsOf(dense.length, 0, 1);
const lossy = SEEDS.map((seed) => packetsOf(dense.length, LOSS, seed));
const lossyRate = (name, make) => mean(lossy.map((packets) => rateOf(name, make(), dense, packets)));

const makers = {
  fiedler: () => new Fiedler(),
  ours,
  brotli,
  deflate,
  colyseus: () => new Colyseus(dense[0]),
  geckos: () => new Geckos(),
};
/** Their packets do not depend on each other, and a quick look takes a sample. */
const SLOW = new Set(["brotli", "deflate", "geckos"]);
const sample = perfect.filter(({ number }) => number % TIMED === 0);
const kbits = {};
const lossKbits = {};
for (const [name, make] of Object.entries(makers)) {
  kbits[name] = rateOf(name, make(), dense, isQuick && SLOW.has(name) ? sample : perfect);
  if (name === "fiedler" || name === "ours") lossKbits[name] = lossyRate(name, make);
}
const still = packetsOf(idle.length, 0, 1);
const idleKbits = {
  fiedler: rateOf("fiedler", new Fiedler(), idle, still),
  ours: rateOf("ours", new Ours(imagesOf(idle)), idle, still),
};

const timed = perfect.filter(({ number }) => number >= SKIPPED && number % TIMED === 0);
/** Codecs to time: what they encode and decode, all packets of a round at once. */
function timersOf(name, codec, decode) {
  const packets = timed.map((packet) => ({ packet, bytes: codec.encode(packet, dense).slice() }));
  return [
    {
      name,
      run() {
        for (const { packet } of packets) codec.encode(packet, dense);
      },
    },
    {
      name,
      run() {
        for (const { packet, bytes } of packets) decode(codec, bytes, packet);
      },
    },
  ];
}
const pairs = [
  timersOf("fiedler", new Fiedler(), (codec, bytes, packet) => codec.decodeFrame(bytes, dense, packet)),
  ...Object.entries(KERNELS).map(([name, options]) =>
    timersOf(name, new Ours(images, options), (codec, bytes, packet) => codec.decode(bytes, packet)),
  ),
];
const [encode, decode] = [0, 1].map((side) => {
  const contenders = pairs.map((pair) => pair[side]);
  const times = interleave(contenders, TIMING);
  return Object.fromEntries(
    contenders.map(({ name }, i) => [
      name,
      {
        us: (spread(times[i]).median / timed.length) * 1000,
        ratio: compare(times[i], times[0]),
      },
    ]),
  );
});

/** Between a state and its image: not part of a packet's cost, as it is done once per tick for all of them. */
const copier = new Ours(images);
const copies = [
  () => timed.forEach(() => copier.read()),
  () => timed.forEach((packet) => copier.write(packet)),
].map((run) => (spread(interleave([{ run }], TIMING)[0]).median / timed.length) * 1000);

console.log(
  `901 cubes, ${dense.length} frames, 60 packets per second, baseline 6 frames back, header included\n`,
);
console.table(
  Object.fromEntries(
    Object.keys(makers).map((name) => [
      name,
      {
        "kbit/s": rounded(kbits[name], 1),
        "at 5 % loss": lossKbits[name] ? rounded(lossKbits[name], 1) : "",
        "of Fiedler's": rounded(kbits[name] / kbits.fiedler, 3),
        idle: idleKbits[name] ? rounded(idleKbits[name]) : "",
      },
    ]),
  ),
);
console.table(
  Object.fromEntries(
    Object.keys(encode).map((name) => [
      name === "fiedler" ? "fiedler (JS)" : `ours (${name})`,
      {
        "encode µs": rounded(encode[name].us, 1),
        "of Fiedler's": rounded(encode[name].ratio.median),
        "decode µs": rounded(decode[name].us, 1),
        "of his": rounded(decode[name].ratio.median),
      },
    ]),
  ),
);

console.log(
  `Ours: a state's image ${rounded(copies[0], 1)} µs, an image's state ${rounded(copies[1], 1)} µs`,
);

if (process.argv.includes("--json")) {
  const micros = (times) => ({ wasm: rounded(times.wasm?.us ?? NaN, 1), js: rounded(times.js.us, 1) });
  console.log(
    JSON.stringify({
      bench: "snapshots",
      kbits: {
        fiedler: rounded(kbits.fiedler, 1),
        ours: rounded(kbits.ours, 1),
        oursLoss5: rounded(lossKbits.ours, 1),
        brotli: rounded(kbits.brotli, 1),
        deflate: rounded(kbits.deflate, 1),
        colyseus: rounded(kbits.colyseus, 1),
        geckos: rounded(kbits.geckos, 1),
      },
      ratio: rounded(kbits.ours / kbits.fiedler, 3),
      encodeUs: micros(encode),
      decodeUs: micros(decode),
      idleKbits: rounded(idleKbits.ours),
    }),
  );
}
