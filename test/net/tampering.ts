// Peers that do not play fair: links that change, repeat, drop or invent what their owner sends.
import type { random } from "../../src/math/index.js";
import { BitReader, BitWriter } from "../../src/net/bits.js";
import { conditioned, type Conditions } from "../../src/net/conditioned.js";
import { MAX_MESSAGE, type Link } from "../../src/net/link.js";
import { loopbackPair } from "../../src/net/loopback.js";
import { InputPacket, type PacketContext } from "../../src/net/packet.js";
import type { Member } from "../../src/net/membership/roster.js";
import { SeatLog } from "../../src/net/seat-log.js";
import { Stream } from "../../src/net/membership/stream.js";
import type { Guest, Party } from "./party.js";

/** Gets each message that is about to be sent, and sends what it likes. */
export type Tamper = (
  bytes: Uint8Array,
  reliable: boolean,
  send: (bytes: Uint8Array, reliable: boolean) => void,
) => void;

/** Returns a link whose messages pass through a function on their way out. */
export function tampered(link: Link, tamper: Tamper): Link {
  return {
    get state() {
      return link.state;
    },
    send: (bytes, reliable = false) =>
      tamper(bytes.slice(), reliable, (changed, kind) => link.send(changed, kind)),
    on: (event, listener) => link.on(event, listener),
    close: (reason) => link.close(reason),
  };
}

/** Connects two peers. What the first sends to the second is tampered with. Returns the link that it really has. */
export function connectTampered(
  { net }: Party,
  cheater: Guest,
  victim: Guest,
  tamper: Tamper,
  conditions: Conditions = { latency: 20, jitter: 3 },
): Link {
  const [near, far] = loopbackPair();
  const options = { ...conditions, scheduler: net.time };
  const seed = `${cheater.name} to ${victim.name}`;
  const link = conditioned(near, { ...options, seed: `${seed} there` });
  cheater.session.connect(tampered(link, tamper));
  victim.session.connect(conditioned(far, { ...options, seed: `${seed} back` }));
  return link;
}

/** Returns a damaged copy of a message. `other` is any other message, to take pieces from. */
export function mutated(bytes: Uint8Array, other: Uint8Array, dice: ReturnType<typeof random>): Uint8Array {
  let copy = bytes.slice();
  for (let changes = 1 + dice.below(3); changes > 0; changes--) {
    const at = dice.below(Math.max(1, copy.length));
    switch (dice.below(7)) {
      case 0:
      case 1:
        copy[at]! ^= 1 << dice.below(8);
        break;
      case 2:
        copy[at] = dice.pick([0, 1, 0x7f, 0x80, 0xff]);
        break;
      case 3:
        copy = copy.slice(0, at);
        break;
      case 4:
        copy = Uint8Array.of(...copy, ...Array.from({ length: dice.below(8) }, () => dice.below(256)));
        break;
      case 5:
        copy.set(other.subarray(0, copy.length - at).subarray(0, 1200), at);
        break;
      default:
        for (let i = at; i < Math.min(copy.length, at + 4); i++) copy[i] = dice.below(256);
    }
  }
  return copy.slice(0, MAX_MESSAGE);
}

/** Changes the inputs of the sender in some ticks: the victim sees another player than the others do. */
export const lying = (guest: Guest, lie: (tick: number, word: number) => number): Tamper =>
  recoding(guest, () => {}, lie);

/** Decodes the packets of a peer, changes them, and encodes them again. */
export function recoding(
  { session }: Guest,
  change: (packet: InputPacket, lies: SeatLog) => void,
  lie: (tick: number, word: number) => number = (_, word) => word,
): Tamper {
  const { simulation, net } = session;
  const [truth, lies] = [new SeatLog(simulation), new SeatLog(simulation)];
  const [reader, writer] = [new BitReader(), new BitWriter(1200)];
  const packet = new InputPacket();
  let streams: readonly Stream[] = [];
  let epoch = 0;
  let expected = 0;
  const width = simulation.packing.words;
  const row = new Uint32Array(width);
  const checkpointOf = (end: number) => Math.floor(end / 10);
  const copyRows = (
    bytes: Uint8Array,
    { index, first, end, position }: InputPacket["own"],
    isOwn: boolean,
  ) => {
    const stream = streams[index];
    if (!stream || first >= end) return;
    reader.start(bytes);
    reader.position = position;
    stream.rows.read(reader, first, end, truth, {
      takeRow: (tick, words) =>
        stream.member.seats.forEach((seat, i) => {
          truth.writeSeat(tick, seat, words, i * width);
          row.set(words.subarray(i * width, (i + 1) * width));
          if (isOwn) row[0] = lie(tick, row[0]!);
          lies.writeSeat(tick, seat, row, 0);
        }),
    });
  };
  const tamper: Tamper = (bytes, reliable, send) => {
    if (bytes[0]! >= 0x80) return send(bytes, reliable);
    const members = net.members as readonly Member[];
    if (net.epoch !== epoch) {
      epoch = net.epoch;
      streams = members.map((member) => new Stream(simulation.packing, member));
    }
    const own = members.findIndex(({ id }) => id === net.id);
    const context = (log: SeatLog): PacketContext => ({
      epoch,
      streams,
      log,
      hasCommands: simulation.commands.maxBytes > 0,
      isPlain: false,
    });
    reader.start(bytes);
    if (own < 0 || !packet.read(reader, context(truth), own, expected, checkpointOf))
      return send(bytes, reliable);
    expected = packet.end;
    copyRows(bytes, packet.own, true);
    for (let i = 0; i < packet.forwardedCount; i++) copyRows(bytes, packet.forwarded[i]!, false);
    change(packet, lies);
    writer.reset();
    packet.write(writer, context(lies), checkpointOf(expected));
    send(writer.bytes().slice(), reliable);
  };
  // Rows are changes, so it must have seen those before.
  return Object.assign(tamper, { observe: (bytes: Uint8Array) => tamper(bytes, false, () => {}) });
}
