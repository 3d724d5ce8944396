import { mountHud } from "tickwise/hud";
import { readReplay, type Replay } from "../../../src/replay/index.js";
import { readValues } from "../address.js";
import { make } from "../dom.js";
import { download } from "../files.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { Timeline } from "../timeline.js";
import { describe } from "./describe.js";
import { replayFiles } from "./files.js";
import { GameView } from "./game-view.js";
import { Game } from "./game.js";
import { bindGame, newLatch } from "./inputs.js";
import { Kept } from "./kept.js";
import { keepKeysFree } from "./keys.js";
import { GAME } from "./name.js";
import { Pad } from "./pad.js";
import { Stage } from "./picture/stage.js";
import { RatesView } from "./rates-view.js";
import { SETTINGS } from "./settings.js";
import { Sounds } from "./sounds.js";
import { TEXT } from "./text.js";
import { Toolbar } from "./toolbar.js";

/** The eighth experiment: a game, with all that a recorded session can do. */
export function game(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const stage = new Stage();
  const sounds = new Sounds();
  const latch = newLatch();
  const pad = new Pad(rewind);
  const files = replayFiles(watch, say);
  const timeline = new Timeline(go, () => moved(`At tick ${model.story.tick}.`));
  const tools = new Toolbar("Replay", [
    { id: "back", label: "− 1 tick", key: ",", run: () => step(-1) },
    { id: "on", label: "+ 1 tick", key: ".", run: () => step(1) },
    { id: "take-over", label: "Take over", key: "t", run: takeOver },
    { id: "close", label: "Close replay", run: close },
    { id: "save", label: "Save replay", run: () => void save() },
    { id: "load", label: "Load replay", run: () => files.open() },
  ]);
  const view = new GameView(stage, pad, timeline, tools);
  const rates = new RatesView(() => model.watched?.replay ?? readReplay(model.live.bytes()));
  const kept = new Kept(() => model.live, goOn);
  const note = make("p", "note");
  let trouble = "";
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
    download(`platformer-${live.last}.twr`, await live.save(), "application/octet-stream");
  }
  function goOn(before: Replay) {
    try {
      model.goOn(before, before.last);
    } catch (error) {
      return say(`The last game cannot be gone on with. ${(error as Error).message}`);
    }
    moved(`You play from tick ${model.story.tick} on.`);
  }

  const page = new Page({
    id: GAME,
    ...TEXT,
    settings: SETTINGS,
    values,
    parts: [view, rates],
    layout: "game",
    above: [kept.offer.element, note],
    actions: [{ id: "rewind", label: "Hold to rewind", key: "r", hold: rewind }],
    anew: { label: "New game", key: "n" },
    isPast: false,
    restart(changed) {
      if (changed !== undefined) return;
      kept.turn();
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
  // Those that are held when a replay is taken over play at once.
  const bindings = bindGame(latch, pad.element, () => !page.paused);
  const hud = mountHud(model.loop, { parent: view.element, collapsed: true });
  kept.turn();
  page.refresh();
  model.loop.start();

  return {
    element: page.element,
    advance(seconds, frame) {
      page.advance(seconds, frame);
      // Paused, one can still go back.
      if (page.paused && model.story.rewinding) page.refresh();
      kept.advance(seconds);
      rates.work();
    },
    dispose() {
      kept.dispose();
      hud.dispose();
      bindings.dispose();
      files.dispose();
      sounds.dispose();
      page.dispose();
      model.dispose();
    },
  };
}
