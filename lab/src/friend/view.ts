import { display, runHidden } from "../../../src/index.js";
import { drive } from "../../../src/sim/index.js";
import { ArenaCanvas } from "../arena/arena-canvas.js";
import { ShownEffects } from "../arena/shown-effects.js";
import { FigureList, lane, make } from "../dom.js";
import { figureTimer, type Experiment } from "../experiment.js";
import { returnFocusToGame } from "../game-keys.js";
import { button, textField } from "./fields.js";
import { bindArena, newLatch } from "./inputs.js";
import { cleanName, readInvitation, readPasted, writeInvitation } from "./invitation.js";
import { InviteView } from "./invite-view.js";
import { JoinView } from "./join-view.js";
import { recall, remember, type Remembered } from "./memory.js";
import { FRIEND } from "./name.js";
import { Party } from "./party.js";
import { PlayersView } from "./players-view.js";
import { webRtc } from "./signalling.js";
import { ShortcutsButton } from "../shortcuts/button.js";
import { Stick } from "./stick.js";

const TITLE = "Play with a friend";
const LESSON = "Play with a friend, browser to browser, by sharing a link.";
const ABOUT =
  "The arena game over WebRTC, without a server: the link and the answer hold all that the two browsers need to find each other. Each of you sees your own inputs at once; those of the other are predicted and corrected. A hidden tab keeps playing. Whoever reloads the page gets the seat back with a new invitation. Move with the arrow keys or W A S D, dash with Space; gamepads and touch work too.";

