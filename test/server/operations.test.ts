// What operators see: health, metrics, logs, replays, encryption.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { WebSocket } from "ws";
import { afterEach, beforeEach, expect, test } from "vitest";
import { joinRoom } from "../../src/net/index.js";
import { readReplay, verify } from "../../src/replay/index.js";
import type { LogEntry } from "../../src/server/index.js";
import { runners } from "./game.js";
import { endAll, join, moved, player, serve, until, watcher } from "./party.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(joinPath(tmpdir(), "tickwise-operations-"));
});
afterEach(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Parses the text format of Prometheus, and rejects what is not in it. */
function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.trimEnd().split("\n")) {
    const [, kind, named] = /^# (HELP|TYPE) ([a-z_]+) \S.*$/.exec(line) ?? [];
    if (kind === "TYPE") types.set(named!, line.split(" ")[3]!);
    if (kind) continue;
    const [, name, labels = "", value] =
      /^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"\})? (-?[\d.e+-]+)$/.exec(line) ?? [];
    expect(name, line).toBeDefined();
    const type = types.get(name!);
    expect(["gauge", "counter"], line).toContain(type);
    expect(name!.endsWith("_total"), line).toBe(type === "counter");
    values.set(name! + labels, Number(value));
  }
  return values;
}

test("/metrics is served on its own port, and not to players", async () => {
  const server = await serve({ metrics: 0 });
  const host = await player(runners, server.address);
  await watcher(runners, server.address, host.link.code);
  await join(server.address, { room: "0000-0000-0000" }).catch(() => {});
  await until(() => server.stats().watchers === 1 && server.stats().players === 1);
  const metrics = `http://127.0.0.1:${server.metricsPort}`;
  const response = await fetch(`${metrics}/metrics`);
  expect(response.headers.get("content-type")).toContain("version=0.0.4");
  const values = parseMetrics(await response.text());
  expect(values.get("tickwise_rooms")).toBe(1);
  expect(values.get("tickwise_players")).toBe(1);
  expect(values.get("tickwise_watchers")).toBe(1);
  expect(values.get("tickwise_connections")).toBe(2);
  expect(values.get('tickwise_refused_total{reason="unknown-room"}')).toBe(1);
  expect(values.get("tickwise_ticks_total")).toBeGreaterThan(0);
  expect(values.get("tickwise_sent_bytes_total")).toBeGreaterThan(100);
  expect(values.get("tickwise_memory_bytes")).toBeGreaterThan(1e7);
  expect((await fetch(`${metrics}/healthz`)).status).toBe(200);
  const players = server.address.replace("ws", "http");
  expect((await fetch(`${players}/metrics`)).status).toBe(404);
  expect(await (await fetch(`${players}/healthz`)).json()).toEqual({ status: "ok" });
});

test("the log tells what happened, without codes and tokens", async () => {
  const log: LogEntry[] = [];
  const server = await serve({
    log: (entry) => log.push(entry),
    saves: joinPath(folder, "saves"),
    keepSeat: 0.1,
  });
  const { address } = server;
  const host = await player(runners, address, { room: "new" });
  await watcher(runners, address, host.link.code);
  const guess = "7777-7777-7777";
  await join(address, { room: guess }).catch(() => {});
  await join(address, { room: host.link.code, token: "AAAAAAAAAAAAAAAAAAAAAA" }).catch(() => {});
  await join(address, { jwt: "aaaa.bbbb.cccc" });
  await until(() => host.session.net.state === "playing");
  await server.close();
  const events = log.map(({ event }) => event);
  expect(events).toEqual(
    expect.arrayContaining(["listening", "room created", "refused", "stopping", "room saved", "stopped"]),
  );
  const text = log.map((entry) => JSON.stringify(entry)).join("\n");
  const secrets = [host.link.code, host.link.token, guess, "AAAAAAAAAAAAAAAAAAAAAA", "aaaa.bbbb.cccc"];
  for (const secret of secrets)
    for (const part of [secret, secret.replaceAll("-", "")]) expect(text).not.toContain(part);
  expect(text).toContain(host.link.room);
  for (const { time } of log) expect(time).toBe(new Date(time).toISOString());
  // An attack does not fill it.
  const attacked: LogEntry[] = [];
  const target = await serve({ log: (entry) => attacked.push(entry), limits: { wrongCodesPerMinute: 1000 } });
  const start = performance.now();
  for (let i = 0; i < 60; i++) await join(target.address, { room: guess }).catch(() => {});
  expect(target.stats().refused).toEqual({ "unknown-room": 60 });
  const most = 20 + 5 * ((performance.now() - start) / 1000);
  expect(attacked.filter(({ event }) => event === "refused").length).toBeLessThanOrEqual(most);
  // A log that fails does not stop the server.
  const deaf = await serve({
    log() {
      throw new Error("disk full");
    },
  });
  await join(deaf.address);
});

