// A server stops and another one goes on, with the same rooms, codes, tokens and seats.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogEntry } from "../../src/server/index.js";
import { GameRoom } from "../../src/server/rooms/game-room.js";
import { runners } from "./game.js";
import { closed, endAll, join, moved, player, serve, until } from "./party.js";

let folder: string;
let saves: string;
beforeEach(() => {
  folder = mkdtempSync(joinPath(tmpdir(), "tickwise-saves-"));
  saves = joinPath(folder, "saves");
});
afterEach(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

test("a room is saved, and the next server continues it: same code, same seat, same state", async () => {
  const server = await serve({ saves });
  const host = await player(runners, server.address, { room: "new" });
  const friend = await player(runners, server.address, { room: host.link.code });
  await until(() => moved(host, 1) > 30 && moved(friend, 0) > 30);
  const reasons = [closed(host.link), closed(friend.link)];
  await server.close();
  expect(await Promise.all(reasons)).toEqual(
    Array(2).fill("the server restarts: join again in a few seconds"),
  );
  expect([host.link.end, friend.link.end]).toEqual(["restarting", "restarting"]);
  // Only the owner may read tokens.
  for (const name of readdirSync(saves)) expect(statSync(joinPath(saves, name)).mode & 0o077, name).toBe(0);

  const next = await serve({ saves });
  expect(next.stats()).toMatchObject({ rooms: 1, roomsResumed: 1, roomsCreated: 0 });
  const before = moved(friend, 1);
  const { code, token, room } = friend.link;
  friend.session.connect(await join(next.address, { room: code, token }));
  await until(() => friend.session.net.state === "playing");
  expect([friend.session.seats, friend.session.net.state]).toEqual([[1], "playing"]);
  expect(moved(friend, 1)).toBeGreaterThanOrEqual(before - 60);
  // The other seat is kept for the other player, so the room is full.
  await expect(join(next.address, { room: code })).rejects.toMatchObject({ value: "full" });
  // A page that was loaded again.
  const again = await player(runners, next.address, { room: code, token: host.link.token });
  await until(() => again.session.net.state === "playing" && moved(again, 0) > 30);
  expect([again.session.seats, again.link.room]).toEqual([[0], room]);
});

test("a room that cannot be saved does not keep others from being saved", async () => {
  const entries: LogEntry[] = [];
  const server = await serve({ saves, log: (entry) => entries.push(entry) });
  const broken = await player(runners, server.address, { room: "new" });
  const good = await player(runners, server.address, { room: "new" });
  await until(() => server.stats().players === 2);
  const save = vi.spyOn(GameRoom.prototype, "save").mockImplementationOnce(() => {
    throw new Error("cannot be saved");
  });
  await server.close();
  save.mockRestore();
  const rooms = (event: string) => entries.filter((entry) => entry.event === event).map(({ room }) => room);
  const failed = rooms("save failed");
  expect(failed).toHaveLength(1);
  const other = [broken, good].map(({ link }) => link.room).filter((room) => !failed.includes(room));
  expect(rooms("room saved")).toEqual(other);
  expect((await serve({ saves })).stats()).toMatchObject({ rooms: 1, roomsResumed: 1 });
});

test("a server that was killed lost a second at most", async () => {
  const server = await serve({ saves });
  const host = await player(runners, server.address, { room: "new" });
  await until(() => readdirSync(saves).some((name) => name.endsWith(".json")));
  const { tick } = host.session;
  // Inputs are appended every second.
  await until(() => host.session.tick > tick + 150);
  // What a dead process leaves behind.
  const left = joinPath(folder, "left");
  cpSync(saves, left, { recursive: true });
  const next = await serve({ saves: left });
  expect(next.stats()).toMatchObject({ rooms: 1, roomsResumed: 1 });
  const again = await player(runners, next.address, { room: host.link.code, token: host.link.token });
  await until(() => again.session.net.state === "playing");
  expect(again.session.seats).toEqual([0]);
  expect(again.session.tick).toBeGreaterThan(tick + 60);
});

test("a room that ended is not continued, and a damaged one is put aside", async () => {
  const server = await serve({ saves, keepSeat: 0, limits: { empty: 0 } });
  const link = await join(server.address, { room: "new" });
  await until(() => readdirSync(saves).length === 2);
  link.close();
  await until(() => readdirSync(saves).length === 0);
  await server.close();

  writeFileSync(joinPath(saves, "00aa.json"), '{"code":"not a code"}');
  const saved = { code: "0000-0000-0000", isPublic: false, tokens: [], attempts: 0 };
  writeFileSync(joinPath(saves, "00bb.json"), JSON.stringify(saved));
  writeFileSync(joinPath(saves, "00bb.save"), "no save");
  writeFileSync(joinPath(saves, "00cc.json"), JSON.stringify({ ...saved, attempts: 2 }));
  writeFileSync(joinPath(saves, "00cc.save"), "two processes died of it");
  const log: LogEntry[] = [];
  const next = await serve({ saves, log: (entry) => log.push(entry) });
  expect(next.stats()).toMatchObject({ rooms: 0, roomsResumed: 0 });
  expect(readdirSync(saves).sort()).toEqual([
    "00aa.json.bad",
    "00bb.json.bad",
    "00bb.save.bad",
    "00cc.json.bad",
    "00cc.save.bad",
  ]);
  expect(log.filter(({ event }) => event === "room lost").map(({ room }) => room)).toEqual([
    "00aa",
    "00bb",
    "00cc",
  ]);
  expect(JSON.parse(readFileSync(joinPath(saves, "00bb.json.bad"), "utf8"))).toMatchObject({ attempts: 1 });
});

test("while it stops, a server creates no rooms, but running ones go on until they are empty", async () => {
  const server = await serve();
  const http = server.address.replace("ws", "http");
  const host = await player(runners, server.address, { room: "new" });
  await until(() => host.session.net.state === "playing");
  const stopped = server.close({ grace: 1000 });
  expect(server.stats().isDraining).toBe(true);
  expect((await fetch(`${http}/healthz`)).status).toBe(503);
  await expect(join(server.address, { room: "new" })).rejects.toMatchObject({ value: "restarting" });
  const friend = await player(runners, server.address, { room: host.link.code });
  const { tick } = host.session;
  await until(() => friend.session.net.state === "playing" && host.session.tick > tick + 30);
  host.stop();
  friend.stop();
  await stopped;
  await expect(join(server.address)).rejects.toMatchObject({ code: "unreachable" });
});

test("without a folder for saves, rooms end after the grace; a second call does not wait", async () => {
  const server = await serve();
  const host = await player(runners, server.address, { room: "new" });
  const reason = closed(host.link);
  void server.close({ grace: 1000 });
  await server.close();
  expect([await reason, host.link.end]).toEqual(["the server stops", "ended"]);
});
