import { expect, test } from "vitest";
import { drive, localSession, simulation } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { manualDriver, manualLoop } from "../testing/index.js";
import { tickOf } from "./subject.js";

const game = simulation({ name: "ticks", version: 1, rate: 50, state: layout({ x: f64 }), step() {} });

test("the tick is that of the session, also if only the loop of its drive is known", () => {
  const driver = manualDriver();
  const session = localSession(game, { history: { seconds: 10 } });
  const running = drive(session, { driver });
  driver.display(50, 1);
  const { loop } = running;
  expect([loop.tick, tickOf(loop), tickOf(running)]).toEqual([50, 50, 50]);
  session.seek(20);
  expect([loop.tick, tickOf(loop), tickOf(running)]).toEqual([50, 20, 20]);
  const other = localSession(game);
  running.use(other);
  expect([tickOf(loop), tickOf(running), tickOf({ loop, session })]).toEqual([0, 0, 20]);
  running.dispose();
});

test("a loop without a session has only its own tick", () => {
  const loop = manualLoop({ rate: 50 });
  for (const subject of [loop, { loop, session: undefined }, { loop, session: null }, { loop, session: {} }])
    expect(tickOf(subject)).toBeUndefined();
});
