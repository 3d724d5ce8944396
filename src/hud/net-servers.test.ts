import { expect, test } from "vitest";
import { brawlFor } from "../../test/net/brawl.js";
import { Loop } from "../loop/index.js";
import { simulatedNetwork } from "../net/simulated.js";
import { diagnose } from "./diagnose.js";
import { NetMemory } from "./net-memory.js";
import { netFiguresOf, peerFiguresOf } from "./net-figures.js";
import { netSessionOf } from "./subject.js";

test("servers, clients and viewers have figures, and no problem on a good network", () => {
  const game = brawlFor(2);
  const net = simulatedNetwork({ network: "good wifi", seed: 3 });
  const server = net.server(game);
  const client = net.client(game, server, { name: "Ada" });
  const viewer = net.viewer(game, server);
  const loop = new Loop({ rate: 60 });
  for (let frame = 0; frame < 300; frame++) loop.advance(1 / 60);
  net.run(10);
  for (const { session } of [server, client, viewer]) {
    const subject = { loop, session };
    const found = netSessionOf(subject)!;
    expect(found).toBe(session);
    const memory = new NetMemory();
    const figures = netFiguresOf(found, memory);
    for (const text of Object.values(figures)) expect(text).not.toMatch(/NaN|undefined/);
    for (const line of peerFiguresOf(found)) expect(Object.values(line).join()).not.toMatch(/NaN|undefined/);
    expect(diagnose(subject)).toEqual([]);
  }
  expect(peerFiguresOf(netSessionOf({ loop, session: server.session })!).map(({ peer }) => peer)).toContain(
    "0 Ada",
  );
});
