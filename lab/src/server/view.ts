import { readValues } from "../address.js";
import { PlayerKeys } from "../arena/keys.js";
import { isCondition } from "../conditions.js";
import { legend, make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { returnFocusToGame } from "../game-keys.js";
import { Page } from "../page.js";
import { MachinesView } from "./machines-view.js";
import { SERVER } from "./name.js";
import { describe, PAGE_TEXT } from "./page-text.js";
import { ServerGame } from "./server-game.js";
import { SETTINGS } from "./settings.js";

/** Seconds of a single step. */
const STEP = 1 / 60;

/** The tenth experiment: a server, two clients and a viewer; and what makes the clients' pictures both quick and right. */
export function server(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const keys = new PlayerKeys(
    () => !page.paused,
    (seat) => page.controls.announce(`You play client ${seat + 1} now.`),
  );
  const machines = new MachinesView();
  const note = make("p", "note");
  const start = () => new ServerGame(values, (seat, player) => keys.play(seat, player));
  let model = start();

  function step() {
    model.advance(STEP);
    page.setPaused(true);
    page.controls.announce(`Ran one tick: ${model.time.toFixed(2)} s.`);
  }

  const page = new Page({
    id: SERVER,
    ...PAGE_TEXT,
    settings: SETTINGS,
    values,
    parts: [machines],
    layout: "network",
    above: [note, legend("ghost-legend", STATE_COLOURS)],
    actions: [{ id: "step", label: "One tick", shortcut: "next", run: step }],
    startsPaused: false,
    restart(changed = "") {
      if (isCondition(changed)) return model.applyConditions();
      if (changed === "prediction" || changed === "reconciliation") return model.applySwitches();
      if (changed === "") keys.release();
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
      machines.drawFigures(model, (seat) => keys.plays(seat));
      const text = describe(values);
      if (note.textContent !== text) note.textContent = text;
      // There is nothing to correct without guesses, and nothing to smooth without corrections.
      page.controls.enableSetting("reconciliation", values.prediction === "on");
      page.controls.enableSetting("smoothing", values.prediction === "on" && values.reconciliation === "on");
      return `${model.time.toFixed(1)} s · tick ${model.server.session.tick}`;
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

/** The colours of the three states. */
const STATE_COLOURS = [
  ["truth", "server, now"],
  ["predicted", "predicted by the client"],
  ["shown", "shown to the player"],
] as const;
