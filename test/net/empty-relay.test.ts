import { expect, test } from "vitest";
import { arena } from "../../scenes/arena.js";
import { loopbackPair, peerSession } from "../../src/net/index.js";

test.each([8, 0])(
  "players find a seat at a relay that has run alone for a while, with window %d",
  (window) => {
    let time = 0;
    const now = () => time;
    const relay = peerSession(arena, { relay: true, seats: [], start: 0, present: "none", window, now });
    const play = (ticks: number, ...sessions: { advance(): unknown }[]) => {
      for (let i = 0; i < ticks; i++) {
        time += 1000 / 60;
        relay.advance();
        for (const session of sessions) session.advance();
      }
    };
    const join = () => {
      const [near, far] = loopbackPair();
      relay.connect(far);
      return peerSession(arena, { links: [near], seats: 1, present: "none", window, now });
    };
    play(200);
    const first = [join(), join()];
    play(200, ...first);
    expect(first.map(({ net, seats }) => [net.state, ...seats])).toEqual([
      ["playing", 0],
      ["playing", 1],
    ]);
    // All leave, and later somebody else comes.
    for (const session of first) session.dispose();
    play(300);
    const last = join();
    play(200, last);
    expect([last.net.state, ...last.seats]).toEqual(["playing", 0]);
    expect(last.confirmed).toBeGreaterThan(600);
  },
);
