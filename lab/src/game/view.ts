import { mountHud } from "tickwise/hud";
import { readReplay, type Replay } from "../../../src/replay/index.js";
import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { Timeline } from "../timeline.js";
import { Autosave } from "./autosave.js";
import { describe } from "./describe.js";
import { ReplayFiles } from "./files.js";
import { GameView } from "./game-view.js";
import { Game } from "./game.js";
import { bindGame, newLatch } from "./inputs.js";
import { keepKeysFree } from "./keys.js";
import { GAME } from "./name.js";
import { Offer } from "./offer.js";
import { Pad } from "./pad.js";
import { Stage } from "./picture/stage.js";
import { RatesView } from "./rates-view.js";
import { ThreeRates } from "./rates.js";
import { SETTINGS } from "./settings.js";
import { Sounds } from "./sounds.js";
import { TERMS } from "./terms.js";
import { Toolbar } from "./toolbar.js";

/** Milliseconds of a frame that comparing may take: the game goes on beside it. */
const WORK = 6;

/** The eighth experiment: a game, with all that a recorded session can do. */
export function game(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const stage = new Stage();
  const sounds = new Sounds();
  const latch = newLatch();
  const autosave = new Autosave();
  const pad = new Pad((isBack) => page && rewind(isBack));
  const files = new ReplayFiles(watch, (text) => say(text));
  const timeline = new Timeline(go, () => moved(`At tick ${model.story.tick}.`));
  const tools = new Toolbar("Replay", [
    { id: "back", label: "One tick back", key: ",", run: () => step(-1) },
    { id: "on", label: "One tick on", key: ".", run: () => step(1) },
    { id: "take-over", label: "Take over", key: "t", run: takeOver },
    { id: "close", label: "Close replay", run: close },
    { id: "save", label: "Save replay", run: () => void save() },
    { id: "load", label: "Load replay", run: () => files.open() },
  ]);
  const view = new GameView(stage, pad, timeline, tools);
  const ratesView = new RatesView(compare);
  const offer = new Offer(goOn, forget);
  const note = make("p", "note");
  let trouble = "";
  let before: Replay | undefined;
  let rates: ThreeRates | undefined;
  const model = new Game(latch, values, {
    frame(shown, time, seconds) {
      view.drawPlace(model);
      stage.draw(shown, time, seconds);
    },
    effect(effect) {
      stage.show(effect);
      if (values.sound === "on") sounds.play(effect);
    },
  });

  /** Shows a trouble, or none any more. */
  function say(text: string) {
    trouble = text;
    page.refresh();
    if (text) page.controls.announce(text);
  }
  /** The game is at another time, by something else than playing. */
  function moved(text: string) {
    stage.clear();
    say("");
    page.controls.announce(text);
  }
  function rewind(isBack: boolean) {
    model.rewind(isBack);
    moved(isBack ? "Going back." : `At tick ${model.story.tick}: it goes on from here.`);
  }
  function go(tick: number) {
    model.story.go(tick);
    stage.clear();
    page.refresh();
  }
  function step(by: 1 | -1) {
    if (!page.paused) page.setPaused(true);
    model.step(by);
    moved(`At tick ${model.story.tick}.`);
  }
  function watch(name: string, bytes: Uint8Array) {
    try {
      model.watch(bytes, name);
    } catch (error) {
      return say(`${name} cannot be played. ${(error as Error).message}`);
    }
    if (page.paused) page.setPaused(false);
    moved(`Replay of ${name}.`);
  }
  function takeOver() {
    model.takeOver();
    if (page.paused) page.setPaused(false);
    moved(`You play from tick ${model.story.tick} on.`);
  }
  function close() {
    model.close();
    moved("Back in your game.");
  }
  async function save() {
    const { live } = model;
    files.save(await live.save(), `platformer-${live.last}.twr`);
  }
  function compare() {
    rates?.dispose();
    rates = new ThreeRates(model.watched?.replay ?? readReplay(model.live.bytes()));
  }

  /** The game that was kept last is offered. */
  function turn() {
    if (model.live.isPlayed) autosave.write(model.live.bytes());
    const bytes = autosave.turn();
    try {
      before = bytes && readReplay(bytes);
    } catch {
      before = undefined;
    }
    if (before && before.end > before.start) offer.show(before.seconds);
    else offer.hide();
  }
  function goOn() {
    offer.hide();
    try {
      if (before) model.goOn(before, before.end);
    } catch (error) {
      return say(`The last game cannot be gone on with. ${(error as Error).message}`);
    }
    moved(`You play from tick ${model.story.tick} on.`);
  }
  function forget() {
    autosave.forget();
    offer.hide();
  }

  const page = new Page({
    id: GAME,
    title: "Game",
    lesson: "Play, go back, watch it again, and take over from any tick.",
    about: [
      "A small platformer on a local session. Every press is latched for exactly one step, and what you do is recorded: inputs, and a hash each second. So a file of a few kilobytes plays it all again, to the bit, at any render rate.",
    ],
    tries: [
      ["rewind in slow motion", { rewind: "0.5" }],
      ["replays four times as fast", { speed: "4" }],
      ["with sound", { sound: "on" }],
    ],
    terms: TERMS,
    settings: SETTINGS,
    values,
    parts: [view, ratesView],
    layout: "game",
    above: [offer.element, note],
    actions: [{ id: "rewind", label: "Hold to rewind", key: "r", hold: rewind }],
    anew: { label: "New game", key: "n" },
    isPast: false,
    restart(changed) {
      if (changed !== undefined) return;
      turn();
      model.restart();
      stage.clear();
      trouble = "";
    },
    // The game has a loop of its own.
    advance: () => false,
    drawPicture() {
      model.run(!timeline.isHeld && (!page.paused || model.story.rewinding));
      model.draw();
    },
    drawFigures() {
      view.drawFigures(model);
      const text = trouble || describe(model, values, page.paused);
      if (note.textContent !== text) note.textContent = text;
      note.classList.toggle("trouble", trouble !== "");
      const { rewinding, tick } = model.story;
      return `${rewinding ? "going back, " : model.watched ? "replay, " : ""}tick ${tick}`;
    },
    moment: () => "",
  });
  page.element.append(files.input);
  keepKeysFree(page.element);
  const isPlayed = () => !page.paused && !model.watched;
  const bindings = bindGame(latch, pad.element, isPlayed);
  const hud = mountHud(model.loop, { parent: view.element, collapsed: true });
  const keep = () => model.live.isPlayed && autosave.write(model.live.bytes());
  addEventListener("pagehide", keep);
  turn();
  page.refresh();
  model.loop.start();

  return {
    element: page.element,
    advance(seconds, frame) {
      page.advance(seconds, frame);
      // Paused, one can still go back.
      if (page.paused && model.story.rewinding) page.refresh();
      if (model.live.isPlayed) autosave.advance(seconds, () => model.live.bytes());
      if (!rates || rates.done) return;
      const until = performance.now() + WORK;
      rates.work(() => performance.now() > until);
      ratesView.draw(rates);
    },
    dispose() {
      keep();
      removeEventListener("pagehide", keep);
      hud.remove();
      bindings.dispose();
      files.dispose();
      sounds.dispose();
      rates?.dispose();
      page.dispose();
      model.dispose();
    },
  };
}
