import { describe, test } from "vitest";
import * as blend from "../src/blend/index.js";
import { Loop } from "../src/index.js";
import * as input from "../src/input/index.js";
import * as integrate from "../src/integrate/index.js";
import * as net from "../src/net/index.js";
import { random, springAll } from "../src/math/index.js";
import * as states from "../src/state/index.js";
import { expectNetplay, expectReplay, simulatedNetwork } from "../src/testing/index.js";
import {
  inputRuns,
  readReplay,
  readReplayInfo,
  record,
  recordedCommands,
  replayPlayer,
  verify,
} from "../src/replay/index.js";
import { bytes, localSession, many, simulation, syncTest, text } from "../src/sim/index.js";
import { duel, duelSession } from "./replay/duel.js";
import { orders } from "./replay/orders.js";

import { expectRejected, notNumbers, numbers, type Calls } from "./rejected.js";

const { NaN: nan, negative, zero, huge, Infinity: infinity, fraction } = numbers;

const loop = new Loop({ rate: 60 });
const calls: Calls = {
  ...blendCalls(),
  ...randomCalls(),
  ...integrateCalls(),
  ...inputCalls(),
  ...stateCalls(),
  ...replayCalls(),
  ...commandCalls(),
  ...netCalls(),
  ...authorityCalls(),
};

describe.each(Object.entries(calls))("%s", (_, [call, values]) => {
  test.each(values.map((value) => ({ value })))("rejects $value", ({ value }) => {
    expectRejected(() => call(value as never));
  });
});

function blendCalls(): Calls {
  const { scalar, vector2, rotation } = blend;
  const four = () => new Float64Array(4);
  const notLists = [
    undefined,
    null,
    1,
    "x",
    {},
    [0, 0, 0, 0],
    new Int32Array(4),
    new DataView(new ArrayBuffer(8)),
  ];
  const badAlphas = [undefined, ...notNumbers, nan, negative, 2.1, huge, infinity];
  const ship = { x: 0, place: [0, 0], turn: [0, 0, 0, 1], name: "" };
  const columns = { x: four(), id: new Uint8Array(4) };
  blend.smooth(loop, ship, { x: scalar, place: vector2, turn: rotation, name: blend.hold });
  const shown = blend.smoothColumns(loop, columns, { x: scalar });
  const batches = Object.entries({
    lerpAll: blend.lerpAll,
    lerpAngleAll: blend.lerpAngleAll,
    slerp: blend.slerp,
    nlerp: blend.nlerp,
  }).flatMap(([name, call]): [string, Calls[string]][] => [
    [`${name} out`, [(value) => call(value, four(), four(), 0.5), notLists]],
    [`${name} previous`, [(value) => call(four(), value, four(), 0.5), [...notLists, new Float64Array(3)]]],
    [`${name} current`, [(value) => call(four(), four(), value, 0.5), [...notLists, new Float64Array(3)]]],
    [`${name} alpha`, [(value) => call(four(), four(), four(), value), badAlphas]],
    [
      `${name} count`,
      [
        (value) => call(four(), four(), four(), 0.5, value),
        [...notNumbers, nan, negative, fraction, huge, 5],
      ],
    ],
  ]);
  const fields = [
    undefined,
    null,
    1,
    "x",
    { x: "number" },
    { x: undefined },
    { x: {} },
    { y: scalar },
    { name: scalar },
  ];
  const loops = [undefined, null, 1, {}, { on: 1 }];
  const options = [
    null,
    1,
    "x",
    { extrapolation: 1 },
    ...[...notNumbers, nan, negative, 1.5].map((extrapolate) => ({ extrapolate })),
  ];
  const objects = [undefined, null, 1, "x", () => 1];
  return {
    ...Object.fromEntries(batches),
    "slerp of a part": [(value) => blend.slerp(value, four(), four(), 0.5), [new Float64Array(3)]],
    "hermiteAll velocity": [
      (value) => blend.hermiteAll(four(), four(), four(), value, four(), 1, 0.5),
      [...notLists, new Float64Array(3)],
    ],
    "hermiteAll dt": [
      (value) => blend.hermiteAll(four(), four(), four(), four(), four(), value, 0.5),
      [undefined, ...notNumbers, nan, negative, huge, infinity],
    ],
    "hermiteAll alpha": [
      (value) => blend.hermiteAll(four(), four(), four(), four(), four(), 1, value),
      [...badAlphas, 1.1],
    ],
    "snap value": [(value) => blend.snap(value), [undefined, ...notNumbers, nan, huge, infinity]],
    "snap pixel": [(value) => blend.snap(1, value), [...notNumbers, nan, negative, zero, huge, infinity]],
    "smooth loop": [(value) => blend.smooth(value, ship, { x: scalar }), loops],
    "smooth object": [(value) => blend.smooth(loop, value, {} as never), objects],
    "smooth fields": [(value) => blend.smooth(loop, ship, value), fields],
    "smooth vector2": [
      (place) => blend.smooth(loop, { place }, { place: vector2 }),
      [undefined, null, 1, "xy", {}, { x: 1 }, [1], ["1", 2], { x: 1, y: "2" }],
    ],
    "smooth rotation": [
      (turn) => blend.smooth(loop, { turn }, { turn: rotation }),
      [null, [0, 0, 1], { x: 0, y: 0, z: 0 }],
    ],
    "smooth options": [
      (value) => blend.smooth(loop, ship, { x: scalar }, value),
      [...options, { count: () => 1 }],
    ],
    "smoothAll loop": [(value) => blend.smoothAll(value, [ship], { x: scalar }), loops],
    "smoothAll list": [
      (value) => blend.smoothAll(loop, value, { x: scalar } as never),
      [undefined, null, 1, "x", {}, new Set(), () => 1, [1], [null], [{}], [{ x: "1" }]],
    ],
    "smoothAll fields": [(value) => blend.smoothAll(loop, [ship], value), fields],
    "smoothAll options": [(value) => blend.smoothAll(loop, [ship], { x: scalar }, value), options],
    "smoothColumns loop": [(value) => blend.smoothColumns(value, columns, { x: scalar }), loops],
    "smoothColumns columns": [
      (value) => blend.smoothColumns(loop, value, { x: scalar } as never),
      [...objects, {}, { x: 1 }, { x: [1] }, { x: new Int8Array(1) }, { x: new BigInt64Array(1) }],
    ],
    "smoothColumns held": [
      (id) => blend.smoothColumns(loop, { id }, { id: blend.hold } as never),
      [undefined, 1, [1], new BigInt64Array(1), new BigInt64Array(0), new DataView(new ArrayBuffer(8))],
    ],
    "smoothColumns fields": [(value) => blend.smoothColumns(loop, columns, value), fields],
    "smoothColumns options": [
      (value) => blend.smoothColumns(loop, columns, { x: scalar }, value),
      [...options, { rows: () => 1 }],
    ],
    "smoothColumns count": [
      (count) => blend.smoothColumns(loop, columns, { x: scalar }, { count }),
      [
        null,
        1,
        "x",
        {},
        ...[undefined, ...notNumbers, nan, negative, fraction, 5].map((count) => () => count),
      ],
    ],
    "teleport object": [(value) => blend.teleport(value), [...objects, shown]],
    "teleport row": [(value) => blend.teleport(columns, value), [...notNumbers, nan, negative, fraction, 4]],
    "teleport row of an object": [(value) => blend.teleport(ship, value), [zero]],
    "shift object": [(value) => blend.shift(value, {} as never), [...objects, shown]],
    "shift by": [
      (value) => blend.shift(ship, value),
      [
        ...objects,
        { y: 1 },
        { name: 1 },
        { turn: [1] },
        ...["1", null, true, nan, infinity, [nan], { x: "1" }, [1, 2]].map((x) => ({ x })),
        { place: [0, 0, 1] },
      ],
    ],
    "shift columns": [(value) => blend.shift(columns, value), [{ x: "1" }, { y: 1 }, { x: 1, id: 1 }]],
    "shift row": [
      (value) => blend.shift(columns, { x: 1 }, value),
      [...notNumbers, nan, negative, fraction, 4],
    ],
    "curve kind": [(value) => blend.curve(value), [undefined, null, 1, "scalar", {}, rotation, blend.hold]],
    "curve velocity": [(value) => blend.curve(scalar, value), [undefined, null, 1, true, {}, []]],
    "extrapolate steps": [
      (value) => blend.extrapolate(value),
      [undefined, ...notNumbers, nan, negative, 1.5],
    ],
    "smooth velocity": [
      (vx) => blend.smooth(loop, { x: 0, vx }, { x: blend.curve(scalar, "vx") }),
      [undefined, null, "1", true, {}, [1]],
    ],
    "smooth velocity of a vector": [
      (speed) => blend.smooth(loop, { place: [0, 0], speed }, { place: blend.curve(vector2, "speed") }),
      [undefined, null, 1, "xy", {}, { x: 1 }, [1], ["1", 2]],
    ],
    "smoothColumns velocity": [
      (vx) => blend.smoothColumns(loop, { x: four(), vx }, { x: blend.curve(scalar, "vx") }),
      [undefined, null, 1, [1, 2, 3, 4], new Float64Array(3), new Int32Array(4)],
    ],
    "contact object": [(value) => blend.contact(value, 0.5, {} as never), [...objects, shown]],
    "contact fraction": [
      (value) => blend.contact(ship, value, { x: 1 }),
      [undefined, ...notNumbers, nan, negative, 1.1, infinity],
    ],
    "contact at": [
      (value) => blend.contact(ship, 0.5, value),
      [
        ...objects,
        { y: 1 },
        { name: 1 },
        { turn: [1] },
        ...["1", null, true, nan, infinity, [nan], { x: "1" }, [1, 2]].map((x) => ({ x })),
        { place: [0, 0, 1] },
        { place: {} },
      ],
    ],
    "contact row": [
      (value) => blend.contact(columns, 0.5, { x: 1 }, value),
      [...notNumbers, nan, negative, fraction, 4],
    ],
    dispose: [(value) => blend.dispose(value), [...objects, {}, ship]],
  };
}

