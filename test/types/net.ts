// Peer sessions, the simulated network and expectNetplay, as the compiler sees them.
import {
  conditioned,
  loopbackPair,
  NETWORK_PROFILES,
  peerSession,
  type DesyncEvent,
  type Link,
  type NetInfo,
  type PeerEvent,
  type PeerOptions,
  type PeerSession,
} from "../../src/net/index.js";
import { record } from "../../src/replay/index.js";
import { axis, button, drive, int, simulation, text, type Session } from "../../src/sim/index.js";
import { f64, layout, list, u32 } from "../../src/state/index.js";
import {
  expectNetplay,
  simulatedNetwork,
  type NetplayResult,
  type SimulatedNetwork,
  type SimulatedPeer,
} from "../../src/testing/index.js";

const game = simulation({
  name: "net",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ score: u32, x: list(2, f64.lerp) }),
  input: { go: button, steer: axis(8), gear: int(1, 3) },
  commands: { chat: { text: text(100) }, surrender: {} },
  effects: { bump: { at: f64 } },
  step(world, inputs, { emit }) {
    world.score += inputs[0].gear;
    emit("bump", { at: world.x[0]! });
  },
});

const link: Link = loopbackPair()[0];

const session = peerSession(game, {
  seats: [0],
  links: [link, conditioned(link, NETWORK_PROFILES["bad wifi"])],
  window: 8,
  delay: "auto",
  inputs([me], { tick }) {
    me.go = tick % 2 === 0;
    me.steer = 0.5;
    // @ts-expect-error: there is no such input
    me.jump = true;
    // @ts-expect-error: a button is no number
    me.go = 1;
  },
  predict(player, { seat, age }) {
    player.gear = seat + age;
    // @ts-expect-error: there is no such input
    player.jump = true;
  },
  when: { bump: "confirmed" },
  desync: "recover",
});

// It is a session: loops drive it, and recorders record it.
session satisfies Session<
  { readonly score: number },
  { readonly name: "bump"; readonly at: number; readonly tick: number }
>;
drive(session, {
  render(view) {
    const score: number = view.score;
    void score;
    // @ts-expect-error: no such field
    void view.nothing;
  },
  effect(effect) {
    const at: number = effect.at;
    void at;
  },
});
record(session);
session.on("effect", ({ name, at }) => {
  const hit: "bump" = name;
  void [hit, at];
});
// @ts-expect-error: the world is read-only
session.world.score = 1;

session.command("chat", { text: "hi" });
session.command("surrender");
session.command("surrender", {}, { player: 0 });
// @ts-expect-error: there is no such command
session.command("dance");
// @ts-expect-error: it has fields
session.command("chat");

const info: NetInfo = session.net;
info.on("peer", ({ kind, name, seats }: PeerEvent) => {
  const isGone: boolean = kind === "dropped" || kind === "hostile";
  // @ts-expect-error: there is no such kind
  const isNone = kind === "gone";
  void [isGone, isNone, name, seats.length];
});
info.on("desync", (event: DesyncEvent) => {
  const file: Uint8Array | undefined = event.report?.();
  const path: string | undefined = event.fields[0]?.path;
  void [file, path];
});
info.on("message", ({ from, bytes }) => session.send(bytes, from));
// @ts-expect-error: there is no such event
info.on("peers", () => {});
const state: "connecting" | "waiting" | "playing" | "watching" | "paused" | "no quorum" | "rejected" =
  info.state;
void state;

// @ts-expect-error: it has no seats
peerSession(game, { links: [link] });
// @ts-expect-error: there is no such option
peerSession(game, { seats: [0], latency: 5 });
// @ts-expect-error: a delay is a number or "auto"
peerSession(game, { seats: [0], delay: "much" });
// @ts-expect-error: effects are shown or confirmed
peerSession(game, { seats: [0], when: "later" });
// @ts-expect-error: links are links
peerSession(game, { seats: [0], links: [{ send() {} }] });

export const anySession: PeerSession = session;
export const options: PeerOptions<{}> = { seats: 1 };

const net: SimulatedNetwork = simulatedNetwork({ network: "hell", seed: 7 });
const peer = net.peer(game, { seats: [1], skew: 0.01, inputs: ([me]) => void (me.gear = 2) });
const anyPeer: SimulatedPeer = peer;
net.mesh([anyPeer]);
peer.session.command("chat", { text: "typed" });
// @ts-expect-error: there is no such network
simulatedNetwork({ network: "wifi" });
// @ts-expect-error: the network gives its peers their links
net.peer(game, { seats: [0], links: [link] });

const result: NetplayResult = expectNetplay(game, {
  peers: 4,
  seconds: 60,
  network: "bad wifi",
  seed: 7,
  window: 0,
  delay: 3,
  inputs(player, { seat, tick, random }) {
    player.go = random.chance(0.5) && tick > seat;
    // @ts-expect-error: there is no such input
    player.jump = true;
  },
  commands(command, { tick }) {
    if (tick % 60 === 0) command("chat", { text: "hi" });
    // @ts-expect-error: there is no such command
    command("dance");
  },
});
export const figures: number[] = [result.ticks, result.rollbacks, result.hash[0], result.bytesPerSecond];
expectNetplay(game, { network: { latency: 50, loss: 0.3 } });
// @ts-expect-error: there is no such option
expectNetplay(game, { players: 2 });
