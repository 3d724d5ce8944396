// Rooms over real sockets: how players find each other, come back and watch.
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { simulation } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { fragile, runners } from "./game.js";
import { closed, endAll, join, later, moved, peer, player, serve, until, watcher } from "./party.js";

afterEach(endAll);

test("quick play fills a public room, and then opens another", async () => {
  const server = await serve();
  const { address } = server;
  const first = await player(runners, address);
  const second = await player(runners, address);
  const third = await player(runners, address);
  expect(second.link.room).toBe(first.link.room);
  expect(third.link.room).not.toBe(first.link.room);
  expect(first.link).toMatchObject({ mode: "authority", players: 2, expires: 60, end: undefined });
  await until(() => moved(first, 1) > 5 && moved(second, 0) > 5);
  expect(server.stats()).toMatchObject({ rooms: 2, connections: 3, roomsCreated: 2, isDraining: false });
  await until(() => server.stats().players === 3);
});

test("a handshake that fails takes no seat", async () => {
  const { address, port } = await serve();
  const first = await player(runners, address);
  const broken = connect(port, "127.0.0.1");
  later(() => broken.destroy());
  broken.write(
    "GET /rooms/quick HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\nSec-WebSocket-Protocol: tickwise\r\n\r\n",
  );
  await new Promise((resolve) => broken.on("error", () => {}).on("close", resolve));
  const second = await player(runners, address);
  expect(second.link.room).toBe(first.link.room);
});

test("a game whose init hangs makes no room, and the server goes on", async () => {
  const stuck = simulation({
    name: "stuck",
    version: 1,
    rate: 60,
    players: 1,
    state: layout({ x: f64 }),
    init(world) {
      for (;;) world.x++;
    },
    step() {},
  });
  const server = await serve({ hangAfter: 100 }, stuck);
  for (let i = 0; i < 2; i++)
    await expect(join(server.address)).rejects.toMatchObject({
      value: "failed",
      problem: "the game could not be started",
    });
  expect(server.stats()).toMatchObject({ rooms: 0, roomsFailed: 2 });
});

test("a private room is found by its code only", async () => {
  const { address } = await serve();
  const host = await player(runners, address, { room: "new" });
  const stranger = await player(runners, address);
  expect(stranger.link.room).not.toBe(host.link.room);
  const friend = await player(runners, address, { room: host.link.code.toLowerCase().replaceAll("-", " ") });
  expect(friend.link.room).toBe(host.link.room);
  await until(() => moved(friend, 0) > 5);
  await expect(join(address, { room: host.link.code })).rejects.toMatchObject({
    code: "refused",
    value: "full",
    message: `joinRoom: the room is full. The server is ${address}.`,
  });
  await expect(join(address, { room: "0000-0000-0000" })).rejects.toMatchObject({
    code: "refused",
    value: "unknown-room",
    message: `joinRoom: no room has this code. Check the code; the server is ${address}.`,
  });
});

test("those who watch see the game, and take no seat", async () => {
  const server = await serve({ limits: { watchers: 1 } });
  const { address } = server;
  const host = await player(runners, address);
  const viewer = await watcher(runners, address, host.link.code);
  await until(
    () => viewer.session.net.state === "watching" && (viewer.session.view(1) as { x: number[] }).x[0]! > 0.1,
  );
  await until(() => server.stats().watchers === 1);
  await expect(join(address, { room: host.link.code, watch: true })).rejects.toMatchObject({ value: "full" });
  await expect(join(address, { room: "quick", watch: true })).rejects.toMatchObject({
    value: "unknown-room",
  });
  const friend = await player(runners, address);
  expect(friend.link.room).toBe(host.link.room);
});

