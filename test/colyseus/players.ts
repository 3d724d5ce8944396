// Many players in one process. Each has a session over the Colyseus SDK, and keeps it joined.
import { Client } from "@colyseus/sdk";
import {
  clientSession,
  colyseusLink,
  keepJoined,
  peerSession,
  viewerSession,
  type ColyseusRoom,
  type KeptJoined,
} from "../../src/net/index.js";
import { answer, settingsOf } from "./answers.js";
import { GAME, playSeat } from "./game.js";

/** What the SDK reports about each reconnection would fill the output. */
console.info = console.warn = () => {};

const { addresses, timeout = 15 } = settingsOf<{
  addresses: string[];
  /** Seconds of silence after which a session takes its server for gone. Long, as the machine may be busy. */
  timeout?: number;
}>();
const clients = addresses.map((address) => new Client(address));
const TICK = (1000 * GAME.rate[1]) / GAME.rate[0];
/** Ticks whose hashes are kept. */
const KEPT = 1800;

type Mine = Parameters<typeof playSeat>[0];

export interface PlayerReport {
  readonly roomId: string;
  readonly kind: string;
  readonly state: string;
  readonly kept: KeptJoined["state"];
  readonly tick: number;
  readonly confirmed: number;
  readonly seats: readonly number[];
  readonly rejoined: number;
  readonly lost: string | undefined;
  readonly desyncs: number;
  /** The longest time without a new confirmed tick, in milliseconds, since `mark`. */
  readonly gap: number;
  /** Since `mark`: the confirmed tick before the link was lost, the first one after it, and the milliseconds between. */
  readonly before: number;
  readonly after: number;
  readonly away: number;
}

/** Hashes of confirmed ticks by room and time of life, which all players of a room must agree on. */
const agreed = new Map<string, string>();
let disagreements = 0;

class Player {
  readonly kind: string;
  room: ColyseusRoom;
  readonly #session;
  readonly #keeper: KeptJoined;
  readonly hashes = new Map<number, string>();
  lost: string | undefined;
  rejoined = 0;
  desyncs = 0;
  gap = 0;
  before = -1;
  after = -1;
  away = 0;
  #lastAt = performance.now();
  #lastTick = -1;
  #due = performance.now();

  constructor(kind: string, room: ColyseusRoom, token: string) {
    this.kind = kind;
    this.room = room;
    const link = colyseusLink(room);
    const inputs = ([me]: readonly Mine[], { tick }: { tick: number }) =>
      playSeat(me!, tick, this.seats[0] ?? 0);
    if (kind === "viewer") this.#session = viewerSession(GAME, link, { token, timeout });
    else if (kind === "arena")
      this.#session = clientSession(GAME, link, { token, inputs, present: "none", timeout });
    else {
      const window = kind === "lockstep" ? { window: 0 } : {};
      this.#session = peerSession(GAME, {
        links: [link],
        seats: 1,
        token,
        inputs,
        present: "none",
        timeout,
        ...window,
      });
    }
    if (kind !== "viewer") {
      const { net } = this.#session as { net: { on(event: "desync", listener: () => void): void } };
      net.on("desync", () => this.desyncs++);
      this.#session.on("confirmed", ({ tick, hash }) => this.#confirmed(tick, hash().join()));
    }
    this.#keeper = keepJoined(this.#session, link, clients, {
      timeout: 60,
      onRejoined: (next) => {
        this.room = next;
        this.rejoined++;
        this.before = this.#lastTick;
        this.after = -1;
      },
      onLost: (reason) => (this.lost = reason),
    });
  }

  get seats(): readonly number[] {
    return "seats" in this.#session ? this.#session.seats : [];
  }
  get report(): PlayerReport {
    const { kind, rejoined, lost, desyncs, gap, before, after, away, seats } = this;
    const { net, tick, confirmed } = this.#session;
    return {
      roomId: this.room.roomId,
      kind,
      state: net.state,
      kept: this.#keeper.state,
      tick,
      confirmed,
      seats,
      rejoined,
      lost,
      desyncs,
      gap: Math.max(gap, performance.now() - this.#lastAt),
      before,
      after,
      away,
    };
  }

  mark(): void {
    this.gap = 0;
    this.#lastAt = performance.now();
  }

  advance(now: number): void {
    if (this.#due < now - 250) this.#due = now - 250;
    while (this.#due <= now) {
      const tick = this.#session.advance() === "stepped" && this.kind === "viewer";
      if (tick) this.#progress(this.#session.tick);
      this.#due += TICK / (this.#session.pace || 1);
    }
  }

  drop(): void {
    // As if the network had cut the connection.
    (
      this.room.connection as unknown as { transport: { ws: { terminate?(): void; close(): void } } }
    ).transport.ws.close();
  }

  async leave(): Promise<void> {
    this.#keeper.stop();
    this.#session.dispose();
  }

  #confirmed(tick: number, hash: string): void {
    this.hashes.set(tick, hash);
    this.hashes.delete(tick - KEPT);
    const key = `${this.room.roomId} ${this.rejoined} ${tick}`;
    const other = agreed.get(key);
    if (other === undefined) agreed.set(key, hash);
    else if (other !== hash) disagreements++;
    if (agreed.size > 2_000_000) agreed.clear();
    this.#progress(tick);
  }

  #progress(tick: number): void {
    const now = performance.now();
    if (this.rejoined > 0 && this.after < 0) {
      this.after = tick;
      this.away = now - this.#lastAt;
    }
    this.gap = Math.max(this.gap, now - this.#lastAt);
    this.#lastAt = now;
    this.#lastTick = tick;
  }
}

const players: Player[] = [];
setInterval(() => {
  const now = performance.now();
  for (const player of players) player.advance(now);
}, 5);

const join = async (
  kind: string,
  roomId: string | undefined,
  index: number,
  client = clients[index % clients.length]!,
) => {
  const name = kind === "viewer" ? "arena" : kind;
  const room = (await (roomId === undefined ? client.create(name) : client.joinById(roomId))) as ColyseusRoom;
  players.push(new Player(kind, room, `token ${index}`));
  return room.roomId;
};

answer({
  ready: () => true,
  /** Creates rooms on the servers in turn, and fills them. Returns their ids. */
  async fill(kind: string, rooms: number, seats: number) {
    const ids: string[] = [];
    for (let i = 0; i < rooms; i++) {
      const id = await join(kind, undefined, players.length, clients[i % clients.length]!);
      ids.push(id);
      await Promise.all(
        Array.from({ length: seats - 1 }, (_, seat) => join(kind, id, players.length + seat)),
      );
    }
    return ids;
  },
  /** Joins through the last server, which no test kills while it needs it. */
  join: (kind: string, roomId: string) => join(kind, roomId, players.length, clients.at(-1)!),
  async quickPlay() {
    const room = (await clients.at(-1)!.joinOrCreate("arena", { open: true })) as ColyseusRoom;
    players.push(new Player("arena", room, `token ${players.length}`));
    return room.roomId;
  },
  mark: () => players.forEach((player) => player.mark()),
  report: () => ({ players: players.map((player) => player.report), disagreements, agreed: agreed.size }),
  /** The hash of a tick, as the players of a room have confirmed it. */
  hashAt: (roomId: string, tick: number) => [
    ...new Set(
      players.filter((player) => player.room.roomId === roomId).map(({ hashes }) => hashes.get(tick)),
    ),
  ],
  sessionIds: () => players.map(({ room }) => (room as ColyseusRoom & { sessionId: string }).sessionId),
  drop: (index: number) => players[index]!.drop(),
  leave: (index: number) => players[index]!.leave(),
});
