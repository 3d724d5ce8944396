import type { HostStats } from "./host-stats.js";

/** Figures of a whole server. */
export interface ServerStats extends HostStats {
  /** How often connections were refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Whether no new rooms are created, as the server is about to stop. */
  readonly isDraining: boolean;
  /** Processes that run rooms, and how often one was replaced. */
  readonly workers: number;
  readonly restarts: number;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Writes figures in the text format of Prometheus. */
export function metricsText(stats: ServerStats): string {
  const lines: string[] = [];
  const write = (name: string, type: "gauge" | "counter", help: string, ...samples: Sample[]) => {
    lines.push(`# HELP tickwise_${name} ${help}`, `# TYPE tickwise_${name} ${type}`);
    for (const [labels, value] of samples) lines.push(`tickwise_${name}${labelText(labels)} ${value}`);
  };
  const gauge = (name: string, help: string, value: number) => write(name, "gauge", help, [{}, value]);
  const counter = (name: string, help: string, value: number) => write(name, "counter", help, [{}, value]);
  gauge("rooms", "Rooms that run.", stats.rooms);
  gauge("meetings", "Meetings of peer-to-peer games.", stats.meetings);
  gauge("players", "Seats that are taken.", stats.players);
  gauge("watchers", "Clients that watch.", stats.watchers);
  gauge("connections", "Open connections.", stats.connections);
  gauge("workers", "Processes that run rooms.", stats.workers);
  gauge("workers_overloaded", "Processes that take no new rooms.", stats.overloaded);
  gauge("draining", "1 if the server is about to stop.", stats.isDraining ? 1 : 0);
  counter("worker_restarts_total", "Processes that were replaced.", stats.restarts);
  counter("rooms_created_total", "Rooms that were created.", stats.roomsCreated);
  counter("rooms_resumed_total", "Saved rooms that were continued.", stats.roomsResumed);
  counter("rooms_ended_total", "Rooms that ended in order.", stats.roomsEnded);
  counter("rooms_failed_total", "Rooms that threw, hung or were lost.", stats.roomsFailed);
  counter("ticks_total", "Steps of all rooms.", stats.ticks);
  counter("late_ticks_total", "Steps that began more than 5 ms late.", stats.lateTicks);
  counter("lost_seconds_total", "Time that rooms lost, as the process was busy.", stats.lostMs / 1000);
  write(
    "tick_lateness_seconds",
    "gauge",
    "How late steps began in the last second.",
    [{ quantile: "0.5" }, stats.lateP50 / 1000],
    [{ quantile: "0.99" }, stats.lateP99 / 1000],
    [{ quantile: "1" }, stats.lateMax / 1000],
  );
  gauge(
    "event_loop_delay_seconds",
    "Delay of the event loop in the last second, p99.",
    stats.loopDelay / 1000,
  );
  counter("messages_received_total", "Messages of clients.", stats.messagesIn);
  counter("messages_sent_total", "Messages to clients.", stats.messagesOut);
  counter("received_bytes_total", "Bytes of clients, with framing.", stats.bytesIn);
  counter("sent_bytes_total", "Bytes to clients, with framing.", stats.bytesOut);
  gauge("replay_bytes", "Bytes of all replays in the folder.", stats.replayBytes);
  gauge("memory_bytes", "Resident memory of all processes.", stats.memory);
  write(
    "refused_total",
    "counter",
    "Connections that were refused.",
    ...Object.entries(stats.refused).map(([reason, count]) => [{ reason }, count] as const),
  );
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const escape = (text: string) => text.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
