import { describe, expect, test } from "vitest";
import { arcade, FAIL_AT } from "../../test/worker/arcade.js";
import { startArcade } from "../../test/worker/virtual-arcade.js";
import { localSession } from "../sim/index.js";
import { workerSessionOf } from "./subject.js";
import { workerFiguresOf } from "./worker-figures.js";

describe.each(["shared", "transferred"] as const)("a session with %s memory", (memory) => {
  test("shows the delay, how busy the worker is, and starved frames", async () => {
    // One step takes much longer than all others.
    const page = await startArcade({
      session: { memory },
      cost: (tick) => (tick === 100 ? 70 : 5),
      latency: 0,
    });
    expect(workerFiguresOf(page.session)).toEqual({
      worker: `${memory} memory`,
      behind: "–",
      busy: "–",
      starved: "0",
    });
    page.begin();
    page.run(1000);
    expect(workerFiguresOf(page.session)).toMatchObject({ worker: `${memory} memory`, starved: "0" });
    page.run(60_000);
    // 5 of 16.7 ms. The slow step is one of more than 2048, and holds up those that were due meanwhile.
    expect(workerFiguresOf(page.session)).toEqual({
      worker: `${memory} memory`,
      behind: "5.0 ms",
      busy: "30 %",
      starved: "5",
    });
    page.end();
  });

  test("a session that speculates is behind by less than nothing, and twice as busy", async () => {
    const page = await startArcade({ session: { memory, present: "speculate" }, cost: () => 5, latency: 0 });
    page.begin();
    page.run(20_000);
    expect(workerFiguresOf(page.session)).toMatchObject({ behind: "-6.7 ms", busy: "60 %" });
    page.end();
  });
});

test("a failure is shown instead of the memory", async () => {
  const page = await startArcade();
  page.begin();
  page.run(100);
  page.session.command("build", { x: FAIL_AT });
  try {
    page.run(100);
  } catch {
    // The loop throws what the worker did.
  }
  expect(workerFiguresOf(page.session).worker).toBe("failed (step)");
  page.end();
});

test("other sessions have no such figures", async () => {
  const page = await startArcade();
  page.begin();
  const { loop, session } = page;
  expect(workerSessionOf({ loop, session })).toBe(session);
  for (const other of [undefined, null, {}, { memory: 5 }, localSession(arcade)])
    expect(workerSessionOf({ loop, session: other })).toBeUndefined();
  expect(workerSessionOf(loop)).toBeUndefined();
  page.end();
});
