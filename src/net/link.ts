/**
 * Carries messages to one peer. Messages have at most `MAX_MESSAGE` bytes.
 *
 * Unreliable messages may be lost, duplicated, late or reordered. Reliable ones arrive once and in order among themselves,
 * unless the link closes. The two kinds are not ordered with each other.
 */
export interface Link {
  /** `"connecting"` until the first message can be sent, `"closed"` once and for all. */
  readonly state: "connecting" | "open" | "closed";
  /**
   * Sends a message. The link has copied `bytes` when this returns, so the caller may reuse them. While the link is connecting,
   * reliable messages wait and others are dropped. A closed link drops everything. Never throws because of the network.
   */
  send(bytes: Uint8Array, reliable?: boolean): void;
  /**
   * Adds a listener. Returns the function that removes it. The bytes of a message are valid only during the call. A link does not
   * keep messages that nobody listens to, so listen as soon as you have it.
   */
  on<E extends keyof LinkEvents>(event: E, listener: (info: LinkEvents[E]) => void): () => void;
  /** Closes the link at both ends. Closing twice does nothing. */
  close(reason?: string): void;
  /**
   * Whether messages travel as bare datagrams, which anyone can send. Such a link adds a keyed check to its packets and drops
   * those that fail it, but does not encrypt them: see `datagramLink`.
   */
  readonly isBare?: boolean | undefined;
}

/** The events of a link. */
export interface LinkEvents {
  /** A message of the peer, at most `MAX_MESSAGE` bytes. */
  message: Uint8Array;
  /** The link can send now. */
  open: undefined;
  /** The link is closed: why, as text. Emitted once. */
  close: string;
}

/** The longest message that a link carries, in bytes: it fits into one datagram on any network. */
export const MAX_MESSAGE = 1200;
