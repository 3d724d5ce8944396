import { expect, test } from "vitest";
import { brawlFor } from "../../test/net/brawl.js";
import { listText } from "../net/net-problems.js";
import { simulatedNetwork } from "../net/simulated.js";
import { netFiguresOf, peerFiguresOf } from "./net-figures.js";
import { NetMemory } from "./net-memory.js";
import type { NetSession } from "./subject.js";

const game = brawlFor(2);

test("of a session on a simulated network", () => {
  const net = simulatedNetwork({ network: { latency: 50, jitter: 5, loss: 0.1 }, seed: 4 });
  const [ada, bob] = ["Ada", "Bob"].map((name, seat) =>
    net.peer(game, {
      seats: [seat],
      name,
      inputs: ([me]) => void (me.go = Math.floor(net.time.now() / 150) % 2 === 0),
    }),
  ) as unknown as [ReturnType<typeof net.peer>, ReturnType<typeof net.peer>];
  const memory = new NetMemory();
  const sample = (seconds: number) => {
    net.run(seconds);
    memory.add(ada.session as never, net.time.now() / 1000);
    return netFiguresOf(ada.session as never, memory);
  };
  expect(sample(0.01)).toMatchObject({
    net: "waiting as host, seat 0",
    pace: "1.00",
    rollbacks: "– /s",
    resim: "– /tick",
    packet: "– B",
    sent: "– B/s",
  });
  expect(peerFiguresOf(ada.session as never)).toEqual([]);
  net.mesh();
  net.run(5);
  for (let i = 0; i < 8; i++) sample(0.25);
  expect(sample(0.25)).toEqual({
    net: "playing as host, seat 0",
    pace: expect.stringMatching(/^(0\.9\d|1\.0\d)$/),
    predicted: expect.stringMatching(/^\d$/),
    ahead: expect.stringMatching(/^[+−]?\d\.\d$/),
    rollbacks: expect.stringMatching(/^[1-9]\d?\.\d \/s$/),
    resim: expect.stringMatching(/^0\.\d\d \/tick$/),
    stalled: expect.stringMatching(/^\d+$/),
    window: expect.stringMatching(/^\d+$/),
    packet: expect.stringMatching(/^\d\.\d B$/),
    delay: "2",
    sent: expect.stringMatching(/^[2-5]\d\d B\/s$/),
  });
  expect(peerFiguresOf(ada.session as never)).toEqual([
    {
      peer: "1 Bob",
      trip: expect.stringMatching(/^1[012]\d ms$/),
      jitter: expect.stringMatching(/^\d ms$/),
      loss: expect.stringMatching(/^\d+ %$/),
      ahead: expect.stringMatching(/^[+−]?\d\.\d$/),
    },
  ]);
  bob.freeze();
  net.run(1);
  expect(peerFiguresOf(ada.session as never)[0]!.trip).toBe("silent");
});

test("rates are those of the last second of one session", () => {
  const memory = new NetMemory();
  const session = (tick: number) =>
    ({ tick, net: { rollbacks: 0, resimulatedTicks: tick * 2, packetsSent: 0, bytesSent: 0 } }) as NetSession;
  const same = { ...session(0) };
  for (let i = 0; i <= 20; i++) memory.add(Object.assign(same, session(i * i)), i / 4);
  expect([memory.growth("time"), memory.growth("tick"), memory.growth("resimulatedTicks")]).toEqual([
    1,
    400 - 256,
    2 * (400 - 256),
  ]);
  memory.add(session(7), 6);
  expect(memory.growth("tick")).toBe(0);
});

test("lists in words", () => {
  expect([[], [1], [1, 2], ["a", "b", "c"]].map(listText)).toEqual(["", "1", "1 and 2", "a, b and c"]);
});
