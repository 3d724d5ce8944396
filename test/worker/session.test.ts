// What a session in a worker can do besides drawing, on virtual time: inputs, effects, recordings, history, guesses.
import { describe, expect, test } from "vitest";
import { inputLatch } from "../../src/input/index.js";
import { random } from "../../src/math/index.js";
import { readReplay, record, verify } from "../../src/replay/index.js";
import { drive, localSession, type ConfirmedTick } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { arcade } from "./arcade.js";
import { DT, startArcade } from "./virtual-arcade.js";

/** Lets pending promises go on. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

interface LatchEvent {
  readonly at: number;
  readonly isPress: boolean;
}

/** Presses and releases at random times: some of them several times in a step, some not for long. */
function randomEvents(seed: number, count: number, first: number): LatchEvent[] {
  const numbers = random(new Uint32Array(4)).seed(seed);
  let at = first;
  return Array.from({ length: count }, (_, i) => {
    at += numbers.float() < 0.3 ? 3 * numbers.float() : 80 * numbers.float();
    return { at, isPress: i % 2 === 0 };
  });
}

describe.each(["shared", "transferred"] as const)("%s memory", (memory) => {
  const fractions = { firedAt: { of: "fire" } } as const;

  test.each([1, 2, 3, 4, 5])(
    "inputs at random times (seed %i) reach exactly one step each, in order: as on one thread",
    async (seed) => {
      const latch = inputLatch(arcade.packing, { fractions });
      const page = await startArcade({ session: { memory, inputs: latch }, latency: 0.2 });
      const { time, session } = page;
      const inWorker: ConfirmedTick["words"][] = [];
      session.on("confirmed", ({ words }) => void inWorker.push(words.slice()));
      page.begin();
      // The worker's clock starts when it is told to.
      const start = time.now() + 0.2;
      const events = randomEvents(seed, 400, start + 30);
      for (const { at, isPress } of events)
        time.after(at - time.now(), false, () =>
          isPress ? latch.press("fire", at) : latch.release("fire", at),
        );
      page.run(events.at(-1)!.at - start + 3000);
      expect(session.world.presses).toBe(200);
      expect(session.world.releases).toBe(200);

      // One thread: a frame for each step, when it is due, and events that were there 0.2 ms before.
      const own = inputLatch(arcade.packing, { fractions });
      const driver = manualDriver(start);
      const local = localSession(arcade, { inputs: own });
      const words: ConfirmedTick["words"][] = [];
      local.on("confirmed", (confirmed) => void words.push(confirmed.words.slice()));
      const driven = drive(local, { driver });
      driver.wait(0);
      let next = 0;
      for (let i = 1; words.length < inWorker.length; i++) {
        // A little late, as times are rounded.
        const due = start + i * DT + 1e-4;
        for (; next < events.length && events[next]!.at + 0.2 <= due; next++) {
          const { at, isPress } = events[next]!;
          if (isPress) own.press("fire", at);
          else own.release("fire", at);
        }
        driver.play([due]);
      }
      driven.dispose();
      expect(words.length).toBeGreaterThan(500);
      const bit = arcade.packing.slots.find(({ name }) => name === "fire")!;
      const downs = (list: typeof words) => list.map((each) => (each[bit.word]! & bit.mask) !== 0);
      expect(downs(inWorker)).toEqual(downs(words));
      // Fractions of a step are rounded to 1/256.
      const differing = inWorker.filter((each, i) => each.join() !== words[i]!.join()).length;
      expect(differing).toBeLessThan(3);
      page.end();
    },
  );

  test("functions are sampled on the page, and what they wrote reaches the steps", async () => {
    let tilt = 0;
    let fire = false;
    const page = await startArcade({
      session: {
        memory,
        inputs: ([player]: [{ tilt: number; fire: boolean }]) => {
          player.tilt = tilt;
          player.fire = fire;
        },
      },
    });
    page.begin();
    page.run(500);
    expect(page.session.world.presses).toBe(0);
    tilt = 1;
    fire = true;
    page.run(500);
    fire = false;
    page.run(500);
    fire = true;
    page.run(40);
    expect(page.session.world.presses).toBe(2);
    const { x } = page.session.world;
    page.run(1000);
    expect(page.session.world.x - x).toBeCloseTo(2, 1);
    page.end();
  });

  test("a session can be given other inputs, and a latch that is held already stays held", async () => {
    const latch = inputLatch(arcade.packing);
    latch.press("fire");
    latch.set("tilt", 1);
    const page = await startArcade({ session: { memory, inputs: latch } });
    page.begin();
    page.run(200);
    expect([page.session.world.presses, page.session.world.releases]).toEqual([1, 0]);
    const other = inputLatch(arcade.packing);
    page.session.setInputs(other);
    page.run(200);
    expect([page.session.world.presses, page.session.world.releases]).toEqual([1, 1]);
    other.press("fire");
    latch.press("fire");
    page.run(200);
    expect(page.session.world.presses).toBe(2);
    page.end();
  });

  test("commands are executed by one step each", async () => {
    const page = await startArcade({ session: { memory } });
    const { session } = page;
    page.begin();
    page.run(100);
    session.command("build", { x: 3 });
    session.command("build", { x: 4 });
    page.run(100);
    expect(session.world.built).toBe(2);
    expect(() => session.command("build", { x: "far" } as never)).toThrow(/Session.command/);
    expect(() => session.command("build", { x: 1 }, { player: 3 })).toThrow(/player/);
    page.end();
  });

  test("each effect arrives once, in the first frame that shows its state", async () => {
    const latch = inputLatch(arcade.packing);
    const page = await startArcade({ session: { memory, inputs: latch }, cost: () => 6, frameRate: 144 });
    const { session, time } = page;
    const effects: { readonly tick: number; readonly age: number; readonly shown: number }[] = [];
    session.on("effect", ({ tick, age }) => effects.push({ tick, age, shown: session.shownTick }));
    page.begin();
    for (let i = 0; i < 40; i++)
      time.after(500 + 61.7 * i, false, () => (i % 2 ? latch.release("fire") : latch.press("fire")));
    page.run(4000);
    expect(effects).toHaveLength(20);
    expect(new Set(effects.map(({ tick }) => tick)).size).toBe(20);
    for (const { tick, age, shown } of effects) {
      const late = shown - (tick + 1);
      expect(late).toBeGreaterThanOrEqual(0);
      // At most one frame, which is 0.42 steps.
      expect(late).toBeLessThan(0.43);
      expect(age).toBeCloseTo(late / 60, 9);
    }
    page.end();
  });

  test("a recording verifies: from the start, and from the middle on", async () => {
    const latch = inputLatch(arcade.packing);
    const page = await startArcade({ session: { memory, inputs: latch, seed: "abc" } });
    const { session, time } = page;
    const whole = record(session, { keyframes: 2, checkpoints: 0.5 });
    page.begin();
    for (const { at, isPress } of randomEvents(9, 100, 100))
      time.after(at, false, () =>
        isPress ? latch.press("fire", time.now()) : latch.release("fire", time.now()),
      );
    page.run(2000);
    session.command("build", { x: 1 });
    page.run(500);
    const rest = record(session, { everyTick: true });
    page.run(4000);
    page.loop.pause();
    page.run(100);
    for (const recorder of [whole, rest]) {
      const replay = readReplay(recorder.bytes());
      expect(verify(arcade, replay)).toMatchObject({ ok: true });
      expect(replay.last).toBe(session.tick);
    }
    expect([whole.first, rest.first > 140]).toEqual([0, true]);
    const replay = readReplay(whole.bytes());
    expect(replay.info.checkpoints).toBe(30);
    whole.stop();
    rest.stop();
    page.loop.resume();
    page.run(500);
    expect(whole.last).toBe(replay.last);
    page.end();
  });

  test("a confirmed tick without a recorder has the hash and bytes of the newest state, or says how to get them", async () => {
    const page = await startArcade({ session: { memory } });
    const { session } = page;
    let hashes = 0;
    session.on("confirmed", ({ tick, hash, words, absent }) => {
      if (tick + 1 === session.tick) hashes += hash().join() === session.hash().join() ? 1 : 0;
      expect([words.length, absent.length]).toEqual([1, 1]);
    });
    page.begin();
    page.run(1000);
    expect(hashes).toBeGreaterThan(50);
    page.end();
  });

  describe("history", () => {
    async function withHistory() {
      const page = await startArcade({ session: { memory, history: { seconds: 5 } } });
      page.begin();
      page.run(4000);
      return page;
    }
    /** The hash of a tick without inputs, on one thread. */
    function hashAt(tick: number) {
      const local = localSession(arcade);
      local.skip(tick);
      return local.hash();
    }

    test("seek goes to a state, and the game continues from there", async () => {
      const page = await withHistory();
      const { session } = page;
      expect([session.first, session.last]).toEqual([0, session.tick]);
      page.loop.pause();
      page.run(50);
      const sought = session.seek(100);
      page.run(50);
      await sought;
      expect(session.tick).toBe(100);
      expect(session.hash()).toEqual(hashAt(100));
      expect(session.shownTick).toBe(100);
      page.loop.resume();
      page.run(1000);
      expect(session.tick).toBeGreaterThan(157);
      expect(session.hash()).toEqual(hashAt(session.tick));
      const wrong = session.seek(100_000);
      page.run(50);
      await expect(wrong).rejects.toThrow(/Session.seek: tick must be a whole number from 0 to/);
      page.end();
    });

    test("a rewind shows the past backwards, with fractions, and ends where it is", async () => {
      const page = await withHistory();
      const { session, pictures } = page;
      pictures.length = 0;
      const began = session.rewind(0.5);
      page.run(1000);
      await began;
      expect(session.rewinding).toBe(true);
      const speeds = pictures.slice(1).map(({ tick }, i) => tick - pictures[i]!.tick);
      for (const speed of speeds.slice(10)) expect(speed).toBeCloseTo(-0.5, 1);
      for (const { tick, x } of pictures.slice(10)) expect(x).toBeCloseTo(tick / 60, 6);
      const { tick } = session;
      const ended = session.endRewind();
      await settled();
      page.run(1000);
      await ended;
      expect(session.rewinding).toBe(false);
      expect(Math.abs(session.tick - tick - 60)).toBeLessThan(3);
      expect(session.hash()).toEqual(hashAt(session.tick));
      page.end();
    });

    test("a recording goes back with a seek, and begins again with a load", async () => {
      const page = await startArcade({ session: { memory, history: { seconds: 5 } } });
      const { session } = page;
      const recorder = record(session, { keyframes: 1 });
      page.begin();
      page.run(1500);
      const sought = session.seek(30);
      await settled();
      page.run(1500);
      await sought;
      expect(verify(arcade, readReplay(recorder.bytes()))).toMatchObject({ ok: true });
      expect(recorder.first).toBe(0);
      const other = localSession(arcade, { seed: 5 });
      other.skip(500);
      const loads: number[] = [];
      session.on("load", ({ tick }) => loads.push(tick));
      const loaded = session.load(other.bytes());
      await settled();
      page.run(1000);
      await loaded;
      expect(loads).toEqual([500]);
      expect(session.tick).toBeGreaterThan(550);
      other.skip(session.tick - 500);
      expect(session.hash()).toEqual(other.hash());
      expect(recorder.first).toBeGreaterThan(500);
      expect(verify(arcade, readReplay(recorder.bytes()))).toMatchObject({ ok: true });
      page.end();
    });

    test("effects of a course that was left are not shown", async () => {
      const latch = inputLatch(arcade.packing);
      let cost = 6;
      const page = await startArcade({
        session: { memory, history: { seconds: 5 }, inputs: latch },
        cost: () => cost,
      });
      const { session } = page;
      const shots: number[] = [];
      session.on("effect", ({ tick }) => shots.push(tick));
      page.begin();
      page.run(2000);
      latch.press("fire");
      // Just long enough for the step, not for its picture.
      page.time.advance(26);
      session.advance();
      expect(session.world.presses).toBe(1);
      cost = 0;
      const sought = session.seek(60);
      await settled();
      page.run(1000);
      await sought;
      // State 60 does not know the button, which is still held.
      expect(shots).toEqual([60]);
      page.end();
    });

    test("a session without history says so", async () => {
      const page = await startArcade({ session: { memory } });
      await expect(page.session.seek(3)).rejects.toThrow(/keeps no history/);
      await expect(page.session.rewind()).rejects.toThrow(/keeps no history/);
      page.end();
    });
  });

  test("saves, loads, starts from a save, and tests itself in the worker", async () => {
    const page = await startArcade({ session: { memory, seed: 3 } });
    const { session } = page;
    page.begin();
    page.run(1000);
    page.loop.pause();
    page.run(50);
    const saved = session.save();
    await settled();
    page.run(50);
    const bytes = await saved;
    expect(bytes).toEqual(session.bytes());
    const wrong = session.load(bytes.slice(0, 50));
    page.run(50);
    await expect(wrong).rejects.toThrow(/damaged/);
    const test = session.syncTest({ ticks: 30 });
    await settled();
    page.run(50);
    expect(await test).toMatchObject({ ok: true, ticks: 30 });
    const stats = session.stats();
    await settled();
    page.run(50);
    expect((await stats).steps).toBe(session.tick);
    const { tick } = session;
    page.end();
    const other = await startArcade({ session: { memory, from: bytes } });
    expect(other.session.tick).toBe(tick);
    other.begin();
    other.run(1000);
    const local = localSession(arcade, { seed: 3 });
    local.skip(other.session.tick);
    expect(other.session.hash()).toEqual(local.hash());
    other.end();
  });

  test("speculating shows up to one step more, and the same states", async () => {
    const cost = () => 3;
    const usual = await startArcade({ session: { memory }, cost });
    const ahead = await startArcade({ session: { memory, present: "speculate" }, cost });
    for (const page of [usual, ahead]) {
      page.begin();
      page.run(10_000);
      expect(page.session.timing.starvedFrames).toBe(0);
    }
    // A step, and another one that is thrown away, and then its state is there a step earlier.
    expect(usual.session.timing.delay).toBeCloseTo(memory === "shared" ? 3 : 3.2, 1);
    expect(ahead.session.timing.delay).toBeCloseTo((memory === "shared" ? 6 : 6.2) - DT, 1);
    expect(ahead.session.hash()).toEqual(usual.session.hash());
    for (const { tick, x } of ahead.pictures) expect(x).toBeCloseTo(tick / 60, 6);
    usual.end();
    ahead.end();
  });
});
