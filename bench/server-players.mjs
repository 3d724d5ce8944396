// Light players: they speak the protocol of each contender, send their inputs in every tick, and read what arrives.
import { Reflection } from "@colyseus/schema";
import { encode } from "@msgpack/msgpack";
import WebSocket from "ws";
import { LightSocket, TEXT } from "./server-websocket.mjs";

/** The ticks for which a player keeps a direction, on average, and the part of ticks in which it presses dash. */
const KEEP_TICKS = 9;
const DASH = 0.04;

/** What players do. The same for all contenders: it depends only on the seed and the tick. */
class Hands {
  #state;
  x = 0;
  y = 0;
  dash = false;

  constructor(seed) {
    this.#state = (seed * 2654435761 + 1) >>> 0;
  }
  #random() {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }
  tick() {
    this.dash = this.#random() < DASH;
    if (this.#random() * KEEP_TICKS >= 1) return;
    this.x = Math.floor(this.#random() * 3) - 1;
    this.y = Math.floor(this.#random() * 3) - 1;
  }
}

/** A curious player decodes what arrives: then `state()` returns the newest one. */
class Player {
  states = 0;
  hasJoined = false;
  closed = undefined;

  /** Whether others may follow into the same room. */
  isInRoom = true;

  constructor(port, path, seed, protocol) {
    this.hands = new Hands(seed);
    this.socket = new LightSocket(port, path, {
      protocol,
      onOpen: () => this.onOpen(),
      onMessage: (bytes, isText) => this.onMessage(bytes, isText),
      onClose: (reason) => (this.closed = reason),
    });
  }
  onOpen() {}
}

class ColyseusPlayer extends Player {
  #decoder;
  #isCurious;

  constructor(port, { path, sessions }, seat, seed, isCurious) {
    super(port, `/${path}?sessionId=${sessions[seat]}`, seed);
    this.#isCurious = isCurious;
  }
  onMessage(bytes) {
    const type = bytes[0] & 31;
    if (type === 15) {
      this.states++;
      if (this.#isCurious) this.#decoder.decode(bytes, { offset: 1 });
    } else if (type === 10) {
      if (this.#isCurious) {
        let at = 2 + bytes[1];
        at += 1 + bytes[at];
        this.#decoder = Reflection.decode(bytes, {
          offset: at + (bytes[at] < 128 ? 1 : bytes[at] === 0xcc ? 2 : 3),
        });
      }
      this.socket.send(Uint8Array.of(10));
    } else if (type === 14) {
      if (this.#isCurious) this.#decoder.decode(bytes, { offset: 1 });
      this.hasJoined = true;
    }
  }
  state() {
    return this.#decoder.state.toJSON();
  }
  tick() {
    const { x, y, dash } = this.hands;
    // The code of a message, its type as a string, and the input.
    this.socket.send(Buffer.concat([INPUT_HEAD, encode({ x, y, dash })]));
  }
}
const INPUT_HEAD = Buffer.from([13, 0xa0 | 5, ...Buffer.from("input")]);

class SocketIoPlayer extends Player {
  #state;
  #isCurious;

  constructor(port, { path }, _seat, seed, isCurious) {
    super(port, `/socket.io/?EIO=4&transport=websocket&room=${path}`, seed);
    this.#isCurious = isCurious;
  }
  onMessage(bytes) {
    switch (bytes[0]) {
      case 0x30: // "0": opened
        return this.#send("40");
      case 0x32: // "2": ping
        return this.#send("3");
      case 0x34: // "4": a packet
        if (bytes[1] === 0x30) this.hasJoined = true;
        else if (bytes[1] === 0x32) {
          this.states++;
          if (this.#isCurious) this.#state = JSON.parse(bytes.subarray(2).toString())[1];
        }
    }
  }
  state() {
    return this.#state;
  }
  #send(text) {
    this.socket.send(Buffer.from(text), TEXT);
  }
  tick() {
    const { x, y, dash } = this.hands;
    this.#send(`42${JSON.stringify(["input", { x, y, dash }])}`);
  }
}

/** Returns the classes of all players. Ours needs the library, which `library` imports. */
export async function players(library) {
  const { BitReader, BitWriter } = await library("src/net/bits.js");
  const { InputRows } = await library("src/net/input-rows.js");
  const { jsonMessage, readJson } = await library("src/net/messages.js");
  const { Connection } = await library("src/net/authority/connection.js");
  const { InputHead } = await library("src/net/authority/input-packet.js");
  const { JOIN, joinOf, TIME, WELCOME } = await library("src/net/authority/messages.js");
  const { ServerHead } = await library("src/net/authority/tick-packet.js");
  const { SUBPROTOCOL } = await library("src/net/room-lobby.js");
  const { roundedArena } = await library("scenes/arena.js");
  const { packing } = roundedArena;

  const reader = new BitReader();
  const writer = new BitWriter(1200);
  const serverHead = new ServerHead();
  const head = new InputHead();
  /** Ticks that inputs are ahead of the newest state that has arrived. */
  const LEAD = 5;
  const KEPT = 256;

  /** Acknowledges each state, and sends all inputs that the server has not acknowledged, as a client session does. */
  class OurPlayer extends Player {
    #connection;
    #rows = new InputRows(packing, [0]);
    #inputs = new Uint32Array(KEPT);
    #source = { readSeat: (tick, _, out, at) => void (out[at] = this.#inputs[tick % KEPT]) };
    #words = new Uint32Array(1);
    #room;
    #join;
    #listen;
    #newest = 0;
    #first = 0;
    #end = 0;
    #acked = -1;

    /** The first player of a room notes its code in `join`. */
    constructor(port, join, seat, seed) {
      super(port, `/rooms/${join.code ?? "new"}`, seed, SUBPROTOCOL);
      this.isInRoom = false;
      this.#room = join;
      this.#join = jsonMessage(
        JOIN,
        joinOf(roundedArena, { role: "client", name: `p${seat}`, token: `${seed}`, seats: [seat], count: 1 }),
      );
      // A link of the least possible.
      const link = {
        state: "open",
        send: (bytes) => this.socket.send(bytes),
        on: (event, listener) => {
          if (event === "message") this.#listen = listener;
          return () => {};
        },
        close: () => this.socket.close(),
      };
      this.#connection = new Connection(link, () => performance.now(), {
        receivesStates: true,
        onPacket: (bytes) => this.#onPacket(bytes),
        onControl: (type, body) => {
          if (type === TIME) return;
          if (type !== WELCOME) throw new Error(`an unexpected message ${type}: ${Buffer.from(body)}`);
          this.#newest = this.#first = this.#end = readJson(body).tick;
          this.hasJoined = true;
        },
        onTransfer() {},
        accepts: () => true,
        onClosed() {},
      });
    }
    onOpen() {
      this.#connection.send(this.#join, true);
    }
    onMessage(bytes, isText) {
      if (!isText) return this.#listen(bytes);
      this.#room.code = JSON.parse(bytes.toString()).code;
      this.isInRoom = true;
    }
    #onPacket(bytes) {
      reader.start(bytes);
      if (!serverHead.read(reader, this.#newest)) throw new Error("a malformed packet");
      if (!serverHead.hasState) return;
      this.states++;
      this.#newest = Math.max(this.#newest, serverHead.tick);
      const { inputEnd } = serverHead;
      if (inputEnd > this.#acked && inputEnd >= this.#first && inputEnd <= this.#end) this.#acked = inputEnd;
    }
    tick() {
      if (!this.hasJoined) return;
      const { x, y, dash } = this.hands;
      // Too far behind or ahead of the server: go on where it is.
      if (Math.abs(this.#newest + LEAD - this.#end) > 4) {
        this.#first = this.#end = this.#newest + LEAD;
        this.#acked = -1;
      }
      packing.pack({ x, y, dash }, this.#words);
      this.#inputs[this.#end++ % KEPT] = this.#words[0];
      head.isComplete = this.#acked <= this.#first;
      head.first = Math.max(this.#first, this.#acked, this.#end - 60);
      if (head.first > Math.max(this.#first, this.#acked)) head.isComplete = true;
      head.end = this.#end;
      head.ack = this.states > 0 ? this.#newest : 0;
      writer.reset();
      head.write(writer);
      if (head.isComplete) this.#rows.writeFrom(writer, this.#source, head.first, head.end);
      else this.#rows.write(writer, this.#source, head.first, head.end);
      this.#connection.send(writer.bytes(), false);
    }
  }
  const { clientSession, joinRoom } = await library("src/net/index.js");
  const { readHandover } = await library("src/net/authority/handover.js");
  const { readBytes } = await library("src/sim/bytes.js");
  const { Run } = await library("src/sim/run.js");
  const { plainState } = await import("./server-state.mjs");

  /** A real client, which predicts and corrects. */
  class RealPlayer {
    closed = undefined;
    states = 0;
    isInRoom = false;
    session = undefined;
    socket = { bytesRead: 0, bytesWritten: 0, close: () => this.session.dispose() };

    constructor(port, join, seat, seed) {
      this.hands = new Hands(seed);
      joinRoom(`ws://127.0.0.1:${port}`, { room: join.code ?? "new", webSocket: WebSocket }).then(
        (link) => {
          join.code = link.code;
          this.isInRoom = true;
          this.#play(link, seat);
        },
        (error) => (this.closed = error.message),
      );
    }
    #play(link, seat) {
      this.session = clientSession(roundedArena, link, {
        seats: [seat],
        inputs: ([me]) => {
          const { x, y, dash } = this.hands;
          Object.assign(me, { x, y, dash });
        },
      });
      this.session.net.on("server", ({ kind, reason }) => {
        if (kind === "gone") this.closed = reason;
      });
      this.session.net.on("rejected", ({ text }) => (this.closed = text));
    }
    get hasJoined() {
      if (this.session?.tick === 0) this.session.advance();
      return this.session?.tick > 0;
    }
    tick() {
      this.session.advance();
    }
    /** The newest state of the server that it has. */
    state() {
      if (this.session.net.drift === "diverging")
        throw new Error("a client predicts another game than the server");
      const run = new Run(roundedArena, 0);
      readBytes(
        roundedArena,
        run,
        readHandover("bench", roundedArena, this.session.handover()).state,
        "bench",
      );
      return plainState(run.world);
    }
  }
  return { ours: OurPlayer, real: RealPlayer, colyseus: ColyseusPlayer, socketio: SocketIoPlayer };
}
