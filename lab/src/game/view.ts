import { mountHud } from "../../../src/hud/index.js";
import { readReplay, type Replay } from "../../../src/replay/index.js";
import { readValues } from "../address.js";
import { make } from "../dom.js";
import { download } from "../files.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { Timeline } from "../timeline.js";
import { statusNote } from "./status-note.js";
import { replayFiles } from "./files.js";
import { GameView } from "./game-view.js";
import { Game } from "./game.js";
import { bindGame, newLatch } from "./inputs.js";
import { SavedGames } from "./saved-games.js";
import { returnFocusToGame } from "../game-keys.js";
import { bindShortcut } from "../shortcuts/bind.js";
import { GAME } from "./name.js";
import { Pad } from "./pad.js";
import { Stage } from "./picture/stage.js";
import { RatesView } from "./rates-view.js";
import { SETTINGS } from "./settings.js";
import { Sounds } from "./sounds.js";
import { PAGE_TEXT } from "./page-text.js";
import { Toolbar } from "./toolbar.js";

/** The eighth experiment: a game that shows everything a recorded session can do. */
export function game(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const stage = new Stage();
  const latch = newLatch();
  const pad = new Pad(rewind);
  const files = replayFiles(watch, showProblem);
  const timeline = new Timeline(seek, () => afterSeek(`At tick ${model.current.tick}.`));
  const tools = new Toolbar("Replay", [
    { id: "back", label: "− 1 tick", shortcut: "back", run: () => step(-1) },
    { id: "on", label: "+ 1 tick", shortcut: "next", run: () => step(1) },
    { id: "take-over", label: "Take over", shortcut: "takeOver", run: takeOver },
    { id: "close", label: "Close replay", run: close },
    { id: "save", label: "Save replay", shortcut: "save", run: () => void save() },
    { id: "load", label: "Load replay", shortcut: "open", run: () => files.open() },
  ]);
  const view = new GameView(stage, pad, timeline, tools);
  const rates = new RatesView(() => model.watched?.replay ?? readReplay(model.live.bytes()));
  const savedGames = new SavedGames(() => model.live, continuePrevious);
  const note = make("p", "note");
  let problem = "";
  const model = new Game(latch, values, {
    frame(shown, time, seconds) {
      view.drawPosition(model);
      stage.draw(shown, time, seconds);
    },
    effect(effect) {
      stage.show(effect);
      sounds.play(effect);
    },
  });
  const sounds = new Sounds(model.drive);
  /** What the sound button switches to: the last choice that was not "off". */
  let audible = values.sound === "off" ? ("on" as const) : values.sound;

  /** Shows a problem; "" clears it. */
  function showProblem(text: string) {
    problem = text;
    page.refresh();
    if (text) page.controls.announce(text);
  }
  /** Updates the page after anything but normal play has changed the tick. */
  function afterSeek(text: string) {
    stage.clear();
    showProblem("");
    page.controls.announce(text);
  }
  function rewind(isRewinding: boolean) {
    model.rewind(isRewinding);
    afterSeek(isRewinding ? "Rewinding." : `Continuing from tick ${model.current.tick}.`);
  }
  function seek(tick: number) {
    model.current.seek(tick);
    stage.clear();
    page.refresh();
  }
  function step(by: 1 | -1) {
    if (!page.paused) page.setPaused(true);
    model.step(by);
    afterSeek(`At tick ${model.current.tick}.`);
  }
  function watch(name: string, bytes: Uint8Array) {
    try {
      model.watch(bytes, name);
    } catch (error) {
      return showProblem(`${name} cannot be played. ${(error as Error).message}`);
    }
    if (page.paused) page.setPaused(false);
    afterSeek(`Playing ${name}.`);
  }
  function takeOver() {
    model.takeOver();
    if (page.paused) page.setPaused(false);
    afterSeek(`You are playing from tick ${model.current.tick}.`);
  }
  function toggleSound() {
    values.sound = values.sound === "off" ? audible : "off";
    page.controls.updateSettings();
    page.refresh();
    page.controls.announce(values.sound === "off" ? "Sound off." : "Sound on.");
  }
  function close() {
    model.close();
    afterSeek("Back in your game.");
  }
  async function save() {
    const { live } = model;
    download(`platformer-${live.last}.twr`, await live.save(), "application/octet-stream");
  }
  function continuePrevious(previous: Replay) {
    try {
      model.continueFrom(previous, previous.last);
    } catch (error) {
      return showProblem(`Your last game cannot be continued. ${(error as Error).message}`);
    }
    afterSeek(`You are playing from tick ${model.current.tick}.`);
  }

  const page = new Page({
    id: GAME,
    ...PAGE_TEXT,
    settings: SETTINGS,
    values,
    parts: [view, rates],
    layout: "game",
    above: [savedGames.prompt.element, note],
    actions: [
      { id: "rewind", label: "Hold to rewind", shortcut: "rewind", hold: rewind },
      { id: "mute", label: "Unmute", shortcut: "mute", run: toggleSound },
    ],
    restartLabel: "New game",
    startsPaused: false,
    restart(changed) {
      if (changed !== undefined) return;
      savedGames.rotate();
      model.restart();
      stage.clear();
      problem = "";
    },
    // The game has its own loop.
    advance: () => false,
    drawPicture() {
      if (values.sound !== "off") audible = values.sound;
      sounds.mode = values.sound;
      page.controls.setLabel("mute", values.sound === "off" ? "Unmute" : "Mute");
      model.run(!timeline.isHeld && (!page.paused || model.current.rewinding));
      model.draw();
    },
    drawFigures() {
      view.drawFigures(model);
      const text = problem || statusNote(model, values, page.paused);
      if (note.textContent !== text) note.textContent = text;
      note.classList.toggle("problem", problem !== "");
      const { rewinding, tick } = model.current;
      return `${rewinding ? "rewinding, " : model.watched ? "replay, " : ""}tick ${tick}`;
    },
    moment: () => "",
  });
  page.element.append(files.input);
  returnFocusToGame(page.element);
  // Bound even during a replay, so that keys held when the visitor takes over count at once.
  const bindings = bindGame(latch, pad.element, () => !page.paused);
  // Its key can be turned off with the other shortcuts.
  const hud = mountHud(model.loop, { parent: view.element, collapsed: true, key: null });
  const endOverlay = bindShortcut("overlay", { press: () => void (hud.hidden = !hud.hidden) });
  savedGames.rotate();
  page.refresh();

  return {
    element: page.element,
    advance(seconds, frame) {
      page.advance(seconds, frame);
      // Rewinding also works while paused.
      if (page.paused && model.current.rewinding) page.refresh();
      savedGames.advance(seconds);
      rates.work();
    },
    dispose() {
      savedGames.dispose();
      endOverlay();
      hud.dispose();
      bindings.dispose();
      files.dispose();
      sounds.dispose();
      page.dispose();
      model.dispose();
    },
  };
}