function randomCalls(): Calls {
  const words = () => new Uint32Array(4);
  const generator = random(words()).seed(1);
  const wholes = [undefined, ...notNumbers, nan, fraction, infinity];
  const lists = [
    undefined,
    null,
    1,
    "abc",
    true,
    {},
    { length: -1 },
    { length: "1" },
    () => [1],
    new Set([1]),
  ];
  const four = () => new Float64Array(4);
  const column = four();
  const onColumn = [column, new Float64Array(column.buffer), new Float32Array(column.buffer, 16)];
  const notColumns = [undefined, null, 1, "x", {}, [0, 0, 0, 0], new Int32Array(4), new Float64Array(3)];
  return {
    "random words": [
      (value) => random(value),
      [undefined, null, 1, "x", {}, [1, 2, 3, 4], new Int32Array(4), new Float64Array(4), new Uint32Array(3)],
    ],
    "random offset": [
      (value) => random(words(), value),
      [...notNumbers, nan, negative, fraction, infinity, 1],
    ],
    "random unseeded": [(value) => random(value).float(), [words()]],
    "Random.seed": [
      (value) => generator.seed(value),
      [...wholes, huge, 2 ** 53].filter((seed) => seed !== "1"),
    ],
    "Random.fork name": [
      (value) => generator.fork(value, random(words())),
      wholes.filter((name) => name !== "1"),
    ],
    "Random.fork child": [
      (value) => generator.fork("a", value),
      [undefined, null, 1, {}, words(), generator],
    ],
    "Random.below": [(value) => generator.below(value), [...wholes, negative, zero, 2 ** 32 + 1, huge]],
    "Random.int min": [(value) => generator.int(value, 6), [...wholes, huge, 7, -(2 ** 33)]],
    "Random.int max": [(value) => generator.int(1, value), [...wholes, huge, zero, 2 ** 32 + 1]],
    "Random.chance": [
      (value) => generator.chance(value),
      [undefined, ...notNumbers, nan, negative, fraction, huge, infinity],
    ],
    "Random.gaussian mean": [(value) => generator.gaussian(value), [...notNumbers, nan, infinity]],
    "Random.gaussian deviation": [
      (value) => generator.gaussian(0, value),
      [...notNumbers, nan, negative, infinity],
    ],
    "Random.pick": [(value) => generator.pick(value), [...lists, []]],
    "Random.shuffle": [(value) => generator.shuffle(value), lists],
    "springAll position": [(value) => springAll(value, four(), four(), 1, 1, 4), notColumns],
    "springAll velocity": [(value) => springAll(four(), value, four(), 1, 1), notColumns],
    "springAll target": [(value) => springAll(four(), four(), value, 1, 1), notColumns],
    "springAll rate": [
      (value) => springAll(four(), four(), four(), value, 1),
      [undefined, ...notNumbers, nan, negative, huge, infinity],
    ],
    "springAll dt": [
      (value) => springAll(four(), four(), four(), 1, value),
      [undefined, ...notNumbers, nan, negative, huge, infinity],
    ],
    "springAll count": [
      (value) => springAll(four(), four(), four(), 1, 1, value),
      [...notNumbers, nan, negative, fraction, 5],
    ],
    "springAll overlapping columns": [(value) => springAll(column, value, four(), 1, 1), onColumn],
  };
}

