import { answerLink, offerLink, type Answer, type Offer } from "../../../src/net/index.js";

/** Makes connections from texts that people carry. */
export interface Signalling {
  offer(): Promise<Offer>;
  answer(offer: string): Promise<Answer>;
}

/** A public server that tells a browser its own address. The game does not pass through it. */
const STUN = { urls: "stun:stun.l.google.com:19302" };

/** Connects browsers over WebRTC. Without a STUN server, only browsers in one local network find each other. */
export function webRtc(usesStun: boolean): Signalling {
  const options = { iceServers: usesStun ? [STUN] : [] };
  return { offer: () => offerLink(options), answer: (offer) => answerLink(offer, options) };
}
