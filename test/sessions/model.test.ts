// Random calls of a local session, held against a model.
import fc from "fast-check";
import { test } from "vitest";
import { FAILS, SessionModel, type Setting } from "./session-model.js";

const part = fc.double({ min: 0, max: 1, noNaN: true });
const call = <A>(values: fc.Arbitrary<A>, act: (model: SessionModel, value: A) => void) =>
  values.map((value) =>
    Object.assign((model: SessionModel) => act(model, value), { toString: () => `${act} ${value}` }),
  );

const steps = call(fc.tuple(fc.nat(FAILS - 1), fc.integer({ min: 1, max: 40 })), (model, [value, count]) => {
  for (let i = 0; i < count; i++) model.advance((value + i) % FAILS);
});
const calls = fc.oneof(
  { arbitrary: steps, weight: 5 },
  { arbitrary: call(part, (model, alpha) => model.view(alpha)), weight: 3 },
  call(part, (model, to) => model.seek(to)),
  call(fc.constantFrom(0.3, 1, 2.5, 1000), (model, speed) => model.rewind(speed)),
  call(fc.nat(20), (model, ticks) => model.skip(ticks)),
  fc.constantFrom(
    (model: SessionModel) => model.endRewind(),
    (model: SessionModel) => model.fail(),
    (model: SessionModel) => model.save(),
    (model: SessionModel) => model.load(),
    (model: SessionModel) => model.take(),
  ),
);

const settings: fc.Arbitrary<Setting> = fc.record({
  rate: fc.constantFrom<Setting["rate"]>(60, 7, 1000, [60000, 1001]),
  present: fc.constantFrom<Setting["present"]>("interpolate", "speculate", "none"),
  history: fc.record({
    seconds: fc.constantFrom(0, 0.05, 0.5, 3),
    every: fc.constantFrom(0.001, 0.05, 0.25, 10),
  }),
  recording: fc.record({
    checkpoints: fc.constantFrom(0, 0.001, 0.1, 1),
    keyframes: fc.constantFrom(0, 0.05, 0.3, 10),
    everyTick: fc.boolean(),
  }),
});

test("after any calls, a session has the states, the picture, the effects and the recording of its model", () => {
  fc.assert(
    fc.property(settings, fc.array(calls, { maxLength: 40 }), (setting, list) => {
      const model = new SessionModel(setting);
      for (const act of list) {
        act(model);
        model.check();
      }
      model.end();
    }),
    { numRuns: 150 },
  );
});
