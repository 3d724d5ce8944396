// A session stays in its room while connections break and servers restart.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { keepInRoom, type RoomLink } from "../../src/net/index.js";
import { fragile, runners, runnersOf } from "./game.js";
import { endAll, join, later, moved, peer, player, serve, until } from "./party.js";

const saves = mkdtempSync(joinPath(tmpdir(), "tickwise-keep-"));
afterAll(() => rmSync(saves, { recursive: true, force: true }));
afterEach(endAll);

test("comes back after a lost connection, and to a server that restarts", async () => {
  const server = await serve({ saves });
  const { port } = server;
  const host = await player(runners, server.address, { room: "new" });
  const links: unknown[] = [];
  const kept = keepInRoom(host.session, host.link, { onRejoined: (link) => links.push(link) });
  later(() => kept.stop());
  await until(() => moved(host, 0) > 10);
  host.link.close("lost");
  expect(kept.state).toBe("rejoining");
  await until(() => kept.state === "joined" && host.session.net.state === "playing");
  expect(kept.link).not.toBe(host.link);
  expect([kept.link.token, kept.link.room]).toEqual([host.link.token, host.link.room]);

  await server.close();
  await until(() => kept.state === "rejoining");
  await serve({ saves, port });
  await until(() => kept.state === "joined" && host.session.net.state === "playing");
  const before = moved(host, 0);
  await until(() => moved(host, 0) > before + 10);
  expect(host.session.seats).toEqual([0]);
  expect(links.length).toBe(2);
});

test("gives up if the room failed or has ended, and says why", async () => {
  const game = fragile("throw");
  const server = await serve({}, game);
  const bad = await player(game, server.address, { room: "new" });
  const reasons: string[] = [];
  const lost = keepInRoom(bad.session, bad.link, { onLost: (reason) => reasons.push(reason) });
  await until(() => bad.session.net.state === "playing");
  bad.move = -1;
  await until(() => lost.state === "lost");
  expect(reasons).toEqual(["a step of the game threw an error, so the room was ended"]);

  // The connection is lost, and so is the room.
  const other = await player(game, server.address, { room: "new" });
  const kept = keepInRoom(other.session, other.link, {
    timeout: 0.5,
    onLost: (reason) => reasons.push(reason),
  });
  await server.close({ grace: 0 });
  await until(() => kept.state === "lost");
  expect(reasons[1]).toBe("the server stops");
});

/** Keeps a player in its room until that fails. Returns the reason. */
function lossOf({
  session,
  link,
}: {
  readonly session: Parameters<typeof keepInRoom>[0];
  readonly link: RoomLink;
}) {
  const reasons: string[] = [];
  const kept = keepInRoom(session, link, { onLost: (reason) => reasons.push(reason) });
  return until(() => kept.state === "lost").then(() => reasons.join());
}

test.each(["authority", "relay"] as const)(
  "says that another version of the game was rejected, and not that the token is wrong: %s",
  async (mode) => {
    const { address } = await serve({ mode });
    const stranger = await (mode === "relay" ? peer : player)(runnersOf(2), address, { room: "new" });
    expect(await lossOf(stranger)).toMatch(
      /^one peer has version [12] of "runners", the other [12]\. Reload both$/,
    );
    // The same after the page was reloaded: the seat is lost.
    const { code, token } = stranger.link;
    stranger.stop();
    await expect(join(address, { room: code, token })).rejects.toMatchObject({
      value: "not-allowed",
      problem: expect.stringMatching(
        /^the game has sent this player away: one peer has version [12] of "runners", the other [12]. Reload both$/,
      ) as string,
    });
  },
);

test("says that the player has joined in another tab", async () => {
  const { address } = await serve();
  const one = await player(runners, address, { room: "new" });
  await until(() => one.session.net.state === "playing");
  const loss = lossOf(one);
  await player(runners, address, { room: one.link.code, token: one.link.token });
  expect([await loss, one.link.end]).toEqual(["replaced by a newer connection", "rejected"]);
});

test("says which server cannot be reached, and why", async () => {
  const server = await serve();
  const { address } = server;
  await server.close({ grace: 0 });
  const error = await join(address).catch((thrown: unknown) => String(thrown));
  expect(error).toMatch(
    `TickwiseError: joinRoom: the server at ${address} cannot be reached, or refused the connection (connect ECONNREFUSED `,
  );
});

test("stops when it is told, and when the session has left", async () => {
  const { address } = await serve();
  const one = await player(runners, address, { room: "new" });
  const stopped = keepInRoom(one.session, one.link);
  stopped.stop();
  one.link.close("lost");
  expect(stopped.state).toBe("stopped");
  const two = await player(runners, address, { room: "new" });
  const left = keepInRoom(two.session, two.link);
  await until(() => two.session.net.state === "playing");
  two.stop();
  await until(() => left.state !== "joined" && left.state !== "rejoining");
  // The server has let it in again, or not: it does not try any longer.
  expect(["stopped", "lost"]).toContain(left.state);
  expect(() => keepInRoom(one.session, {} as never)).toThrow("keepInRoom: link.rejoin must be a function");
});