/** The eleventh experiment: the arena game between two browsers. */
export function friend(query: URLSearchParams): Experiment {
  let memory = recall();
  const invited = readInvitation(query);
  const latch = newLatch();
  const stick = new Stick();
  const shortcuts = new ShortcutsButton();
  const canvas = new ArenaCanvas("The arena: push the others out of the ring");
  const effects = new ShownEffects();
  const invite = new InviteView(
    () => void createInvitation(),
    (answer) => void accept(answer),
  );
  const join = new JoinView((text) => void joinGame(text));
  const players = new PlayersView();
  const name = textField("name", "Your name", "Your name");
  const you = make("section", "card", make("h3", "", "You"), name);
  const news = make("p", "note news");
  const figures = new FigureList({
    state: "Connection",
    roundTrip: "Round trip",
    loss: "Loss",
    rollbacks: "Rollbacks",
    tick: "Tick",
    checkpoint: "State on all screens",
  });
  const figuresDue = figureTimer();
  let problem = "";
  let isBusy = false;
  let party = start(!invited, memory.isHosting && !invited);
  const driven = drive(party.session, {
    driver: display({ hidden: runHidden() }),
    render(view) {
      const now = performance.now();
      effects.advanceTo(now);
      canvas.own = party.session.seats[0] ?? -1;
      canvas.draw({ view, effects: effects.all, now, banner: party.banner });
    },
    effect: (effect) => effects.add(effect, performance.now()),
    withdrawn: (effect) => effects.withdraw(effect),
  });
  const bindings = bindArena(latch, stick);

  function start(isHost: boolean, isBack: boolean): Party {
    return new Party({
      isHost,
      isBack,
      name: memory.name,
      token: memory.token,
      inputs: latch,
      onJoin: () => keep({ isHosting: isHost }),
    });
  }
  /** Continues with another session. */
  function restart(isHost: boolean, isBack = false) {
    const old = party;
    party = start(isHost, isBack);
    driven.use(party.session);
    old.dispose();
    effects.clear();
    invite.showLink("");
    join.showAnswer("");
  }
  function keep(changes: Partial<Remembered>) {
    memory = { ...memory, ...changes };
    remember(memory);
  }
  /** Runs what may fail, and shows why it did. */
  async function attempt(action: () => Promise<void>) {
    if (isBusy) return;
    isBusy = true;
    problem = "";
    party.clearNews();
    drawFigures();
    try {
      await action();
    } catch (error) {
      problem = plain(error);
    } finally {
      isBusy = false;
      drawFigures();
    }
  }

  const createInvitation = () =>
    attempt(async () => {
      rename();
      const { usesStun } = invite;
      if (!party.isHost) restart(true);
      const offer = await party.invite(webRtc(usesStun));
      invite.showLink(new URL(writeInvitation({ offer, from: memory.name, usesStun }), location.href).href);
    });
  const accept = (answer: string) =>
    attempt(async () => {
      await party.accept(answer);
      invite.showLink("");
    });
  const joinGame = (text: string) =>
    attempt(async () => {
      const invitation = readPasted(text);
      if (!invitation) throw new Error("This is not an invitation. Paste the whole link.");
      rename();
      // A guest whose connection broke keeps its game: the host may need it.
      if (party.isHost) restart(false);
      const reply = await party.join(invitation.offer, webRtc(invitation.usesStun));
      keep({ usedOffer: invitation.offer, isHosting: false });
      join.showAnswer(reply);
    });
  function newGame() {
    problem = "";
    keep({ isHosting: false, token: crypto.randomUUID() });
    restart(true);
    drawFigures();
  }
  function rename() {
    const text = cleanName(name.value);
    name.value = text;
    if (text === memory.name) return;
    keep({ name: text });
    // Others learn the name when they connect.
    if (!party.isConnected && !party.isConnecting) restart(party.isHost, memory.isHosting && party.isHost);
    drawFigures();
  }

  function statusOf(): string {
    if (party.isConnected) return "connected";
    if (party.isConnecting) return "connecting…";
    if (party.isInviting) return "waiting for the answer";
    return "not connected";
  }
  /** Says what to do now, or what happened last. */
  function newsText(): string {
    if (problem) return problem;
    if (isBusy) return "Looking for a way to connect…";
    if (party.news.text) return party.news.text;
    if (party.isHost && memory.isHosting && !party.isConnected)
      return "Your game goes on in your friend's page. Invite your friend again to get your seat back, or start a new game.";
    if (party.isHost)
      return party.isInviting
        ? "Send the link to your friend, and paste the answer. Meanwhile, you play against bots."
        : "You play against bots until a friend joins.";
    return party.isConnecting
      ? "Send the answer to your friend. The game starts when your friend has pasted it."
      : "Press Join with an invitation, and send the answer back to your friend.";
  }
  function drawFigures() {
    const { session } = party;
    const { net, tick } = session;
    const peers = net.peers.filter(({ role }) => role === "playing");
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    players.draw(party.guests, session.world.players.points);
    figures.set("state", statusOf());
    figures.set(
      "roundTrip",
      peers.length > 0 ? `${mean(peers.map(({ roundTrip }) => roundTrip)).toFixed(0)} ms` : "–",
    );
    figures.set(
      "loss",
      peers.length > 0 ? `${(100 * mean(peers.map(({ loss }) => loss))).toFixed(0)} %` : "–",
    );
    figures.set("rollbacks", String(net.rollbacks));
    figures.set("tick", String(tick));
    const { checkpoint } = party;
    figures.set("checkpoint", checkpoint ? `${checkpoint.tick} · ${checkpoint.hash}` : "–");
    const text = newsText();
    if (news.textContent !== text) news.textContent = text;
    news.classList.toggle("problem", problem !== "" || (party.news.isProblem && !isBusy));
    const isJoined = party.isHost && party.guests.some(({ who }) => who === "friend");
    invite.setLabel(
      isJoined ? "Invite another friend" : party.isInviting ? "New invitation" : "Invite a friend",
      party.hasRoom && !isBusy,
    );
    if (party.isConnected) join.showAnswer("");
    you.hidden = join.element.hidden = party.isConnected;
    name.disabled = party.isConnecting;
    element.dataset["state"] = statusOf();
  }

  name.value = memory.name;
  name.maxLength = 24;
  name.addEventListener("change", rename);
  news.setAttribute("role", "status");
  if (invited) {
    const isUsed = invited.offer === memory.usedOffer;
    join.show(
      isUsed ? "Get back in" : `${invited.from || "A friend"} invites you`,
      isUsed
        ? "This invitation was already used. Ask your friend for a new one, and paste it here: you get your seat back."
        : "Type your name, and press Join.",
    );
    if (!isUsed) join.invitation = location.href;
    invite.element.hidden = true;
  }
  const aside = make(
    "aside",
    "controls friend",
    you,
    ...(invited ? [join.element] : [invite.element, join.element]),
    players.element,
    make("div", "actions", button("new-game", "New game", newGame)),
    shortcuts.element,
  );
  aside.setAttribute("aria-label", "Friends");
  const arenaLane = lane(
    "lane",
    { id: FRIEND, name: "Arena" },
    [],
    canvas.canvas,
    stick.element,
    figures.element,
  );
  const intro = make("div", "intro", make("h2", "visually-hidden", TITLE), make("p", "lesson", LESSON));
  const side = make("div", "side", aside, make("div", "more", make("p", "", ABOUT)));
  const element = make("div", "experiment party", intro, make("div", "lanes", news, arenaLane), side);
  returnFocusToGame(element);
  const aborter = new AbortController();
  // Tells the friends at once, so that they need not wait for a timeout.
  addEventListener("pagehide", () => party.hangUp(), { signal: aborter.signal });
  remember(memory);
  drawFigures();

  return {
    element,
    advance(seconds) {
      if (figuresDue(seconds)) drawFigures();
    },
    dispose() {
      aborter.abort();
      shortcuts.dispose();
      bindings.dispose();
      canvas.dispose();
      driven.dispose();
      party.dispose();
    },
  };
}

/** Returns the message of an error, without the name of the call. */
function plain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = message.replace(/^(offerLink|answerLink|accept): /, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