function replayCalls(): Calls {
  const session = duelSession();
  const recorder = record(session);
  session.skip(30);
  const replay = readReplay(recorder.bytes());
  const game = duel();
  const player = replayPlayer(game, replay);
  const wholes = [...notNumbers, nan, negative, fraction, infinity];
  const notReplays = [undefined, null, 1, "x", {}, [], recorder.bytes()];
  const notFiles = [
    undefined,
    null,
    1,
    "TWRP",
    {},
    [],
    new Uint16Array(9),
    new Uint8Array(),
    new Uint8Array(99),
  ];
  return {
    "record session": [(value) => record(value), [undefined, null, 1, "x", {}, { hash() {} }, game]],
    "record options": [(value) => record(session, value), [null, 1, "x", true]],
    "record checkpoints": [
      (checkpoints) => record(session, { checkpoints }),
      [...notNumbers, nan, negative, infinity, huge],
    ],
    "record everyTick": [(everyTick) => record(session, { everyTick }), [1, "yes", null, {}]],
    "record keyframes": [
      (keyframes) => record(session, { keyframes }),
      [...notNumbers, nan, negative, infinity, huge],
    ],
    "record meta": [(meta) => record(session, { meta }), [null, 1, "x", [], true]],
    readReplay: [(value) => readReplay(value), notFiles],
    readReplayInfo: [(value) => readReplayInfo(value), notFiles],
    replayPlayer: [(value) => replayPlayer(game, value), notReplays],
    "replayPlayer options": [(value) => replayPlayer(game, replay, value), [null, 1, "x"]],
    "replayPlayer diverged": [(diverged) => replayPlayer(game, replay, { diverged }), [null, 1, "x", {}]],
    "ReplayPlayer.seek": [(value) => player.seek(value), [undefined, ...wholes, 31, huge]],
    verify: [(value) => verify(game, value), notReplays],
    "verify options": [(value) => verify(game, replay, value), [null, 1, "x", { evry: 1 }]],
    "verify every": [(every) => verify(game, replay, { every }), [...wholes, zero]],
    "verify against": [
      (against) => verify(game, replay, { against }),
      [null, 1, "x", {}, duel({ players: 3 })],
    ],
    inputRuns: [(value) => [...inputRuns(value)], notReplays],
    recordedCommands: [(value) => [...recordedCommands(value)], notReplays],
    "ReplayPlayer.command before takeOver": [(value) => player.command(value, undefined as never), ["fire"]],
    "expectReplay options": [
      (value) => expectReplay(game, recorder.bytes(), value),
      [null, 1, "x", { against: game }, { gaurd: 1 }],
    ],
    "expectReplay file": [
      (value) => expectReplay(game, value),
      [undefined, null, 1, "x", {}, new Uint8Array(9)],
    ],
  };
}

function commandCalls(): Calls {
  const { u16, vec2, layout, u8 } = states;
  const session = localSession(orders);
  const lengths = [undefined, ...notNumbers, nan, negative, zero, fraction, huge, infinity, 65_536];
  const build = { x: 1, y: 2, kind: 0, isFree: true };
  const declared = (options: object) =>
    simulation({ name: "bad", version: 1, rate: 60, state: layout({ n: u8 }), step() {}, ...options });
  const issue = (name: string) => (values: never) => session.command(name as never, values);
  return {
    text: [(value) => text(value), lengths],
    bytes: [(value) => bytes(value), lengths],
    "many max": [(value) => many(value, u16), lengths],
    "many field": [(value) => many(3, value), [undefined, null, 1, "u16", {}, text(3)]],
    "simulation commands": [
      (commands) => declared({ commands }),
      [
        null,
        1,
        "x",
        true,
        () => {},
        ...[null, 1, "x", true, undefined].map((build) => ({ build })),
        ...[null, 1, "u16", {}, vec2, many(3, vec2 as never)].map((x) => ({ build: { x } })),
        ...["name", "player", "a b", "", "1"].map((field) => ({ build: { [field]: u16 } })),
        ...["a b", "", "1"].map((name) => ({ [name]: {} })),
      ],
    ],
    "simulation absent": [
      (absent) => declared({ absent, input: { go: input.button } }),
      [null, 1, "x", true, { stop: true }, { go: 1 }],
    ],
    "simulation beats": [
      (beats) => declared({ beats }),
      [
        null,
        1,
        "x",
        true,
        () => {},
        [],
        new Map([["think", { rate: 4, run() {} }]]),
        ...[null, 1, "x", undefined, {}, { rate: 4 }, { rate: 4, run: 1 }].map((think) => ({ think })),
        { think: { rate: 4, run() {}, every: 1 } },
        ...[undefined, ...notNumbers, nan, negative, zero, infinity].map((rate) => ({
          think: { rate, run() {} },
        })),
      ],
    ],
    "Session.command name": [
      (value) => session.command(value, undefined as never),
      [undefined, null, 1, "", "biuld", "toString", "__proto__", {}, Symbol("s")],
    ],
    "Session.command values": [issue("build"), [undefined, null, 1, "x", true, [], () => {}, {}]],
    "Session.command number": [
      (x) => issue("build")({ ...build, x } as never),
      [undefined, ...notNumbers, nan, negative, fraction, huge, infinity, 65_536],
    ],
    "Session.command choice": [
      (kind) => issue("build")({ ...build, kind } as never),
      [undefined, ...notNumbers, nan, negative, fraction, 3],
    ],
    "Session.command boolean": [
      (isFree) => issue("build")({ ...build, isFree } as never),
      [undefined, null, 0, 1, "true", {}],
    ],
    "Session.command field": [issue("build"), [{ ...build, z: 1 }]],
    "Session.command text": [
      (words) => issue("say")({ words } as never),
      [undefined, null, 1, true, {}, ["a"], "a".repeat(41), "ö".repeat(21)],
    ],
    "Session.command list": [
      (units) => issue("select")({ units, weights: [] } as never),
      [
        undefined,
        null,
        1,
        true,
        "12",
        {},
        { length: -1 },
        { length: 1.5 },
        [65_536],
        ["1"],
        Array(301).fill(0),
      ],
    ],
    "Session.command floats": [
      (weights) => issue("select")({ units: [], weights } as never),
      [[nan], [infinity], [1e39], ["1"], [1, 2, 3, 4, 5]],
    ],
    "Session.command bytes": [
      (map) => issue("upload")({ map } as never),
      [undefined, null, 1, "x", [1, 2], new Uint16Array(2), new Uint8Array(501)],
    ],
    "Session.command options": [
      (value) => session.command("halt", {}, value),
      [null, 1, "x", [], { seat: 1 }],
    ],
    "Session.command player": [
      (player) => session.command("halt", {}, { player }),
      [...notNumbers, nan, negative, fraction, 3],
    ],
    "syncTest commands": [(commands) => syncTest(orders, { commands }), [null, 1, "x", {}]],
    "syncTest command": [
      (value) => syncTest(orders, { commands: (_, command) => command(value, undefined as never) }),
      ["biuld", 1, null],
    ],
    "syncTest player": [
      (player) => syncTest(orders, { commands: (_, command) => command("halt", {}, { player }) }),
      [-1, 3, 1.5, "1"],
    ],
  };
}

