// A server with many viewers: what they cost on one core, and how many bytes they get. Fiedler's cubes, from the recording.
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { source } from "./viewer-source.mjs";

const { BitReader, BitWriter, Connection, CubesLayout, InputHead, JOIN, joinOf, jsonMessage } = source;
const { random, readRecording, ServerHead, serverSession, simulation, SNAPSHOT, STATE_PART, writeFrame } =
  source;

const TICK_MS = 1000 / 60;
const LOSS = 0.05;
/** Seconds to join in, and to measure. */
const WARM_UP = 4;
const SECONDS = 8;

/** The recorded cubes as a simulation: each step is the next frame. */
function cubes() {
  const file = new URL("../scenes/cubes.recording.br", import.meta.url);
  const frames = readRecording(brotliDecompressSync(readFileSync(file)));
  return simulation({
    name: "recorded cubes",
    version: 1,
    rate: 60,
    players: 1,
    state: CubesLayout,
    step(world, _, { tick }) {
      writeFrame(frames[tick], world.cubes);
    },
  });
}

/** A viewer that decodes nothing: it counts bytes, loses some packets, and acknowledges the others after a round trip. */
class Viewer {
  bytes = 0;
  packets = 0;
  /** What has arrived since the last tick: the tick of a state, 0 for none, -1 if a part of it is lost. */
  arrived = 0;
  trip;
  #server;
  #dice;
  #listeners = { message: [], close: [], open: [] };
  #inbox = [];
  #far;

  constructor(server, game, dice, number, now) {
    this.#server = server;
    this.#dice = dice;
    // Ticks there and back: 50 to 150 ms.
    this.trip = 3 + dice.int(0, 6);
    const on = (listeners) => (event, listener) => {
      listeners[event].push(listener);
      return () => {};
    };
    const near = {
      state: "open",
      send: (bytes) => this.#sent(bytes),
      on: on(this.#listeners),
      close() {},
    };
    const farListeners = { message: [], close: [], open: [] };
    this.#far = farListeners.message;
    // Handles the long messages while joining.
    const connection = new Connection(
      { state: "open", send: (bytes) => this.receive(bytes), on: on(farListeners), close() {} },
      now,
      {
        receivesStates: true,
        onPacket() {},
        onControl() {},
        onTransfer: (kind, bytes) => {
          if (kind === SNAPSHOT) this.arrived = tickOf(bytes, server.tick);
        },
        accepts: () => true,
        onClosed() {},
      },
    );
    server.connect(near);
    const guest = { role: "viewer", name: "", token: `viewer ${number}`, seats: [], count: 0 };
    connection.send(jsonMessage(JOIN, joinOf(game, guest)), true);
  }

  /** Passes a message to the server. */
  receive(bytes) {
    for (const listener of this.#listeners.message) listener(bytes);
  }

  #sent(bytes) {
    if (bytes[0] >= 0x80 && bytes[0] !== STATE_PART) return void this.#inbox.push(bytes.slice());
    this.bytes += bytes.length;
    this.packets++;
    if (this.arrived >= 0) this.arrived = this.#dice.chance(LOSS) ? -1 : this.#server.tick;
  }

  /** Takes messages that are no states. */
  takeOthers() {
    for (const bytes of this.#inbox.splice(0)) for (const listener of this.#far) listener(bytes);
  }
}

/** Returns the tick of a packet with a state. */
function tickOf(bytes, expected) {
  const reader = new BitReader();
  const head = new ServerHead();
  reader.start(bytes);
  if (!head.read(reader, expected)) throw new Error("the state has no head");
  return head.tick;
}

/** Returns the share of a core that the server takes, and the bytes per viewer and second. */
function measure(game, count) {
  let time = 0;
  const now = () => time;
  const options = { down: "states", stateRate: 20, maxClients: Math.max(1, count), now, wall: now };
  const server = serverSession(game, options);
  const dice = random(new Uint32Array(4)).seed(count);
  const viewers = Array.from({ length: count }, (_, i) => new Viewer(server, game, dice, i, now));
  /** Acknowledgements under way, by the tick at which they arrive. */
  const acks = new Map();
  const head = new InputHead();
  const packetOf = (tick) => {
    const writer = new BitWriter(32);
    head.first = head.end = head.ack = tick;
    head.write(writer);
    return writer.bytes().slice();
  };
  let cpu = 0;
  let bytesBefore = 0;
  let packetsBefore = 0;
  const sum = (name) => viewers.reduce((total, viewer) => total + viewer[name], 0);
  for (let tick = 0; tick < 60 * (WARM_UP + SECONDS); tick++) {
    time = tick * TICK_MS;
    if (tick === 60 * WARM_UP) {
      cpu = 0;
      bytesBefore = sum("bytes");
      packetsBefore = sum("packets");
    }
    for (const viewer of viewers) viewer.arrived = 0;
    const due = acks.get(tick) ?? [];
    acks.delete(tick);
    const start = process.cpuUsage();
    for (const { viewer, packet } of due) viewer.receive(packet);
    server.advance();
    const { user, system } = process.cpuUsage(start);
    cpu += (user + system) / 1e6;
    for (const viewer of viewers) viewer.takeOthers();
    for (const viewer of viewers) {
      if (viewer.arrived <= 0 || dice.chance(LOSS)) continue;
      const at = tick + viewer.trip;
      if (!acks.has(at)) acks.set(at, []);
      acks.get(at).push({ viewer, packet: packetOf(viewer.arrived) });
    }
  }
  if (server.net.clients.length !== count)
    throw new Error(`only ${server.net.clients.length} viewers joined`);
  const bytes = (sum("bytes") - bytesBefore) / Math.max(1, count) / SECONDS;
  const packets = (sum("packets") - packetsBefore) / Math.max(1, count) / SECONDS;
  server.dispose();
  return { cpu: cpu / SECONDS, bytes, packets };
}

/** Measures servers with these numbers of viewers. */
export function crowds(counts) {
  const game = cubes();
  return new Map(counts.map((count) => [count, measure(game, count)]));
}
