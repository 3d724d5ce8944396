// Links between pages, and between a page and Node. A page holds its end as `link`.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { RTCPeerConnection } from "node-datachannel/polyfill";
import { type WebSocket, WebSocketServer } from "ws";
import { answerLink, offerLink } from "../../src/net/data-channel.js";
import type { Link } from "../../src/net/link.js";
import { websocketLink } from "../../src/net/websocket.js";
import type { TestPage } from "./launch.js";

/** Makes an offer or an answer: in a page, or in Node. */
export interface LinkMaker {
  offer(): Promise<string>;
  answer(offer: string): Promise<string>;
  accept(answer: string): Promise<void>;
}

/** Creates the end of a link in a page. */
export function inPage(page: Pick<TestPage, "evaluate">): LinkMaker {
  const make = (call: string, field: string) =>
    page.evaluate<string>(`(async () => {
      window.made = await tickwise.net.${call};
      window.link = made.link;
      return made.${field};
    })()`);
  return {
    offer: () => make("offerLink()", "offer"),
    answer: (offer) => make(`answerLink(${JSON.stringify(offer)})`, "answer"),
    accept: (answer) => page.evaluate(`made.accept(${JSON.stringify(answer)})`),
  };
}

/** Creates the end of a link in Node. */
export function inNode(): LinkMaker & { readonly link: Link } {
  let link: Link;
  let acceptAnswer: (answer: string) => Promise<void>;
  return {
    get link() {
      return link;
    },
    async offer() {
      const made = await offerLink({ rtc: RTCPeerConnection });
      link = made.link;
      acceptAnswer = made.accept;
      return made.offer;
    },
    async answer(offer) {
      const made = await answerLink(offer, { rtc: RTCPeerConnection });
      link = made.link;
      return made.answer;
    },
    accept: (answer) => acceptAnswer(answer),
  };
}

/** Connects two ends over WebRTC, as a person would who copies both texts. */
export async function connect(first: LinkMaker, second: LinkMaker): Promise<void> {
  await first.accept(await second.answer(await first.offer()));
}

/** Connects pages to links in Node over WebSockets. */
export async function webSocketHost() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    /** Returns the end of the next page that connects. */
    async next(): Promise<Link> {
      const [socket] = (await once(server, "connection")) as [WebSocket];
      return websocketLink(socket);
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
