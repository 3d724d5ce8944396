import { BitReader } from "./bits.js";
import type { PeerCore } from "./peer-core.js";
import type { Drop } from "./roster.js";
import type { Stream } from "./stream.js";

const reader = new BitReader();

/** Ends the stream of a member that was dropped: takes its last inputs, and writes down from when on its seats are absent. */
export function endStream(core: PeerCore, stream: Stream, { cut, first, rows }: Drop): void {
  if (stream.end < cut && rows.length > 0 && first <= stream.end) fill(core, stream, first, cut, rows);
  const { simulation, tick, rollback, members } = core;
  const { log, confirmed } = rollback;
  const none = new Uint32Array(simulation.packing.words);
  const { seats, from } = stream.member;
  for (const seat of seats) {
    const before = members.absentFrom[seat]!;
    members.absentFrom[seat] = cut;
    // Also for ticks that this peer has not reached. Before `from`, another member had the seat.
    for (let t = Math.max(confirmed, Math.min(before, from)); t < Math.max(tick, stream.end, cut); t++) {
      const isAbsent = t < from || t >= cut;
      log.setAbsent(t, seat, isAbsent);
      if (isAbsent) log.writeSeat(t, seat, none, 0);
    }
  }
  for (let t = cut; t < stream.end; t++) log.setCommands(t, seats, []);
  rollback.invalidate(cut);
}

function fill(
  { simulation, rollback }: PeerCore,
  stream: Stream,
  first: number,
  cut: number,
  rows: Uint8Array,
): void {
  const { log } = rollback;
  const width = simulation.packing.words;
  reader.start(rows);
  stream.rows.readFrom(reader, first, cut, {
    takeRow(tick, row) {
      if (tick < stream.end) return;
      stream.member.seats.forEach((seat, i) => {
        if (log.writeSeat(tick, seat, row, i * width)) rollback.invalidate(tick);
      });
      stream.end = tick + 1;
    },
  });
}
