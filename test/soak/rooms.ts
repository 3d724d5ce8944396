// A day of rooms on virtual time: players come, leave, die and return; rooms die with their process and are continued elsewhere.
import { random } from "../../src/math/index.js";
import { clientSession, loopbackPair, virtualScheduler, type ClientSession } from "../../src/net/index.js";
import { readReplay, verify } from "../../src/replay/index.js";
import { GameRoom } from "../../src/server/rooms/game-room.js";
import { RoomSchedule } from "../../src/server/rooms/room-schedule.js";
import { brawlFor } from "../net/brawl.js";
import { used } from "./memory.js";

const game = brawlFor(4);
const TICK_MS = 1000 / 60;
/** Rooms at a time. */
const ROOMS = 3;
/** Milliseconds between two events in a room, between two saves, and between two pieces of the inputs. */
const EVENT_EVERY = 4000;
const SAVE_EVERY = 5000;
const INPUTS_EVERY = 100;
/** Of how many rooms one replay is verified, which takes as long as the game did. */
const VERIFIED = 8;
/** Milliseconds within which a player must be in the game, and within which it must go on. */
const PATIENCE = 10_000;

export interface RoomsSoak {
  readonly faults: string[];
  readonly games: number;
  readonly joins: number;
  readonly refused: number;
  readonly deaths: number;
  readonly restored: number;
  readonly hashes: number;
  /** Megabytes by which the heap grew per hour of virtual time, from the line through all samples after the first tenth. */
  readonly heapPerHour: number;
}

type Fault = (text: string) => void;

class Player {
  readonly token: string;
  readonly session: ClientSession;
  /** Its program has ended without a word. */
  isDead = false;
  /** When its confirmed tick last grew. */
  grewAt: number;
  #confirmed = -1;

  constructor(token: string, room: HostedRoom, now: () => number) {
    const dice = random(new Uint32Array(4)).seed(token);
    const [near, far] = loopbackPair();
    this.token = token;
    this.grewAt = now();
    room.room.connect(far);
    this.session = clientSession(game, near, {
      token,
      seats: 1,
      now,
      inputs: ([me], { tick }) => {
        if (tick % 8 > 0) return;
        me.go = dice.float() < 0.7;
        me.hit = dice.float() < 0.3;
        me.way = dice.int(0, 7);
      },
    });
    this.session.on("confirmed", ({ tick, hash }) => room.compare(tick + 1, hash().join(), token));
  }

  advance(now: number): void {
    if (this.isDead) return;
    this.session.advance();
    if (this.session.confirmed === this.#confirmed) return;
    this.#confirmed = this.session.confirmed;
    this.grewAt = now;
  }

  reconnect(room: HostedRoom, now: number): void {
    const [near, far] = loopbackPair();
    room.room.connect(far);
    this.grewAt = now;
    this.session.connect(near);
  }
}

/** A room with what an operator keeps of it. */
class HostedRoom {
  room!: GameRoom;
  readonly players: Player[] = [];
  readonly endsAt: number;
  readonly #fault: Fault;
  /** Hashes of the server by tick, of the last seconds. */
  readonly #hashes = new Map<number, string>();
  #save: Uint8Array[] = [];
  #savedAt = -Infinity;
  #inputsAt = -Infinity;
  #replay: Uint8Array[] = [];
  compared = 0;

  constructor(endsAt: number, fault: Fault) {
    this.endsAt = endsAt;
    this.#fault = fault;
  }

  open(room: GameRoom): void {
    this.room = room;
    this.#savedAt = -Infinity;
    this.#hashes.clear();
    room.session.on("confirmed", ({ tick, hash }) => {
      this.#hashes.set(tick + 1, hash().join());
      this.#hashes.delete(tick - 600);
    });
  }

  compare(state: number, hash: string, token: string): void {
    const wanted = this.#hashes.get(state);
    if (wanted === undefined) return;
    this.compared++;
    if (wanted !== hash) this.#fault(`${token} has another state ${state} than its server`);
  }

  keep(now: number): void {
    if (now - this.#savedAt > SAVE_EVERY) {
      this.#save = [this.room.save()];
      this.#savedAt = this.#inputsAt = now;
      this.#replay.push(this.room.takeReplay());
    } else if (now - this.#inputsAt > INPUTS_EVERY) {
      this.#save.push(this.room.takeInputs());
      this.#inputsAt = now;
    }
  }