function integrateCalls(): Calls {
  const two = () => new Float64Array(2);
  const column = two();
  const onColumn = [column, new Float64Array(column.buffer), new Float32Array(column.buffer, 8)];
  const notColumns = [undefined, null, 1, "x", {}, [0, 0], new Int32Array(2), new Float64Array(3)];
  const notTimes = [undefined, ...notNumbers, nan, infinity];
  const makers = {
    explicitEulerColumns: integrate.explicitEulerColumns,
    rk4Columns: integrate.rk4Columns,
    semiImplicitEulerColumns: integrate.semiImplicitEulerColumns,
    velocityVerletColumns: integrate.velocityVerletColumns,
  };
  const entries = Object.entries(makers).flatMap(([name, make]): [string, Calls[string]][] => [
    [
      `${name} length`,
      [
        (value) => make(value, () => {}),
        [undefined, ...notNumbers, nan, negative, zero, fraction, infinity, 2 ** 52],
      ],
    ],
    [`${name} function`, [(value) => make(2, value), [undefined, null, 1, "x", {}]]],
  ]);
  for (const [name, make] of [
    ["explicitEulerColumns", integrate.explicitEulerColumns],
    ["rk4Columns", integrate.rk4Columns],
  ] as const) {
    const step = make(2, () => {});
    entries.push(
      [`${name} state`, [(value) => step(value, 0, 1), notColumns]],
      [`${name} t`, [(value) => step(two(), value, 1), notTimes]],
      [`${name} dt`, [(value) => step(two(), 0, value), notTimes]],
    );
  }
  for (const [name, make] of [
    ["semiImplicitEulerColumns", integrate.semiImplicitEulerColumns],
    ["velocityVerletColumns", integrate.velocityVerletColumns],
  ] as const) {
    const step = make(2, () => {});
    entries.push(
      [`${name} position`, [(value) => step(value, two(), 0, 1), notColumns]],
      [`${name} velocity`, [(value) => step(column, value, 0, 1), [...notColumns, ...onColumn]]],
      [`${name} t`, [(value) => step(two(), two(), value, 1), notTimes]],
      [`${name} dt`, [(value) => step(two(), two(), 0, value), notTimes]],
    );
  }
  const notAmounts = [...notNumbers, nan, negative, infinity];
  entries.push(
    [
      "stableRate integrator",
      [(name) => integrate.stableRate(name, { stiffness: 1 }), [undefined, null, 1, "euler", "toString", {}]],
    ],
    [
      "stableRate spring",
      [(value) => integrate.stableRate("rk4", value), [undefined, null, 1, "x", {}, { stifness: 1 }]],
    ],
    [
      "stableRate stiffness",
      [(stiffness) => integrate.stableRate("rk4", { stiffness }), [undefined, ...notAmounts]],
    ],
    ["stableRate damping", [(damping) => integrate.stableRate("rk4", { stiffness: 1, damping }), notAmounts]],
    [
      "stableRate mass",
      [(mass) => integrate.stableRate("rk4", { stiffness: 1, mass }), [...notAmounts, zero]],
    ],
    [
      "stableRate frequency",
      [(frequency) => integrate.stableRate("rk4", { frequency }), [undefined, ...notAmounts]],
    ],
    [
      "stableRate dampingRatio",
      [(dampingRatio) => integrate.stableRate("rk4", { frequency: 1, dampingRatio }), notAmounts],
    ],
  );
  return Object.fromEntries(entries);
}

