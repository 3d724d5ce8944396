import type { Lateness } from "../server/rooms/lateness.js";
import type { Traffic } from "./client-link.js";
import type { HostedRoom } from "./hosted-room.js";

/** What all rooms of a process count together, also those that are over. */
export class RoomCounters implements Traffic {
  bytesIn = 0;
  bytesOut = 0;
  ticks = 0;
  lateTicks = 0;
  lostMs = 0;
  saves = 0;
  savedBytes = 0;
  restoredRooms = 0;
  lostRooms = 0;
  takenRooms = 0;
  failedRooms = 0;
  problems = 0;
}

/** Returns the figures of all rooms as text in the format of Prometheus. */
export function metricsText(rooms: Iterable<HostedRoom>, lateness: Lateness, counters: RoomCounters): string {
  const lines: string[] = [];
  const add = (name: string, type: "gauge" | "counter", help: string, values: Record<string, number>) => {
    lines.push(`# HELP tickwise_${name} ${help}`, `# TYPE tickwise_${name} ${type}`);
    for (const [labels, value] of Object.entries(values)) lines.push(`tickwise_${name}${labels} ${value}`);
  };
  const byMode = { rooms: {}, players: {}, watchers: {} } as Record<string, Record<string, number>>;
  const sums = { ticks: counters.ticks, lateTicks: counters.lateTicks, lostMs: counters.lostMs };
  for (const { room, about } of rooms) {
    const labels = `{name="${about.name.replace(/[\\"\n]/g, "_")}",mode="${room.mode}"}`;
    const count = (figure: string, value: number) => {
      const values = byMode[figure]!;
      values[labels] = (values[labels] ?? 0) + value;
    };
    sums.ticks += room.stats.ticks;
    sums.lateTicks += room.stats.lateTicks;
    sums.lostMs += room.stats.lostMs;
    if (room.isClosed) continue;
    count("rooms", 1);
    count("players", room.players);
    count("watchers", room.watchers);
  }
  add("rooms", "gauge", "Rooms that this process hosts.", byMode.rooms!);
  add("players", "gauge", "Seats that are taken.", byMode.players!);
  add("watchers", "gauge", "Clients that watch.", byMode.watchers!);
  add("tick_lateness_seconds", "gauge", "How late steps began in the last second.", {
    '{quantile="0.5"}': lateness.quantile(0.5) / 1000,
    '{quantile="0.99"}': lateness.quantile(0.99) / 1000,
    '{quantile="1"}': lateness.max / 1000,
  });
  add("ticks_total", "counter", "Steps that were taken.", { "": sums.ticks });
  add("late_ticks_total", "counter", "Steps that began more than 5 ms late.", { "": sums.lateTicks });
  add("lost_seconds_total", "counter", "Time that rooms skipped, as the process was busy.", {
    "": sums.lostMs / 1000,
  });
  add("received_bytes_total", "counter", "Bytes of messages of clients.", { "": counters.bytesIn });
  add("sent_bytes_total", "counter", "Bytes of messages to clients.", { "": counters.bytesOut });
  add("saves_total", "counter", "Whole rooms that were written to Redis.", { "": counters.saves });
  add("saved_bytes_total", "counter", "Bytes of rooms that were written to Redis.", {
    "": counters.savedBytes,
  });
  add("rooms_resumed_total", "counter", "Rooms of other processes that this one has continued.", {
    "": counters.restoredRooms,
  });
  add("rooms_lost_total", "counter", "Rooms of other processes that could not be continued.", {
    "": counters.lostRooms,
  });
  add("rooms_taken_total", "counter", "Rooms that others took over, as this process was silent.", {
    "": counters.takenRooms,
  });
  add("rooms_failed_total", "counter", "Rooms that ended, as a step threw or did not return.", {
    "": counters.failedRooms,
  });
  add("problems_total", "counter", "Failed reads and writes of Redis.", {
    "": counters.problems,
  });
  return `${lines.join("\n")}\n`;
}
