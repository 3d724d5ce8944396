// Peers of a game meet on the server, and then play directly over WebRTC.
import { once } from "node:events";
import { RTCPeerConnection } from "node-datachannel/polyfill";
import { afterEach, expect, test } from "vitest";
import { meetPeers, peerSession, type Link, type MeetOptions, type Meeting } from "../../src/net/index.js";
import { exchange } from "../net-links/exchange.js";
import { runners } from "./game.js";
import { endAll, later, rawSocket, serve, until, webSocket } from "./party.js";

afterEach(endAll);

async function meet(
  address: string,
  room: string,
  options: Partial<MeetOptions> = {},
): Promise<{ meeting: Meeting; links: Map<number, Link> }> {
  const links = new Map<number, Link>();
  later(() => {
    for (const link of links.values()) link.close();
  });
  const meeting = await meetPeers(address, {
    room,
    webSocket,
    rtc: RTCPeerConnection as never,
    onLink: (link, peer) => links.set(peer, link),
    ...options,
  });
  later(() => meeting.close());
  return { meeting, links };
}

test("three peers get a link per pair, which outlives the meeting", async () => {
  const server = await serve();
  const one = await meet(server.address, "new");
  const two = await meet(server.address, one.meeting.code);
  const three = await meet(server.address, one.meeting.code.toLowerCase());
  const all = [one, two, three];
  await until(() => all.every(({ links }) => links.size === 2));
  expect(all.map(({ meeting }) => [meeting.id, meeting.others])).toEqual([
    [1, 2],
    [2, 2],
    [3, 2],
  ]);
  await until(() => all.every(({ links }) => [...links.values()].every(({ state }) => state === "open")));
  await server.close({ grace: 0 });
  const results = await Promise.all([exchange(one.links.get(2)!), exchange(two.links.get(1)!)]);
  for (const { reliable, wrong } of results) expect([reliable, wrong]).toEqual([300, 0]);
});

test("two players who ask for any seat play with each other: the example of docs/hosting.md", async () => {
  const { address } = await serve();
  const join = async (room: string) => {
    const session = peerSession(runners, { seats: 1, inputs: ([me]) => void (me.move = 1) });
    const timer = setInterval(() => session.advance(), 1000 / 60);
    later(() => {
      clearInterval(timer);
      session.dispose();
    });
    const { meeting } = await meet(address, room, { onLink: (link) => session.connect(link) });
    return { session, code: meeting.code };
  };
  const first = await join("new");
  // A player alone waits for others, however long that takes.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(first.session.net.state).toBe("connecting");
  const second = await join(first.code);
  const sessions = [first.session, second.session];
  await until(() => sessions.every(({ net, confirmed }) => net.state === "playing" && confirmed > 30));
  expect(sessions.flatMap(({ seats }) => seats).sort()).toEqual([0, 1]);
  const [one, other] = sessions.map(({ world }) => [...world.moved]);
  expect(Math.min(...one!, ...other!)).toBeGreaterThan(0);
});

test("the end of a meeting is told with its reason", async () => {
  const server = await serve();
  const ends: unknown[] = [];
  await meet(server.address, "new", { onEnd: (reason, end) => ends.push(reason, end) });
  await server.close({ grace: 0 });
  await until(() => ends.length > 0);
  expect(ends).toEqual(["the server restarts: join again in a few seconds", "restarting"]);
});

test("limits: members, messages, what a message may be; codes of rooms are not codes of meetings", async () => {
  const { address } = await serve({ limits: { members: 2 } });
  const first = rawSocket(address, "/signal/new");
  const [greeting] = (await once(first.socket, "message")) as [Buffer];
  const { code } = JSON.parse(greeting.toString()) as { code: string };
  const second = rawSocket(address, `/signal/${code}`);
  expect(JSON.parse(String((await once(second.socket, "message"))[0]))).toEqual({
    code,
    id: 2,
    members: [1],
  });
  expect(await rawSocket(address, `/signal/${code}`).ended).toMatchObject({ code: 4003 });
  expect(await rawSocket(address, `/rooms/${code}`).ended).toMatchObject({ code: 4002 });
  expect(await rawSocket(address, "/signal/quick").ended).toMatchObject({ code: 4002 });

  const texts: string[] = [];
  first.socket.on("message", (text) => texts.push(String(text)));
  second.socket.send(JSON.stringify({ to: 1, data: { offer: "hello" }, from: 7 }));
  second.socket.send(JSON.stringify({ to: 99, data: {} }));
  await until(() => texts.length >= 1);
  expect(texts.map((text) => JSON.parse(text) as object)).toEqual([{ from: 2, data: { offer: "hello" } }]);

  second.socket.send("x".repeat(5000));
  expect(await second.ended).toMatchObject({ code: 1009 });
  await until(() => texts.includes('{"left":2}'));
  for (const nonsense of ["text", "[]", '{"to":1}', '{"to":"1","data":{}}', Uint8Array.of(1)]) {
    const bad = rawSocket(address, `/signal/${code}`);
    await once(bad.socket, "message");
    bad.socket.send(nonsense);
    expect(await bad.ended, String(nonsense)).toMatchObject({ code: 4005 });
  }
  const flood = rawSocket(address, `/signal/${code}`);
  await once(flood.socket, "message");
  for (let i = 0; i < 200; i++) flood.socket.send(JSON.stringify({ to: 1, data: { i } }));
  expect(await flood.ended).toMatchObject({ code: 4005, reason: "sends too many messages" });
});

test("a peer that makes offers again and again gets no more connections than it may need", async () => {
  const { address } = await serve();
  const failures: unknown[] = [];
  const one = await meet(address, "new", { onFailure: (error) => failures.push(error) });
  const hostile = rawSocket(address, `/signal/${one.meeting.code}`);
  await once(hostile.socket, "message");
  for (let i = 0; i < 20; i++) hostile.socket.send(JSON.stringify({ to: 1, data: { offer: `offer ${i}` } }));
  await until(() => failures.length >= 5);
  const two = await meet(address, one.meeting.code);
  await until(() => one.links.get(3)?.state === "open" && two.links.get(1)?.state === "open");
  expect(failures.length).toBe(5);
});

test("a peer that cannot answer is reported, and the others connect", async () => {
  const { address } = await serve();
  const failures: unknown[] = [];
  const one = await meet(address, "new", { onFailure: (error) => failures.push(error) });
  const bad = rawSocket(address, `/signal/${one.meeting.code}`);
  await once(bad.socket, "message");
  bad.socket.send(JSON.stringify({ to: 1, data: { offer: "no offer" } }));
  await until(() => failures.length === 1);
  expect(String(failures[0])).toContain("answerLink: ");
  const two = await meet(address, one.meeting.code);
  await until(() => one.links.get(3)?.state === "open" && two.links.get(1)?.state === "open");
});