function inputCalls(): Calls {
  const fields = {
    jump: input.button,
    aim: input.axis(8),
    weapon: input.int(0, 3),
    jumpAt: input.fraction(8),
  };
  const packing = new input.Packing(fields);
  const latch = input.inputLatch(packing);
  const target = Object.assign(new EventTarget(), { navigator: { getGamepads: () => [] } });
  const device = input.keyboard(target);
  const notTimes = [...notNumbers, nan];
  const notButtons = [undefined, null, 1, "aim", "jumpAt", "Jump", "constructor", {}];
  const notTargets = [null, 1, "canvas", {}, { addEventListener() {} }];
  const notOptions = [null, 1, "x"];
  const notFlags = ["yes", 1, null, {}];
  return {
    "axis bits": [(bits) => input.axis(bits), [undefined, ...notNumbers, nan, negative, fraction, 1, 17]],
    "fraction bits": [
      (bits) => input.fraction(bits),
      [undefined, ...notNumbers, nan, negative, fraction, zero, 17],
    ],
    "int min": [(min) => input.int(min, 9), [undefined, ...notNumbers, nan, fraction, infinity, 9]],
    "int max": [(max) => input.int(0, max), [undefined, ...notNumbers, nan, fraction, zero, 2 ** 31]],
    "inputLatch packing": [
      (value) => input.inputLatch(value),
      [undefined, null, 1, "x", {}, fields, packing.slots],
    ],
    "inputLatch options": [(value) => input.inputLatch(packing, value), notOptions],
    "inputLatch fractions": [
      (fractions) => input.inputLatch(packing, { fractions }),
      [
        1,
        "x",
        { jump: { of: "jump" } },
        { fly: { of: "jump" } },
        ...[null, "jump", {}, { of: "aim" }, { of: "jump", edge: "up" }].map((jumpAt) => ({ jumpAt })),
      ],
    ],
    "InputLatch.press name": [(name) => latch.press(name), notButtons],
    "InputLatch.press time": [(time) => latch.press("jump", time), notTimes],
    "InputLatch.release name": [(name) => latch.release(name), notButtons],
    "InputLatch.release time": [(time) => latch.release("jump", time), notTimes],
    "InputLatch.releaseAll time": [(time) => latch.releaseAll(time), notTimes],
    "InputLatch.set name": [
      (name) => latch.set(name, 0 as never),
      [undefined, null, 1, "jump", "jumpAt", "Aim", {}],
    ],
    "InputLatch.set axis": [(value) => latch.set("aim", value), [undefined, ...notNumbers, nan]],
    "InputLatch.set int": [
      (value) => latch.set("weapon", value),
      [undefined, ...notNumbers, nan, negative, fraction, 4],
    ],
    "InputLatch.set time": [(time) => latch.set("aim", 0, time), notTimes],
    "InputLatch.onSample": [(poll) => latch.onSample(poll), [undefined, null, 1, "x", {}]],
    "bindInputs latch": [(value) => input.bindInputs(value, {}, []), [undefined, null, 1, {}, packing]],
    "bindInputs mapping": [
      (value) => input.bindInputs(latch, value, [device]),
      [
        undefined,
        ...notOptions,
        { fly: ["KeyA"] },
        { weapon: ["KeyA"] },
        { jumpAt: ["KeyA"] },
        ...[null, "KeyA", {}, [1], [null], ["keya"], ["pad a"], ["-"], ["--KeyA"]].map((jump) => ({ jump })),
      ],
    ],
    "bindInputs devices": [
      (value) => input.bindInputs(latch, {}, value),
      [undefined, null, 1, device, [null], [{}], [{ start() {} }], [input.keyboard]],
    ],
    "keyboard target": [(value) => input.keyboard(value), [undefined, ...notTargets]],
    "keyboard options": [(value) => input.keyboard(target, value), notOptions],
    "keyboard preventDefault": [(preventDefault) => input.keyboard(target, { preventDefault }), notFlags],
    "pointer target": [(value) => input.pointer(value), [undefined, ...notTargets]],
    "pointer options": [(value) => input.pointer(target, value), notOptions],
    "pointer preventDefault": [(preventDefault) => input.pointer(target, { preventDefault }), notFlags],
    "touch target": [(value) => input.touch(value), [undefined, ...notTargets]],
    "touch options": [(value) => input.touch(target, value), notOptions],
    "touch zones": [
      (zones) => input.touch(target, { zones }),
      [
        1,
        "x",
        { x: [0, 0, 1, 1] },
        ...[null, 1, [], [0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 0], [0, 0, 2, 1], [0, 0, nan, 1]].map((go) => ({
          go,
        })),
      ],
    ],
    "gamepads options": [(value) => input.gamepads(value), notOptions],
    "gamepads target": [(value) => input.gamepads({ target: value }), [undefined, ...notTargets]],
    "gamepads index": [
      (index) => input.gamepads({ target, index }),
      [...notNumbers, nan, negative, fraction, infinity],
    ],
    "gamepads deadZone": [
      (deadZone) => input.gamepads({ target, deadZone }),
      [...notNumbers, nan, negative, 1, infinity],
    ],
  };
}

