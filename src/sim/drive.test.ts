// What `drive` checks. test/sessions/drive.test.ts tests what it does.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { f64, layout } from "../state/index.js";
import { manualDriver } from "../testing/index.js";
import { drive, localSession, play, simulation, type Session } from "./index.js";

const game = simulation({
  name: "driven",
  version: 1,
  rate: 60,
  state: layout({ x: f64.lerp }),
  effects: { ping: {} },
  step(world, _, { dt, emit }) {
    world.x += dt;
    emit("ping");
  },
});

/** A session of our own, with some parts replaced. */
function custom(parts: object): Session<unknown> {
  return {
    simulation: game,
    seed: 0,
    tick: 0,
    confirmed: 0,
    pace: 1,
    present: "interpolate",
    world: {},
    advance: () => "stepped",
    view: () => ({}),
    hash: () => [0, 0],
    bytes: () => new Uint8Array(8),
    on: () => () => {},
    dispose() {},
    ...parts,
  } as Session<unknown>;
}

describe("drive rejects", () => {
  test.each([
    [game, "session must be a session, got a Simulation. Try localSession(game)."],
    ["session", 'session must be a session, got "session". Try localSession(game).'],
    [undefined, "session must be a session, got undefined. Try localSession(game)."],
    [{ session: {} }, 'session must be a session, got {"session":{}}. Try play(game).session.'],
    [custom({ simulation: undefined }), "session.simulation must be an object, got undefined."],
    [custom({ view: undefined }), "session.view must be a function, got undefined."],
    [custom({ on: 1 }), "session.on must be a function, got 1."],
    [custom({ on() {} }), "the result of session.on must be a function, got undefined."],
    [custom({ dispose: undefined }), "session.dispose must be a function, got undefined."],
    [
      custom({ present: "latest" }),
      'session.present must be "interpolate", "speculate" or "none", got "latest".',
    ],
  ])("a session with a wrong shape (%#)", (session, message) => {
    const driver = manualDriver();
    expect(() => drive(session as never, { driver })).toThrow(errorWith("bad-value", `drive: ${message}`));
    const { use, dispose } = drive<Session<unknown>>(localSession(game), { driver });
    expect(() => use(session as never)).toThrow(errorWith("bad-value", `Drive.use: ${message}`));
    dispose();
  });

  test("a headless session needs no view", () => {
    const driver = manualDriver();
    const { loop, dispose } = drive(custom({ view: undefined, present: "none" }), { driver });
    driver.display(60, 0.1);
    expect(loop.tick).toBe(6);
    dispose();
  });

  test.each([undefined, true, "step", Promise.resolve("stepped")])(
    "a session whose advance returns %s",
    (advance) => {
      const driver = manualDriver();
      drive(custom({ advance: () => advance }), { driver });
      expect(() => driver.display(60, 0.1)).toThrow(
        errorWith(
          "bad-value",
          'drive: the result of session.advance must be one of "stepped", "rewound", "stalled", "waiting", "ended", got',
        ),
      );
    },
  );

  test.each([NaN, 3, undefined])("a session with the pace %s", (pace) => {
    const driver = manualDriver();
    drive(custom({ pace }), { driver });
    expect(() => driver.display(60, 0.1)).toThrow(
      errorWith("bad-value", `drive: session.pace must be a number from 0.5 to 2, got ${pace}. Try 1.`),
    );
  });

  test("a disposed session", () => {
    const session = localSession(game);
    session.dispose();
    expect(() => drive(session, { driver: manualDriver() })).toThrow(
      errorWith("disposed", "Session: already disposed."),
    );
  });

  test("a session that another drive runs, until that one is disposed or uses another session", () => {
    const [session, other] = [localSession(game), localSession(game)];
    const first = drive(session, { driver: manualDriver() });
    expect(() => drive(session, { driver: manualDriver() })).toThrow(
      errorWith("in-use", "drive: another drive already runs this session."),
    );
    first.use(session);
    first.use(other);
    const second = drive(session, { driver: manualDriver() });
    expect(() => second.use(other)).toThrow(errorWith("in-use", "Drive.use: another drive already runs"));
    first.dispose();
    second.dispose();
    const own = custom({});
    const before = drive(own, { driver: manualDriver() });
    before.dispose();
    const now = drive(own, { driver: manualDriver() });
    before.dispose();
    expect(() => drive(own, { driver: manualDriver() })).toThrow(errorWith("in-use"));
    now.dispose();
  });

  test("a session is free after a drive that could not start", () => {
    const session = localSession(game);
    const driver = manualDriver();
    const first = drive(localSession(game), { driver });
    expect(() => drive(session, { driver })).toThrow(errorWith("in-use", "drive: this driver"));
    drive(session, { driver: manualDriver() }).dispose();
    first.dispose();
  });

  test("options of the simulation and the session", () => {
    const session = localSession(game);
    expect(() => drive(session, { rate: 60 } as never)).toThrow(
      errorWith("unknown-option", 'drive: unknown option "rate": the rate is that of the simulation.'),
    );
    expect(() => play(game, { rate: 60 } as never)).toThrow(
      errorWith("unknown-option", 'play: unknown option "rate": the rate is that of the simulation.'),
    );
    expect(() => drive(session, { inputs() {} } as never)).toThrow(
      errorWith("unknown-option", "Pass inputs to localSession: localSession(game, { inputs })."),
    );
  });
});

test("a headless session cannot step inside an effect listener", () => {
  const session = localSession(game, { present: "none" });
  const off = session.on("effect", () => void session.advance());
  const error = errorWith(
    "reentrant",
    'Session: cannot step inside an "effect" listener of a headless session. Step after advance() returns.',
  );
  expect(() => session.advance()).toThrow(error);
  off();
  session.on("effect", () => session.skip(1));
  expect(() => session.advance()).toThrow(error);
  expect(session.tick).toBe(2);
});
