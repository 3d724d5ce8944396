// What the relay alone costs: clients that simulate nothing join it, change their inputs, and answer.
import { random } from "../dist/math/index.js";
import { JOIN, joinOf } from "../dist/net/authority/messages.js";
import { LockstepHead } from "../dist/net/authority/lockstep-packet.js";
import { BitWriter } from "../dist/net/bits.js";
import { serverSession } from "../dist/net/index.js";
import { jsonMessage } from "../dist/net/messages.js";
import { squareFor } from "./lockstep-game.mjs";

/** Seconds between two signs of life, as clients send them. */
const PING_EVERY = 0.5;

/** CPU time of this process in microseconds. The load of the machine hardly changes it. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The relay's end of a link to a client that counts bytes, and nothing else. */
class CountingLink {
  state = "open";
  bytes = 0;
  messages = 0;
  #listeners = [];

  on(event, listener) {
    if (event === "message") this.#listeners.push(listener);
    return () => {};
  }
  send(bytes) {
    this.bytes += bytes.length;
    this.messages++;
  }
  close() {
    this.state = "closed";
  }
  receive(bytes) {
    for (const listener of this.#listeners) listener(bytes);
  }
}

/** Plays some seconds. Returns what each tick took, in microseconds: all, and the step alone. */
export function measureRelay(seats, rate, seconds) {
  let now = 0;
  let stepUs = 0;
  const timed = (run) => (world, inputs, context) => {
    const start = cpu();
    run(world, inputs, context);
    stepUs += cpu() - start;
  };
  const game = squareFor(seats, rate, timed);
  const relay = serverSession(game, { down: "lockstep", hashEvery: rate, now: () => now });
  const dice = random(new Uint32Array(4)).seed("relay");
  const head = new LockstepHead();
  const writer = new BitWriter(64);
  const clients = Array.from({ length: seats }, (_, number) => {
    const link = new CountingLink();
    relay.connect(link);
    const join = { role: "client", name: `p${number}`, token: `token ${number}`, seats: [number], count: 1 };
    link.receive(jsonMessage(JOIN, joinOf(game, join)));
    return {
      link,
      act: 0,
      chance: dice.int(2, 8) / rate,
      pingAt: dice.int(0, rate * PING_EVERY - 1),
    };
  });
  const busy = [];
  const pingTicks = Math.round(rate * PING_EVERY);
  for (let tick = 0; tick < seconds * rate; tick++) {
    now += 1000 / rate;
    // Written before the measurement: that is the clients' work.
    const inbox = [];
    for (const client of clients) {
      const isChange = dice.float() < client.chance;
      const isPing = tick % pingTicks === client.pingAt;
      if (!isChange && !isPing) continue;
      client.act = (client.act + dice.int(1, 9)) % 10;
      head.ack = Math.max(0, relay.tick - 3);
      head.age = dice.int(0, 30);
      head.ping = isPing ? tick & 255 : -1;
      head.rows = isChange ? 1 : 0;
      writer.reset();
      head.write(writer);
      // A row: the four bits of the only input.
      if (isChange) writer.write(client.act, 4);
      inbox.push(client.link, writer.bytes().slice());
    }
    const start = cpu();
    for (let i = 0; i < inbox.length; i += 2) inbox[i].receive(inbox[i + 1]);
    relay.advance();
    busy.push(cpu() - start);
  }
  const { clients: infos } = relay.net;
  if (infos.length !== seats || infos.some(({ droppedPackets }) => droppedPackets > 0))
    throw new Error(
      `the relay dropped clients or packets: ${infos.find((one) => one.droppedPackets > 0)?.lastFault}`,
    );
  if (!infos.every(({ inTimeInputs }) => inTimeInputs > 0))
    throw new Error("a client's inputs did not count");
  relay.dispose();
  return { busy, stepUs: stepUs / (seconds * rate) };
}