function stateCalls(): Calls {
  const { bool, f64, f32, layout, list, oneOf, table, u8, vec2, LIVE } = states;
  const Mode = oneOf("idle", "run");
  const state = layout({
    n: f64,
    i: u8,
    on: bool,
    mode: Mode,
    group: { x: f64.lerp },
    rows: table(2, {
      x: f64.hermite("v"),
      v: f64,
      at: vec2,
      on: bool,
      mode: Mode,
      l: list(2, u8),
      g: { x: f64 },
    }),
    items: list(2, { x: f64 }),
  }).allocate(3);
  const { world } = state;
  const full = layout({ rows: table(1, { x: f64 }) }).allocate().world.rows;
  full.add();
  const other = layout({ x: f64 }).allocate();
  const holdsItself: Record<string, unknown> = {};
  holdsItself["group"] = holdsItself;
  const notFields = [
    undefined,
    ...notNumbers,
    Float64Array,
    [f64],
    new Float64Array(2),
    new Map(),
    holdsItself,
  ];
  const notRows = [...notFields, f64, table(1, { x: f64 }), list(1, f64)];
  const notNames = ["", "0", "1a", "a.b", "a b", "a-b", "$", "$x", "__proto__", "constructor", "toString"];
  const sizes = [
    undefined,
    ...notNumbers,
    nan,
    negative,
    zero,
    fraction,
    huge,
    infinity,
    2 ** 24 + 1,
    2 ** 31,
  ];
  const snapshots = [...notNumbers, nan, -2, fraction, huge, infinity, 3];
  const numbersOnly = [undefined, ...notNumbers];
  const notBooleans = [undefined, 0, 1, "true", null, {}];
  const notChoices = [undefined, ...notNumbers, nan, negative, fraction, infinity, 2];
  const notPairs = [null, 1, "ab", true, {}, [], [1], [1, 2, 3], ["1", 2], [1, undefined]];
  const bytes = state.bytes();
  const wrongBytes = [
    new Uint8Array(100),
    bytes.subarray(1),
    bytes.subarray(0, -1),
    Uint8Array.of(...bytes, 0),
    other.bytes(),
  ];
  const sync = { add: () => 0, update() {}, remove() {} };
  return {
    layout: [(value) => layout(value), [...notFields, f64, table(1, { x: f64 })]],
    "layout field": [(value) => layout({ field: value }), notFields],
    "layout name": [(value) => layout({ [value]: f64 }), notNames],
    "layout name in a group": [(value) => layout({ group: { [value]: f64 } }), notNames],
    "layout name in a row": [
      (value) => layout({ rows: table(1, { [value]: f64 }) }),
      [...notNames, "id", "capacity", "count", "end", "add", "remove", "row", "clear"],
    ],
    "table capacity": [(value) => table(value, { x: f64 }), sizes],
    "table row": [(value) => layout({ rows: table(1, value) }), notRows],
    "table field": [
      (value) => layout({ rows: table(1, { x: value }) }),
      [...notFields, table(1, { x: f64 }), list(1, { x: f64 })],
    ],
    "list length": [(value) => list(value, f64), sizes],
    "list element": [
      (value) => layout({ items: list(1, value) }),
      [...notFields, table(1, { x: f64 }), list(1, f64)],
    ],
    "oneOf names": [(value) => oneOf(value), [undefined, null, 1, "", {}, ["a"], "constructor", "toString"]],
    "oneOf names twice": [(value) => oneOf(value, "a"), ["a"]],
    hermite: [
      (value) => layout({ x: f64.hermite(value), f: f32, g: { v: f64 } }),
      [undefined, null, 1, "", "x", "v", "f", "g", "constructor", "__proto__", {}],
    ],
    "Layout.allocate snapshots": [
      (value) => state.layout.allocate(value),
      [...notNumbers, nan, negative, fraction, huge, infinity, 2 ** 30],
    ],
    "Layout.allocate options": [
      (value) => state.layout.allocate(1, value),
      [null, 1, "js", { kernel: "js" }],
    ],
    "Layout.allocate kernels": [
      (kernels) => state.layout.allocate(1, { kernels }),
      ["Wasm", "", null, 1, true, {}, "toString"],
    ],
    "Layout.allocate memory": [
      (value) => layout({ rows: table(value, { l: list(100, f64) }) }).allocate(),
      [2 ** 22, 2 ** 24],
    ],
    "State.tick": [
      (value) => (state.tick = value),
      [undefined, ...notNumbers, nan, negative, fraction, huge, infinity],
    ],
    "State.tickOf": [(value) => state.tickOf(value), [undefined, ...snapshots]],
    "State.at": [(value) => state.at(value), [undefined, ...snapshots]],
    "State.save": [(value) => state.save(value), [undefined, ...snapshots]],
    "State.load": [(value) => state.load(value), [undefined, ...snapshots]],
    "State.hash": [(value) => state.hash(value), snapshots],
    "State.hash out": [(value) => state.hash(0, value), [null, 1, "x", true]],
    "State.bytes": [(value) => state.bytes(value), snapshots],
    "State.toJSON": [(value) => state.toJSON(value), snapshots.filter((value) => value !== "1")],
    "State.blend out": [(value) => state.blend(value, 0, 1, 0.5, 1), [undefined, ...snapshots, 0, 1]],
    "State.blend previous": [(value) => state.blend(0, value, 1, 0.5, 1), [undefined, ...snapshots, 0]],
    "State.blend current": [(value) => state.blend(0, 1, value, 0.5, 1), [undefined, ...snapshots, 0]],
    "State.blend alpha": [
      (value) => state.blend(0, 1, 2, value, 1),
      [undefined, ...notNumbers, nan, negative, fraction, huge, infinity],
    ],
    "State.blend dt": [
      (value) => state.blend(0, 1, 2, 0.5, value),
      [undefined, ...notNumbers, nan, negative, huge, infinity],
    ],
    "State.diff a": [(value) => state.diff(value, 0), [undefined, ...snapshots]],
    "State.diff b": [(value) => state.diff(0, value), [undefined, ...snapshots]],
    "State.diff max": [(value) => state.diff(0, 1, value), [...notNumbers, nan, negative]],
    "State.diffFrom other": [
      (value) => state.diffFrom(value, LIVE),
      [undefined, null, 1, {}, state.layout, world, other],
    ],
    "State.diffFrom snapshot": [(value) => state.diffFrom(state, value), [undefined, ...snapshots]],
    "State.diffFrom max": [(value) => state.diffFrom(state, 0, value), [...notNumbers, nan, negative]],
    "State.loadBytes": [
      (value) => state.loadBytes(value),
      [undefined, null, 1, "x", {}, [...bytes], bytes.buffer, new Uint8Array(0), ...wrongBytes],
    ],
    "State.loadBytes snapshot": [(value) => state.loadBytes(bytes, value), snapshots],
    "world number": [(value) => (world.n = value), numbersOnly],
    "world whole number": [(value) => (world.i = value), numbersOnly],
    "world boolean": [(value) => (world.on = value), notBooleans],
    "world choice": [(value) => (world.mode = value), notChoices],
    "world in a group": [(value) => (world.group.x = value), numbersOnly],
    "add values": [(value) => world.rows.add(value), [null, 1, "x", true, [1], { y: 1 }, () => 1]],
    "add number": [(x) => world.rows.add({ x }), notNumbers],
    "add boolean": [(on) => world.rows.add({ on }), notBooleans.slice(1)],
    "add choice": [(mode) => world.rows.add({ mode }), notChoices.slice(1)],
    "add vector": [(at) => world.rows.add({ at }), notPairs],
    "add list": [(l) => world.rows.add({ l }), notPairs],
    "add group": [(g) => world.rows.add({ g }), [null, 1, "x", { y: 1 }, { x: "1" }, [1]]],
    "add to a full table": [(value) => full.add(value), [undefined, { x: 1 }]],
    "skipBlend part": [
      (value) => states.skipBlend(value),
      [undefined, null, 1, "x", {}, () => 1, state, world.rows.x],
    ],
    "skipBlend row": [
      (value) => states.skipBlend(world.rows, value),
      [...notNumbers, nan, negative, fraction, huge, infinity, 2],
    ],
    "syncRows table": [
      (value) => states.syncRows(value, sync),
      [undefined, null, 1, "x", {}, () => 1, world.group],
    ],
    "syncRows handlers": [
      (value) => states.syncRows(world.rows, value),
      [undefined, null, 1, "x", {}, { ...sync, removed: 1 }, { ...sync, leave() {} }],
    ],
    "syncRows add": [(add) => states.syncRows(world.rows, { ...sync, add }), [undefined, null, 1, "x", {}]],
    "syncRows leaveTime": [
      (leaveTime) => states.syncRows(world.rows, { ...sync, leaveTime }),
      [...notNumbers, nan, negative, huge, infinity],
    ],
    "RowSync.sync seconds": [
      (value) => states.syncRows(world.rows, sync).sync(world.rows, value),
      [...notNumbers, nan, negative],
    ],
    hashText: [(value) => states.hashText(value), [undefined, ...notNumbers, 7, [1]]],
    "skipBlend row of a group": [(value) => states.skipBlend(world.group, value), [zero]],
  };
}

