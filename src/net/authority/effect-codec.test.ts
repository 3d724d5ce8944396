import { expect, test } from "vitest";
import { random } from "../../math/index.js";
import { EffectSpec, type AnyEffect } from "../../sim/effects.js";
import { bool, f32, f64, i32, u8 } from "../../state/index.js";
import { EffectCodec, MAX_EFFECT_BYTES } from "./effect-codec.js";

const spec = new EffectSpec({
  click: {},
  thud: { x: f64, force: f32, by: u8 },
  toggle: { isOn: bool, at: i32 },
});
const codec = new EffectCodec(spec);
const TICK = 1000;
/** The tick from which on the effects are all that happened. */
const FIRST = 900;

function written(effects: readonly AnyEffect[]): Uint8Array {
  const bytes = new Uint8Array(MAX_EFFECT_BYTES);
  return bytes.subarray(0, codec.write(effects, FIRST, TICK, new DataView(bytes.buffer)));
}

test("effects come back as they were: order, and values to the last bit", () => {
  const effects = [
    spec.make("click", {}, 990),
    spec.make("thud", { x: 0.1, force: 0.5, by: 255 }, 995),
    spec.make("thud", { x: -0, force: NaN, by: 0 }, 999),
    spec.make("thud", { x: 2 ** 40, force: -Infinity, by: 127 }, 999),
    spec.make("toggle", { isOn: true, at: -(2 ** 31) }, 999),
    spec.make("toggle", { isOn: false, at: -129 }, 999),
  ];
  const bytes = written(effects);
  const out: AnyEffect[] = [];
  expect(codec.read(bytes, 0, TICK, out)).toBe(bytes.length);
  expect(codec.first).toBe(FIRST);
  expect(out).toEqual(effects);
  expect(Object.is(out[2]!["x"], -0)).toBe(true);
});

test("if there are too many, the newest ones are sent, and the list says from which tick on it is complete", () => {
  const effects = Array.from({ length: 1000 }, (_, i) =>
    spec.make("thud", { x: i / 7, force: 0.1, by: 1 }, Math.floor(i / 2) + 500),
  );
  const bytes = written(effects);
  const out: AnyEffect[] = [];
  expect(codec.read(bytes, 0, TICK, out)).toBe(bytes.length);
  expect(out.length).toBeGreaterThan(150);
  expect(out).toEqual(effects.slice(-out.length));
  expect(codec.first).toBe(effects.at(-out.length - 1)!.tick + 1);
});

test("a game without effects writes nothing", () => {
  const none = new EffectCodec(new EffectSpec({}));
  const bytes = new Uint8Array(8);
  expect(none.write([], FIRST, TICK, new DataView(bytes.buffer))).toBe(0);
  expect([none.read(bytes, 3, TICK, []), none.first]).toEqual([3, TICK]);
});

test("damaged bytes are rejected or give effects of the declared kinds, and never throw", () => {
  const dice = random(new Uint32Array(4)).seed("effects");
  const good = written([
    spec.make("thud", { x: 0.1, force: 0.5, by: 255 }, 995),
    spec.make("toggle", { isOn: true, at: 7 }, 999),
  ]);
  let rejected = 0;
  for (let i = 0; i < 20_000; i++) {
    const bytes = good.slice(0, dice.chance(0.2) ? dice.int(0, good.length) : good.length);
    for (let n = dice.int(0, 3); n > 0 && bytes.length > 0; n--)
      bytes[dice.int(0, bytes.length - 1)] = dice.int(0, 255);
    const out: AnyEffect[] = [];
    const end = codec.read(bytes, 0, TICK, out);
    if (end < 0) rejected++;
    expect(end).toBeLessThanOrEqual(bytes.length);
    for (const { name, tick } of out)
      expect(spec.names.includes(name) && tick >= 0 && tick < TICK).toBe(true);
  }
  expect(rejected).toBeGreaterThan(5000);
});