test("a lost player comes back to the same seat with the token, and nobody else gets it", async () => {
  const { address } = await serve();
  const first = await player(runners, address);
  const second = await player(runners, address);
  await until(() => second.session.seats.length > 0 && moved(second, 1) > 5);
  const { code, token } = second.link;
  const seats = [...second.session.seats];
  // The connection breaks without a word.
  second.link.close("lost");
  second.stop();
  await expect(join(address, { room: code })).rejects.toMatchObject({ value: "full" });
  await expect(join(address, { room: code, token: "AAAAAAAAAAAAAAAAAAAAAA" })).rejects.toMatchObject({
    value: "not-allowed",
  });
  // A new page, which knows only code and token.
  const again = await player(runners, address, { room: code, token });
  expect([again.link.room, again.link.token]).toEqual([second.link.room, token]);
  await until(() => again.session.net.state === "playing");
  expect(again.session.seats).toEqual(seats);
  const before = moved(again, 1);
  await until(() => moved(again, 1) > before + 5 && moved(first, 1) > before);
  // The same session over a new link.
  const link = await join(address, { room: code, token });
  again.session.connect(link);
  await until(() => again.session.net.state === "playing" && moved(again, 1) > before + 10);
  expect(again.session.seats).toEqual(seats);
});

test("a token expires, and then its seat is free", async () => {
  const server = await serve({ keepSeat: 0.2, limits: { empty: 60 } });
  const { address } = server;
  const host = await player(runners, address);
  const guest = await player(runners, address, { room: host.link.code });
  const { code, token } = guest.link;
  guest.link.close("lost");
  guest.stop();
  let joined: { readonly room: string } | undefined;
  for (let i = 0; !joined && i < 600; i++) {
    joined = await join(address, { room: code }).catch(() => undefined);
    if (!joined) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(joined?.room).toBe(host.link.room);
  await expect(join(address, { room: code, token })).rejects.toMatchObject({ value: "not-allowed" });
});

test("a player who leaves frees the seat at once", async () => {
  const { address } = await serve();
  const host = await player(runners, address);
  const guest = await player(runners, address, { room: host.link.code });
  await until(() => guest.session.net.state === "playing");
  // It leaves, instead of vanishing.
  guest.stop();
  await until(() => host.session.net.members.length === 1);
  const other = await player(runners, address, { room: host.link.code });
  await until(() => other.session.net.state === "playing");
  expect(other.session.seats).toEqual([1]);
});

test.each(["relay", "lockstep"] as const)("players decide in mode %s", async (mode) => {
  const { address } = await serve({ mode });
  const first = await peer(runners, address);
  const second = await peer(runners, address, { room: first.link.code });
  expect(first.link.mode).toBe(mode);
  const details = () =>
    JSON.stringify(
      [first, second].map(({ session, link }) => [
        session.tick,
        session.seats,
        session.net.state,
        link.state,
      ]),
    );
  await until(() => first.session.confirmed > 60 && second.session.confirmed > 60, details);
  await until(() => moved(first, 1) > 5 && moved(second, 0) > 5, details);
});

test.each(["hang", "throw"] as const)("a step that makes its room %s ends that room only", async (fault) => {
  const game = fragile(fault);
  const log: object[] = [];
  const server = await serve({ hangAfter: 1000, log: (entry) => log.push(entry) }, game as never);
  const { address } = server;
  const bad = await player(game, address, { room: "new" });
  const good = await player(game, address, { room: "new" });
  await until(() => bad.session.net.state === "playing" && good.session.net.state === "playing");
  bad.move = -1;
  expect(await closed(bad.link)).toContain(fault === "hang" ? "did not return" : "threw an error");
  expect(bad.link.end).toBe("failed");
  const { tick } = good.session;
  await until(() => good.session.tick > tick + 60);
  await expect(join(address, { room: bad.link.code })).rejects.toMatchObject({ value: "unknown-room" });
  expect(server.stats()).toMatchObject({ rooms: 1, roomsFailed: 1 });
  expect(log).toContainEqual(
    expect.objectContaining({ event: "room failed", room: bad.link.room, level: "error" }),
  );
});
