import { realScheduler, type Scheduler } from "../platform/index.js";
import { badValue, misuse, requireNumber, requireOptions, requireType } from "../errors/index.js";
import { LinkEnd } from "./link-end.js";
import type { Link } from "./link.js";
import { offerCheckOf, readSignal, sdpOf, signalOf, textOf, type Signal } from "./signal-text.js";

/** A server that helps peers to connect: STUN finds out the own public address, TURN relays what cannot go directly. */
export interface IceServer {
  /** One or more addresses, such as `"stun:stun.example.com:3478"`. */
  urls: string | string[];
  /** The user of a TURN server. */
  username?: string;
  /** The password of a TURN server. */
  credential?: string;
}

/** Options of `offerLink` and `answerLink`. */
export interface DataChannelOptions {
  /** Servers that help to connect. Default: none, which is enough on a local network only. */
  iceServers?: readonly IceServer[] | undefined;
  /** How long to look for own addresses, in milliseconds. Default: 3000, as a server that does not answer takes longer. */
  gatherTime?: number | undefined;
  /**
   * The constructor of connections. Default: the browser's. In Node, pass `RTCPeerConnection` of `"node-datachannel/polyfill"`.
   */
  rtc?: (new (configuration: { iceServers: IceServer[] }) => PeerConnectionLike) | undefined;
  /** The timers. Default: `realScheduler`. */
  scheduler?: Scheduler | undefined;
}

/** The part of an RTCPeerConnection that a link uses. */
export interface PeerConnectionLike {
  /** Whether own addresses are still being looked for. */
  readonly iceGatheringState: string;
  /** Whether the peers are connected. */
  readonly connectionState: string;
  /** The own description, with the addresses found so far. */
  readonly localDescription: { readonly sdp: string } | null;
  /** Creates a channel. */
  createDataChannel(label: string, options: object): ChannelLike;
  /** Describes a new connection. */
  createOffer(): Promise<unknown>;
  /** Answers the description of the peer. */
  createAnswer(): Promise<unknown>;
  /** Sets the own description. */
  setLocalDescription(description: never): Promise<void>;
  /** Sets the description of the peer. */
  setRemoteDescription(description: never): Promise<void>;
  /** Adds a listener for changes of the states. */
  addEventListener(type: string, listener: (event: object) => void): void;
  /** Ends the connection at once. */
  close(): void;
}

/** The part of an RTCDataChannel that a link uses. */
export interface ChannelLike {
  /** What messages are received as. The link sets it to `"arraybuffer"`. */
  binaryType: string;
  /** `"connecting"`, `"open"`, `"closing"` or `"closed"`. */
  readonly readyState: string;
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number;
  /** Sends a message. */
  send(data: string): void;
  send(data: Uint8Array): void;
  /** Adds a listener for `open`, `message` and `close`. */
  addEventListener(type: string, listener: (event: object) => void): void;
}

/** A link that waits for an answer. */
export interface Offer {
  /** The link, which connects when the answer is accepted. */
  readonly link: Link;
  /** The text for the peer: about 120 characters that may be part of a web address. */
  readonly offer: string;
  /** Takes the answer of the peer. An answer that cannot be used throws, and another one may follow. */
  accept(answer: string): Promise<void>;
}

/** A link that connects when the other side has accepted the answer. */
export interface Answer {
  /** The link, which is connecting. */
  readonly link: Link;
  /** The text for the peer that made the offer. */
  readonly answer: string;
}

/**
 * Offers a connection to one peer over WebRTC. Carry `offer` to the peer, by a server of yours or by a person, and its answer
 * back to `accept`.
 *
 * Unreliable messages are neither ordered nor sent again. They are dropped while more than 16 KB wait to be sent.
 */