function authorityCalls(): Calls {
  const game = duel();
  const { players } = game;
  const [link] = net.loopbackPair();
  const newLink = () => net.loopbackPair()[0];
  const wholes = [...notNumbers, nan, negative, fraction, huge, infinity];
  const notFunctions = [null, 1, "f", {}, []];
  const notTexts = [null, 1, true, {}, [], () => 1];
  const notBytes = [undefined, null, 1, "x", {}, [1], new Uint16Array(1), new Uint8Array(65_536)];
  const notLinks = [undefined, null, 1, "x", {}, { send() {} }];
  const names = [...notTexts, "x".repeat(25), "a\nb", "武".repeat(20)];
  const seconds = [...notNumbers, nan, negative, zero, 0.1, huge, infinity];
  const seats = [null, "0", {}, [players], [-1], [0.5], [0, 0], ["0"], [null]];
  const serve = (name: string) => (value: unknown) => net.serverSession(game, { [name]: value } as never);
  const join = (name: string) => (value: unknown) =>
    net.clientSession(game, newLink(), { [name]: value } as never);
  const states = (name: string) => (value: unknown) =>
    net.serverSession(game, { down: "states", [name]: value } as never);
  const server = net.serverSession(game, { seats: [0] });
  const client = net.clientSession(game, link);
  return {
    "serverSession simulation": [(value) => net.serverSession(value), [undefined, null, 1, "x", {}, server]],
    "serverSession options": [(value) => net.serverSession(game, value), [null, 1, "x", { seat: 0 }]],
    "serverSession down": [serve("down"), [null, 1, "state", true]],
    "serverSession links": [serve("links"), [null, 1, "x", link, [1], [null], [{ send() {} }]]],
    "serverSession seats": [serve("seats"), [...seats, 1]],
    "serverSession name": [serve("name"), names],
    "serverSession predict": [serve("predict"), notFunctions],
    "serverSession present": [serve("present"), ["newest", null, 1, {}]],
    "serverSession hashEvery": [serve("hashEvery"), [...wholes, 601]],
    "serverSession stateRate": [serve("stateRate"), [...notNumbers, nan, negative, zero, 1000, infinity]],
    "serverSession budget": [states("budget"), [...notNumbers, nan, negative, zero, 10, huge]],
    "serverSession visible": [states("visible"), notFunctions],
    "serverSession visible without states": [serve("visible"), [() => true]],
    "serverSession priority": [states("priority"), notFunctions],
    "serverSession secretive": [states("secretive"), [null, 1, "yes", {}]],
    "serverSession timeout": [serve("timeout"), seconds],
    "serverSession keepSeat": [serve("keepSeat"), [...notNumbers, nan, negative, huge, infinity]],
    "serverSession maxClients": [serve("maxClients"), [...wholes, zero, 100_001]],
    "serverSession whenGone": [serve("whenGone"), [null, 1, "stop", true]],
    "serverSession from": [serve("from"), [null, 1, "x", {}, new Uint8Array(9)]],
    "serverSession now": [serve("now"), notFunctions],
    "serverSession wall": [serve("wall"), notFunctions],
    "ServerSession.connect": [(value) => server.connect(value), notLinks],
    "ServerSession.send": [(value) => server.send(value), notBytes],
    "ServerSession.send to": [(value) => server.send(new Uint8Array(1), value), [null, "1", {}, true]],
    "ServerSession.kick": [(value) => server.kick(value), [undefined, null, 0, "1", 12_345]],
    "ServerSession.net.on": [(value) => server.net.on(value, () => {}), ["peer", "", null, 1, "toString"]],
    "clientSession simulation": [
      (value) => net.clientSession(value, newLink()),
      [undefined, null, 1, "x", {}, client],
    ],
    "clientSession link": [(value) => net.clientSession(game, value), notLinks],
    "clientSession options": [
      (value) => net.clientSession(game, newLink(), value),
      [null, 1, "x", { seat: 0 }, { seed: 1 }],
    ],
    "clientSession seats": [join("seats"), [...seats, nan, negative, fraction, players + 1]],
    "clientSession name": [join("name"), names],
    "clientSession token": [join("token"), [...notTexts, "", "x".repeat(201)]],
    "clientSession predict": [join("predict"), notFunctions],
    "clientSession window": [join("window"), [...wholes, 601]],
    "clientSession saveEvery": [join("saveEvery"), [...wholes, zero, 61]],
    "clientSession when": [join("when"), [null, 1, "later", true, { nothing: "shown" }, { hit: "later" }]],
    "clientSession present": [join("present"), ["newest", null, 1, {}]],
    "clientSession timeout": [join("timeout"), seconds],
    "clientSession now": [join("now"), notFunctions],
    "ClientSession.connect": [(value) => client.connect(value), notLinks],
    "ClientSession.send": [(value) => client.send(value), notBytes.slice(0, 7)],
    "ClientSession.net.on": [(value) => client.net.on(value, () => {}), ["peer", "", null, 1, "toString"]],
    "ClientSession.handover": [() => client.handover(), [undefined]],
  };
}