test("every room leaves a replay that verifies", async () => {
  const replays = joinPath(folder, "replays");
  const server = await serve({ replays, seed: "fair" });
  const first = await player(runners, server.address, { room: "new" });
  const second = await player(runners, server.address, { room: "new" });
  await until(() => moved(first, 0) > 30 && moved(second, 0) > 30);
  const running = () => readdirSync(replays).filter((name) => name.endsWith(".part"));
  await until(() => running().length === 2);
  await server.close({ grace: 0 });
  const files = readdirSync(replays);
  expect(files.length).toBe(2);
  for (const file of files) {
    expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{12}\.twr$/);
    const replay = readReplay(new Uint8Array(readFileSync(joinPath(replays, file))));
    expect([replay.ending, replay.info.seed]).toEqual(["done", "fair"]);
    expect(replay.last).toBeGreaterThan(30);
    expect(verify(runners, replay).ok).toBe(true);
  }
});

test("the oldest replays are deleted when the folder is full; running ones stop", async () => {
  const replays = joinPath(folder, "replays");
  mkdirSync(replays);
  for (let i = 0; i < 5; i++) {
    const file = joinPath(replays, `old-${i}.twr`);
    writeFileSync(file, new Uint8Array(1900));
    utimesSync(file, 1000 + i, 1000 + i);
  }
  const server = await serve({ replays, limits: { replayBytes: 9600 } });
  await player(runners, server.address, { room: "new" });
  await until(() => !readdirSync(replays).includes("old-0.twr"));
  await server.close({ grace: 0 });
  const left = readdirSync(replays);
  expect(left).not.toContain("old-0.twr");
  expect(left).toContain("old-4.twr");
  const bytes = left.reduce((sum, name) => sum + statSync(joinPath(replays, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(9600);

  const log: LogEntry[] = [];
  const small = joinPath(folder, "small");
  const limits = { replayBytes: 1000, ping: 0.1 };
  const full = await serve({ replays: small, limits, log: (entry) => log.push(entry) });
  // A running replay of another process, which cannot be deleted.
  writeFileSync(joinPath(small, "other.twr.part"), new Uint8Array(950));
  const busy = await player(runners, full.address, { room: "new" });
  await until(() => log.some(({ event }) => event === "replay stopped"));
  const { tick } = busy.session;
  await until(() => busy.session.tick > tick + 30);
});

const hasOpenssl = (() => {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasOpenssl)("TLS: https and wss (needs openssl)", async () => {
  const [key, cert] = [joinPath(folder, "key.pem"), joinPath(folder, "cert.pem")];
  const make =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  execFileSync("openssl", [...make.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = await serve({ tls: { key, cert } });
  expect(server.address).toMatch(/^wss:/);
  class Trusting extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, { rejectUnauthorized: false });
    }
  }
  const link = await joinRoom(server.address, { webSocket: Trusting as never });
  expect(link.state).toBe("open");
  const status = await new Promise((resolve, reject) => {
    request(`https://127.0.0.1:${server.port}/healthz`, { rejectUnauthorized: false }, (response) => {
      resolve(response.statusCode);
      response.resume();
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
  await expect(serve({ tls: { key: "/missing", cert } })).rejects.toThrow(
    "roomServer: tls.key must be a file that can be read",
  );
});
