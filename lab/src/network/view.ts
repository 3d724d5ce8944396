import { readValues } from "../address.js";
import { PlayerKeys } from "../arena/keys.js";
import { isCondition } from "../conditions.js";
import { legend, make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { returnFocusToGame } from "../game-keys.js";
import { Page } from "../page.js";
import { DiagnosisView } from "./diagnosis-view.js";
import { EventsView } from "./events-view.js";
import { MachinesView } from "./machines-view.js";
import { NETWORK } from "./name.js";
import { NetworkGame } from "./network-game.js";
import { PAGE_TEXT } from "./page-text.js";
import { SETTINGS } from "./settings.js";

/** The ninth experiment: one game, played by several machines over a bad network. */
export function network(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const keys = new PlayerKeys(
    () => !page.paused,
    (seat) => page.controls.announce(`You play player ${seat + 1} now.`),
  );
  const machines = new MachinesView();
  const diagnosis = new DiagnosisView();
  const events = new EventsView();
  const note = make("p", "note");
  const start = () => new NetworkGame(values, (seat, player) => keys.play(seat, player));
  let model = start();

  function kill() {
    model.kill(!model.victim.isGone);
    acted();
  }
  function cut() {
    model.cut(!model.isCut);
    acted();
  }
  function freeze() {
    model.freeze();
    acted();
  }
  function plant() {
    model.plant(!model.isFaulty);
    acted();
  }
  function acted() {
    page.refresh();
    page.controls.announce(model.events.at(-1)?.text ?? "");
  }

  function describe(): string {
    const { model: kind, delay, latency } = values;
    if (model.victim.isGone)
      return "Player 2 is gone. The others wait for a second, then agree on the tick from which a bot plays for it. Bring it back: it loads the state of the others and gets its seat again.";
    if (model.isFaulty)
      return "Player 2 runs a faulty copy of the game. The pictures drift apart, although everybody gets the same inputs. Below is what the players find out about it.";
    if (model.isCut)
      return values.players === "2"
        ? "The line is cut. Player 1 hosts, so it continues after a second; player 2 waits. When the line works again, player 2 loads the state of player 1."
        : "The line between players 1 and 2 is cut. Players 3 and 4 pass their inputs on, so nobody is dropped.";
    if (kind === "lockstep")
      return `Lockstep: every tick waits until the inputs of all players are there, so nothing is ever corrected. With ${latency} ms of latency, ${delay === "auto" ? "the input delay grows until it covers the way" : "an input delay that is shorter than the way makes everyone wait (red)"}.`;
    return `Rollback: your own inputs count at once${delay === "0" ? "" : " (after the input delay)"}, those of others are predicted (purple). A wrong guess is corrected when the input arrives: the ticks since then are simulated again, and effects that did not happen are withdrawn (crosses).`;
  }

  const page = new Page({
    id: NETWORK,
    ...PAGE_TEXT,
    settings: SETTINGS,
    values,
    parts: [machines, diagnosis, events],
    layout: "twins network",
    above: [note, legend("tick-legend", TICK_COLOURS)],
    actions: [
      { id: "kill", label: "Kill player 2", shortcut: "kill", run: kill },
      { id: "cut", label: "Cut the line", shortcut: "cut", run: cut },
      { id: "freeze", label: "Freeze for 2 s", shortcut: "freeze", run: freeze },
      { id: "plant", label: "Plant desync", shortcut: "plant", run: plant },
    ],
    startsPaused: false,
    restart(changed) {
      if (isCondition(changed ?? "")) return model.applyConditions();
      if (changed === undefined) keys.release();
      model.dispose();
      model = start();
    },
    advance(seconds) {
      model.advance(seconds);
      return true;
    },
    drawPicture() {
      machines.drawPicture(model);
    },
    drawFigures() {
      const { controls } = page;
      machines.drawFigures(model, (seat) => keys.plays(seat));
      diagnosis.draw(model);
      events.draw(model);
      controls.setLabel("kill", model.victim.isGone ? "Bring it back" : "Kill player 2");
      controls.setLabel("cut", model.isCut ? "Repair the line" : "Cut the line");
      controls.setLabel("plant", model.isFaulty ? "Repair copy" : "Plant desync");
      const text = describe();
      if (note.textContent !== text) note.textContent = text;
      return `${model.time.toFixed(1)} s · tick ${model.machines[0]!.session.tick}`;
    },
    moment: () => "",
  });
  returnFocusToGame(page.element);
  page.refresh();

  return {
    element: page.element,
    advance: (seconds, frame) => page.advance(seconds, frame),
    dispose() {
      keys.dispose();
      page.dispose();
      model.dispose();
    },
  };
}

/** The colours of the ticks. */
const TICK_COLOURS = [
  ["confirmed", "confirmed"],
  ["known", "all inputs known"],
  ["predicted", "predicted; above: simulated again"],
  ["stalled", "had to wait"],
  ["withdrawn", "effect withdrawn"],
] as const;