function netCalls(): Calls {
  const game = duel();
  const { players } = game;
  const [link] = net.loopbackPair();
  const wholes = [...notNumbers, nan, negative, fraction, huge, infinity];
  const notFunctions = [null, 1, "f", {}, []];
  const notTexts = [null, 1, true, {}, [], () => 1];
  const peer = (options: object) => net.peerSession(game, { seats: [0], links: [], ...options } as never);
  const session = peer({});
  const option = (name: string) => (value: unknown) => peer({ [name]: value });
  const network = simulatedNetwork();
  const play = (name: string) => (value: unknown) => expectNetplay(game, { [name]: value } as never);
  const condition = (name: string) => (value: unknown) => net.conditioned(link, { [name]: value } as never);
  const scheduler = net.virtualScheduler();
  return {
    "peerSession simulation": [
      (value) => net.peerSession(value, { seats: [0] }),
      [undefined, null, 1, "x", {}, session],
    ],
    "peerSession options": [
      (value) => net.peerSession(game, value),
      [undefined, null, 1, "x", {}, { seat: 0 }, { seats: [0], widnow: 8 }],
    ],
    "peerSession seats": [
      option("seats"),
      [null, "0", {}, nan, negative, fraction, players + 1, [players], [-1], [0.5], [0, 0], ["0"], [null]],
    ],
    "peerSession seats of a relay": [(seats) => peer({ relay: true, seats }), [[0], 1]],
    "peerSession links": [option("links"), [null, 1, "x", link, [1], [null], [{ send() {} }]]],
    "peerSession relay": [option("relay"), [null, 1, "yes", {}]],
    "peerSession inputs": [option("inputs"), [null, 1, "x", {}, [1], [undefined, undefined]]],
    "peerSession window": [option("window"), [...wholes, 121]],
    "peerSession maxWindow": [option("maxWindow"), [...wholes, 7, 121]],
    "peerSession delay": [option("delay"), [...wholes, 11, "Auto"]],
    "peerSession start": [option("start"), [...wholes, players + 1]],
    "peerSession name": [option("name"), [...notTexts, "x".repeat(25), "a\nb", "武".repeat(20)]],
    "peerSession token": [option("token"), [...notTexts, "x".repeat(201)]],
    "peerSession hashEvery": [option("hashEvery"), [...wholes, 601]],
    "peerSession saveEvery": [option("saveEvery"), [...wholes, zero, 61]],
    "peerSession predict": [option("predict"), notFunctions],
    "peerSession when": [
      option("when"),
      [null, 1, "later", true, { nothing: "shown" }, { hit: "later" }, { hit: null }],
    ],
    "peerSession present": [option("present"), ["newest", null, 1, {}]],
    "peerSession timeout": [option("timeout"), [...notNumbers, nan, negative, zero, 0.1, huge, infinity]],
    "peerSession alone": [option("alone"), ["yes", null, 1, true]],
    "peerSession keepSeat": [option("keepSeat"), [...notNumbers, nan, negative, huge, infinity]],
    "peerSession desync": [option("desync"), ["ignore", null, 1, true]],
    "peerSession build": [option("build"), notTexts],
    "peerSession now": [option("now"), notFunctions],
    "PeerSession.connect": [(value) => session.connect(value), [undefined, null, 1, "x", {}, { send() {} }]],
    "Session.send bytes": [
      (value) => session.send(value),
      [undefined, null, 1, "x", {}, [1], new Uint16Array(1), new Uint8Array(65_536)],
    ],
    "Session.send to": [(value) => session.send(new Uint8Array(1), value), [null, "1", {}, true]],
    "Session.kick": [(value) => session.kick(value), [undefined, null, 0, "1", 12_345, session.net.id]],
    "Session.net.on": [(value) => session.net.on(value, () => {}), ["peers", "", null, 1, "toString"]],
    "Session.net.on listener": [(value) => session.net.on("peer", value), [undefined, ...notFunctions]],
    "simulatedNetwork options": [(value) => simulatedNetwork(value), [null, 1, "hell", { profile: "hell" }]],
    "simulatedNetwork network": [
      (value) => simulatedNetwork({ network: value }),
      [null, 1, "wifi", "toString"],
    ],
    "SimulatedNetwork.links": [
      (value) => network.links(value, value),
      [network.peer(game, { seats: [0], start: players })],
    ],
    "expectNetplay options": [(value) => expectNetplay(game, value), [null, 1, "x", { peer: 2 }]],
    "expectNetplay peers": [play("peers"), [...wholes, zero, 1, 65]],
    "expectNetplay seconds": [play("seconds"), [...notNumbers, nan, negative, zero, huge, infinity]],
    "expectNetplay network": [play("network"), [null, 1, "wifi", { latency: -1 }, { lag: 5 }]],
    "expectNetplay seed": [play("seed"), [null, {}, [], fraction, nan, infinity, true]],
    "expectNetplay window": [play("window"), [...wholes, 121]],
    "expectNetplay delay": [play("delay"), [...wholes, 11]],
    "expectNetplay inputs": [play("inputs"), notFunctions],
    "expectNetplay commands": [play("commands"), notFunctions],
    "conditioned link": [(value) => net.conditioned(value), [undefined, null, 1, "x"]],
    "conditioned options": [(value) => net.conditioned(link, value), [null, 1, "x", { lag: 5 }]],
    "conditioned latency": [condition("latency"), [...notNumbers, nan, negative, huge, infinity]],
    "conditioned jitter": [condition("jitter"), [...notNumbers, nan, negative, huge, infinity]],
    "conditioned loss": [condition("loss"), [...notNumbers, nan, negative, 1.1]],
    "conditioned burst": [condition("burst"), [...notNumbers, nan, negative, zero, 0.5, huge]],
    "conditioned reorder": [condition("reorder"), [...notNumbers, nan, negative, 1.1]],
    "conditioned duplicate": [condition("duplicate"), [...notNumbers, nan, negative, 1.1]],
    "conditioned bytesPerSecond": [condition("bytesPerSecond"), [...notNumbers, nan, negative, zero]],
    "conditioned seed": [condition("seed"), [null, {}, fraction, nan, true]],
    "ConditionedLink.configure": [
      (value) => net.conditioned(link).configure(value),
      [undefined, null, 1, { loss: 2 }, { seed: 1 }],
    ],
    "Link.send": [
      (value) => link.send(value),
      [undefined, null, 1, "x", {}, [1], new Uint16Array(1), new Uint8Array(1201)],
    ],
    "datagramLink transport": [(value) => net.datagramLink(value), [undefined, null, 1, {}, { send() {} }]],
    "datagramLink options": [
      (value) => net.datagramLink({ send() {}, onMessage() {} }, value),
      [null, 1, { timer: scheduler }, { scheduler: 1 }],
    ],
    "virtualScheduler.advance": [
      (value) => scheduler.advance(value),
      [undefined, ...notNumbers, nan, negative, infinity],
    ],
    readReport: [(value) => net.readReport(value), [undefined, null, 1, "x", {}, new Uint8Array(9)]],
  };
}