export async function offerLink(options: DataChannelOptions = {}): Promise<Offer> {
  const { connection, scheduler, gatherTime } = connect("offerLink", options);
  try {
    const link = new DataChannelLink(connection, scheduler);
    await connection.setLocalDescription((await connection.createOffer()) as never);
    const offer = textOf(await ownSignal("offerLink", connection, "offer", 0, scheduler, gatherTime));
    let isAccepted = false;
    const accept = async (answer: string) => {
      const signal = readSignal("accept", "answer", answer);
      if (signal.offerCheck !== offerCheckOf(offer))
        misuse(
          "corrupt-data",
          "accept",
          "this answer belongs to another offer",
          "Send the current offer to the peer again",
        );
      if (isAccepted) misuse("in-use", "accept", "an answer was already accepted", "Make one offer per peer");
      if (link.state === "closed") misuse("disposed", "accept", "the link is closed", "Make a new offer");
      isAccepted = true;
      await setRemote("accept", connection, signal);
    };
    return { link, offer, accept };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Answers an offer of `offerLink`. Carry `answer` back to the peer soon: Firefox and Node stop trying after about half a minute,
 * and then the link closes. Chromium waits longer.
 */
export async function answerLink(offer: string, options: DataChannelOptions = {}): Promise<Answer> {
  const signal = readSignal("answerLink", "offer", offer);
  const { connection, scheduler, gatherTime } = connect("answerLink", options);
  try {
    await setRemote("answerLink", connection, signal);
    // Only now: in Node, a new channel would make an offer of its own.
    const link = new DataChannelLink(connection, scheduler);
    await connection.setLocalDescription((await connection.createAnswer()) as never);
    const check = offerCheckOf(offer.replace(/\s/g, ""));
    const own = await ownSignal("answerLink", connection, "answer", check, scheduler, gatherTime);
    return { link, answer: textOf(own) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

const OPTIONS = ["iceServers", "gatherTime", "rtc", "scheduler"] satisfies (keyof DataChannelOptions)[];

function connect(call: string, options: DataChannelOptions) {
  requireOptions(call, options, OPTIONS, "{ iceServers: [] }");
  const { iceServers = [], gatherTime = 3000, scheduler = realScheduler } = options;
  if (!Array.isArray(iceServers))
    badValue(`${call}: iceServers`, "an array", iceServers, '[{ urls: "stun:stun.example.com:3478" }]');
  requireNumber(`${call}: gatherTime`, gatherTime, 0, 60_000, 3000);
  requireType(`${call}: scheduler`, scheduler, "object", "realScheduler");
  const platform = typeof RTCPeerConnection === "undefined" ? undefined : RTCPeerConnection;
  const rtc = options.rtc ?? (platform as DataChannelOptions["rtc"]);
  if (typeof rtc !== "function")
    misuse(
      "unsupported",
      call,
      "this platform has no WebRTC",
      'In Node, install "node-datachannel" and pass { rtc: RTCPeerConnection } of "node-datachannel/polyfill"',
    );
  try {
    // Copies, as the polyfill of Node changes them.
    const connection = new rtc({ iceServers: iceServers.map((server) => ({ ...server })) });
    return { connection, scheduler, gatherTime };
  } catch (error) {
    misuse("unsupported", call, `the platform rejects iceServers: ${String(error)}`, undefined, error);
  }
}

async function setRemote(call: string, connection: PeerConnectionLike, signal: Signal): Promise<void> {
  // An answer names the section as the offer did.
  const mid = /^a=mid:(\S+)/m.exec(connection.localDescription?.sdp ?? "")?.[1] ?? "0";
  try {
    await connection.setRemoteDescription({ type: signal.kind, sdp: sdpOf(signal, mid) } as never);
  } catch (error) {
    misuse(
      "corrupt-data",
      call,
      `the platform rejects the ${signal.kind}: ${String(error)}`,
      undefined,
      error,
    );
  }
}

/** Waits for the own addresses, and returns what the peer must know. */
async function ownSignal(
  call: string,
  connection: PeerConnectionLike,
  kind: Signal["kind"],
  offerCheck: number,
  scheduler: Scheduler,
  gatherTime: number,
): Promise<Signal> {
  await new Promise<void>((resolve) => {
    const check = () => {
      if (connection.iceGatheringState !== "complete") return;
      cancel();
      resolve();
    };
    const cancel = scheduler.after(gatherTime, resolve);
    connection.addEventListener("icegatheringstatechange", check);
    check();
  });
  const signal = signalOf(kind, connection.localDescription?.sdp ?? "", offerCheck);
  if (!signal) misuse("unsupported", call, "cannot read the description that this platform wrote");
  if (signal.candidates.length === 0)
    misuse("unsupported", call, "found no network address", "Check the network, or allow more gatherTime");
  return signal;
}

/** Milliseconds without a connection, before a link gives up. */
const MAX_DISCONNECTED = 30_000;
/** Milliseconds for the last messages, before the connection ends. */
const MAX_CLOSING = 5000;
/** The most letters of a reason. */
const MAX_REASON = 120;

class DataChannelLink extends LinkEnd {
  readonly #connection: PeerConnectionLike;
  readonly #scheduler: Scheduler;
  readonly #loose: ChannelLike;
  readonly #reliable: ChannelLike;
  #stopWaiting = () => {};

  constructor(connection: PeerConnectionLike, scheduler: Scheduler) {
    super();
    this.#connection = connection;
    this.#scheduler = scheduler;
    // Both sides create both channels, so that nothing about them has to be exchanged.
    const loose = { negotiated: true, id: 0, ordered: false, maxRetransmits: 0 };
    this.#loose = connection.createDataChannel("loose", loose);
    this.#reliable = connection.createDataChannel("reliable", { negotiated: true, id: 1 });
    for (const channel of [this.#loose, this.#reliable]) {
      channel.binaryType = "arraybuffer";
      channel.addEventListener("open", () => this.#onOpen());
      channel.addEventListener("message", (event) => {
        const { data } = event as { data: unknown };
        if (typeof data === "string") this.#end(data.slice(0, MAX_REASON) || "closed by the peer");
        else this.receivedData(data);
      });
    }
    // The other channel may close first, while reliable messages are still under way.
    this.#reliable.addEventListener("close", () => this.#end("closed by the peer"));
    connection.addEventListener("connectionstatechange", () => this.#onState());
  }

  #onOpen(): void {
    if (this.#loose.readyState !== "open" || this.#reliable.readyState !== "open") return;
    this.openedWith(this.#reliable);
  }

  #onState(): void {
    const { connectionState } = this.#connection;
    this.#stopWaiting();
    if (connectionState === "failed" || connectionState === "closed") this.#end("connection lost");
    else if (connectionState === "disconnected")
      this.#stopWaiting = this.#scheduler.after(MAX_DISCONNECTED, () => this.#end("connection lost"));
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    if (this.state === "open") this.sendThrough(reliable ? this.#reliable : this.#loose, bytes, reliable);
    else if (reliable) this.keep(bytes);
  }

  protected shut(reason: string): void {
    this.#stopWaiting();
    if (this.state === "connecting") {
      this.#connection.close();
      return;
    }
    // Closing a channel may lose messages, and tells no reason. So the last message is a text, at which the peer hangs up.
    this.#stopWaiting = this.#scheduler.after(MAX_CLOSING, () => this.#connection.close());
    try {
      this.#reliable.send(reason.slice(0, MAX_REASON));
    } catch {
      this.#connection.close();
    }
  }

  /** The peer has hung up, or the connection is lost. */
  #end(reason: string): void {
    this.#stopWaiting();
    this.#connection.close();
    this.closed(reason);
  }
}