  get saved(): Uint8Array {
    return Buffer.concat(this.#save);
  }

  /** Ends the recording of this process. Returns the file. */
  takeFile(): Uint8Array {
    this.#replay.push(this.room.takeReplay());
    const file = Buffer.concat(this.#replay);
    this.#replay = [];
    return file;
  }
}

/** Runs rooms for some hours of virtual time. */
export function soakRooms(hours: number, seed: string, report: (text: string) => void): RoomsSoak {
  const dice = random(new Uint32Array(4)).seed(seed);
  const scheduler = virtualScheduler();
  const { now } = scheduler;
  const faults: string[] = [];
  const fault: Fault = (text) => {
    if (faults.length < 100) faults.push(`after ${(now() / 1000).toFixed(1)} s: ${text}`);
  };
  const schedule = new RoomSchedule({
    scheduler,
    hangAfter: 0,
    onFailed: (_, reason, error) => fault(`${reason}: ${String(error)}`),
  });
  const rooms: HostedRoom[] = [];
  const counts = { games: 0, joins: 0, refused: 0, deaths: 0, restored: 0, hashes: 0 };
  const heaps: { hour: number; heap: number }[] = [];

  const roomOf = (from?: Uint8Array) => {
    const room = new GameRoom(game, {
      seed: counts.games,
      now,
      replay: true,
      from,
      session: { timeout: 2, keepSeat: 15 },
    });
    schedule.add(room);
    return room;
  };
  const open = () => {
    const hosted = new HostedRoom(now() + dice.int(60, 1200) * 1000, fault);
    hosted.open(roomOf());
    rooms.push(hosted);
  };
  const check = (file: Uint8Array) => {
    if (counts.games % VERIFIED > 0) return;
    const result = verify(game, readReplay(file));
    if (!result.ok) fault(`the replay of a room differs: ${JSON.stringify(result)}`);
  };
  const close = (hosted: HostedRoom) => {
    schedule.remove(hosted.room);
    hosted.room.close("the game is over");
    for (const { session } of hosted.players) session.dispose();
    counts.games++;
    counts.hashes += hosted.compared;
    check(hosted.takeFile());
    rooms.splice(rooms.indexOf(hosted), 1);
  };
  /** The process of a room dies. Another one continues it, and its players reconnect. */
  const kill = (hosted: HostedRoom) => {
    const { tick } = hosted.room;
    const saved = hosted.saved;
    schedule.remove(hosted.room);
    hosted.room.abandon("killed");
    hosted.takeFile();
    hosted.open(roomOf(saved));
    if (tick - hosted.room.tick > INPUTS_EVERY / TICK_MS + 2)
      fault(`a room lost ${tick - hosted.room.tick} ticks`);
    for (const player of hosted.players) if (!player.isDead) player.reconnect(hosted, now());
    counts.restored++;
  };
  const disturb = (hosted: HostedRoom) => {
    const { players } = hosted;
    const chance = dice.float();
    const player = players[dice.int(0, Math.max(0, players.length - 1))];
    if (chance < 0.1) kill(hosted);
    else if (players.length < 2 || (chance < 0.5 && players.length < game.players)) {
      players.push(new Player(`player ${counts.joins++}`, hosted, now));
    } else if (player === undefined || chance > 0.9) return;
    else if (chance < 0.7) {
      player.session.leave();
      players.splice(players.indexOf(player), 1);
    } else if (player.isDead) {
      // The same player again, in a new program.
      players.splice(players.indexOf(player), 1, new Player(player.token, hosted, now));
    } else {
      player.isDead = true;
      counts.deaths++;
    }
  };

  /** All seats are taken, or kept for players who died. */
  const refuse = (hosted: HostedRoom, player: Player) => {
    const { code, text } = player.session.net.last.rejected!;
    if (code !== "game full" && code !== "seat taken") fault(`${player.token} was rejected: ${text}`);
    player.session.dispose();
    player.isDead = true;
    hosted.players.splice(hosted.players.indexOf(player), 1);
    counts.refused++;
  };

  const end = hours * 3_600_000;
  let heapAt = 0;
  let eventAt = EVENT_EVERY;
  while (now() < end && faults.length < 10) {
    while (rooms.length < ROOMS) open();
    scheduler.advance(TICK_MS);
    const time = now();
    for (const hosted of rooms) {
      for (const player of hosted.players.slice()) {
        player.advance(time);
        if (player.session.net.state === "rejected") refuse(hosted, player);
        if (player.isDead || time - player.grewAt < PATIENCE) continue;
        fault(`${player.token} stands still: ${player.session.net.state}`);
        player.grewAt = time;
      }
      hosted.keep(time);
    }
    if (time >= eventAt) {
      eventAt = time + EVENT_EVERY / ROOMS;
      disturb(rooms[dice.int(0, rooms.length - 1)]!);
    }
    for (const hosted of rooms.slice()) if (time >= hosted.endsAt) close(hosted);
    if (time < heapAt) continue;
    heapAt += end / 40;
    const { heap } = used();
    heaps.push({ hour: time / 3_600_000, heap });
    report(
      `${(time / 3_600_000).toFixed(1)} hours of rooms: ${JSON.stringify(counts)}, heap ${heap.toFixed(1)} MB, ${faults.length} faults`,
    );
  }
  for (const hosted of rooms.slice()) close(hosted);
  schedule.stop();
  return { faults, ...counts, heapPerHour: slopeOf(heaps.slice(Math.ceil(heaps.length / 10))) };
}

/** The slope of the line through samples, by least squares. */
function slopeOf(samples: readonly { hour: number; heap: number }[]): number {
  const mean = (of: (sample: { hour: number; heap: number }) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [hour, heap] = [mean((one) => one.hour), mean((one) => one.heap)];
  return mean((one) => (one.hour - hour) * (one.heap - heap)) / mean((one) => (one.hour - hour) ** 2);
}
