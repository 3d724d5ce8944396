import { describePlayer } from "../arena/keys.js";
import { make } from "../dom.js";
import type { Client } from "./client.js";
import { LaneView } from "./lane-view.js";
import type { ServerGame, Traffic } from "./server-game.js";
import { CLIENTS } from "./stray-copy.js";

/** The ends of the charts: pixels; and ticks, of which there may be a multiple. */
const TOP_JUMP = 30;
const TOP_DEPTH = 8;
/** Ticks without a step after which a picture says so: a tenth of a second. */
const LONG_STALL = 6;
const TICK_MS = 1000 / 60;

const JUMPS = {
  caption: `Jumps of the picture in pixels, up to ${TOP_JUMP}`,
  series: [{ label: "Jumps", colour: "ball" }],
} as const;

/** Shows the clients, the server and the viewer side by side. */
export class MachinesView {
  readonly element = make("div", "machines large");
  readonly #clients = Array.from({ length: CLIENTS }, (_, seat) => clientLane(seat));
  readonly #server = new LaneView({
    id: "server",
    name: "Server",
    label: "the game as it is",
    caption: "Inputs waiting, in ticks (client 2: dashed)",
    series: [
      { label: "Client 1", colour: "ink" },
      { label: "Client 2", colour: "muted", dash: [6, 3] },
    ],
    figures: {
      clients: "To a client",
      viewer: "To the viewer",
      bytes: "Sent in all",
      depth: "Inputs waiting",
      late: "Late inputs",
      missing: "Guessed inputs",
    },
  });
  readonly #viewer = new LaneView({
    id: "viewer",
    name: "Viewer",
    label: "the game as somebody sees it who simulates nothing",
    ...JUMPS,
    figures: {
      snapshots: "Snapshots",
      lost: "Lost",
      delay: "Delay",
      behind: "Behind",
      buffered: "Waiting",
      starved: "Starved",
    },
  });
  readonly #lanes = [...this.#clients, this.#server, this.#viewer];

  constructor() {
    this.element.append(...this.#lanes.map(({ element }) => element));
  }

  drawPicture({ clients, viewer, truth }: ServerGame): void {
    clients.forEach((client, i) => {
      const { predicted, shown, isConnecting, stalledFor } = client;
      const banner = stalledFor > LONG_STALL ? "waiting for the server…" : "";
      this.#clients[i]!.drawPicture(isConnecting ? CONNECTING : { truth, predicted, shown, banner });
    });
    this.#server.drawPicture({ truth, banner: "" });
    this.#viewer.drawPicture(viewer.isConnecting ? CONNECTING : { truth, shown: viewer.shown, banner: "" });
  }

  drawFigures(game: ServerGame, plays: (seat: number) => boolean): void {
    game.clients.forEach((client, i) => {
      this.#clients[i]!.detail = describePlayer(client.seat, plays(client.seat));
      this.#drawClient(game, client);
    });
    this.#drawServer(game);
    this.#drawViewer(game);
  }

  dispose(): void {
    for (const lane of this.#lanes) lane.dispose();
  }

  #drawClient({ traffic, server }: ServerGame, client: Client): void {
    const { seat, session, meter, guesses, rollbacks, predicted, shownDelay, isConnecting, isStray } = client;
    const { figures, element } = this.#clients[seat]!;
    const { net } = session;
    this.#clients[seat]!.drawChart([meter.jumps.all], TOP_JUMP);
    element.dataset["state"] = net.state;
    element.dataset["tick"] = String(session.tick);
    if (isConnecting) return;
    figures.set("roundTrip", `${net.roundTrip.toFixed(0)} ± ${net.jitter.toFixed(0)} ms`);
    figures.set("early", `${net.margin.toFixed(1)} ± ${net.marginSpread.toFixed(1)}`);
    figures.set("ahead", `${Math.max(0, session.tick - server.session.tick)} ticks`);
    figures.set("pace", `${session.pace.toFixed(2)}×`);
    figures.set("received", packetsText(traffic[seat]!));
    figures.set(
      "corrections",
      isStray ? "ignored" : predicted ? `${rollbacks.perSecond.toFixed(1)} /s` : "none",
    );
    figures.set("error", predicted ? `${guesses.error.toFixed(0)} px` : "no guess");
    figures.set("delay", `${(TICK_MS * shownDelay).toFixed(0)} ms`);
  }

  #drawServer(game: ServerGame): void {
    const { depths, traffic, clients } = game;
    const { figures } = this.#server;
    const infos = clients.map(({ name }) => game.infoOf(name));
    const lines = depths.map(({ all }) => all);
    this.#server.drawChart(lines, TOP_DEPTH * Math.max(1, Math.ceil(Math.max(...lines.flat()) / TOP_DEPTH)));
    this.#server.detail = `${clients.length} clients, 1 viewer, 2 bots`;
    figures.set("clients", packetsText(traffic[0]!));
    figures.set("viewer", packetsText(traffic.at(-1)!));
    figures.set("bytes", `${kilobytes(traffic.reduce((sum, { bytes }) => sum + bytes.perSecond, 0))}/s`);
    figures.set("depth", depths.map(({ mean }) => mean.toFixed(1)).join(", "));
    figures.set("late", infos.map((info) => info?.lateInputs ?? 0).join(", "));
    figures.set("missing", infos.map((info) => info?.missingInputs ?? 0).join(", "));
  }

  #drawViewer({ viewer, traffic, server }: ServerGame): void {
    const { figures } = this.#viewer;
    const { net } = viewer.machine.session;
    this.#viewer.drawChart([viewer.meter.jumps.all], TOP_JUMP);
    this.#viewer.detail = "no seat, simulates nothing";
    if (viewer.isConnecting) return;
    const starved = net.frames > 0 ? net.starvedFrames / net.frames : 0;
    figures.set("snapshots", packetsText(traffic.at(-1)!));
    figures.set("lost", `${(100 * net.loss).toFixed(0)} %`);
    figures.set("delay", `${net.delay.toFixed(0)} ms`);
    figures.set("behind", `${(TICK_MS * (server.session.tick - net.shownTick)).toFixed(0)} ms`);
    figures.set("buffered", String(net.bufferedStates));
    figures.set("starved", `${(100 * starved).toFixed(1)} %`);
  }
}

const CONNECTING = { banner: "connecting…" };

const clientLane = (seat: number) =>
  new LaneView({
    id: `client-${seat + 1}`,
    name: `Client ${seat + 1}`,
    label: "the game as this player sees it, with the states of the server as ghosts",
    own: seat,
    ...JUMPS,
    figures: {
      roundTrip: "Round trip",
      early: "Early (ticks)",
      ahead: "Ahead",
      pace: "Pace",
      received: "Received",
      corrections: "Corrections",
      error: "Off by",
      delay: "Key to picture",
    },
  });

const packetsText = ({ packets, bytes }: Traffic) => {
  const count = packets.perSecond;
  return count > 0 ? `${count.toFixed(0)}/s × ${(bytes.perSecond / count).toFixed(0)} B` : "–";
};

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
