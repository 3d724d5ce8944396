import { describe, expect, test } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import { isTickwiseError } from "../errors/index.js";
import { random } from "../math/index.js";
import { readReplay, record } from "../replay/index.js";
import { chunkOf } from "../replay/chunk.js";
import { readReport, writeReport, type DesyncReport } from "./desync-report.js";

/** A report of two games that differ from step 70 on. */
function reportOf(): DesyncReport {
  const session = duelSession(1);
  const recorder = record(session);
  session.skip(70);
  const common = session.bytes();
  session.skip(1);
  const state = session.bytes();
  const other = duelSession(1, duel({ change: (world, tick) => tick === 70 && (world.heat += 1) }));
  other.skip(71);
  const { name, version, fingerprint } = session.simulation;
  return {
    simulation: { name, version, fingerprint },
    tick: 71,
    after: 70,
    fields: [
      { path: "heat", a: 1.5, b: NaN },
      { path: "mode", a: "NaN", b: "walk" },
      { path: "on", a: true, b: false },
      { path: "at[1].x", a: -0, b: -Infinity },
    ],
    more: true,
    external: ["physics"],
    seats: [1],
    a: { engine: "Node 20", build: "1.2.3", state, replay: recorder.bytes() },
    b: { engine: "Firefox 151 ☕", build: "1.2.4", state: other.bytes(), replay: undefined },
    common,
  };
}

const report = reportOf();
const file = writeReport(report);

test("a report is read as it was written, also from a Buffer or an ArrayBuffer", () => {
  expect(readReport(file)).toEqual(report);
  expect(readReport(Buffer.from(file))).toEqual(report);
  expect(readReport(file.buffer)).toEqual(report);
  const session = duelSession(1);
  session.load(readReport(file).b.state!);
  expect(session.tick).toBe(71);
  expect(readReplay(readReport(file).a.replay!).last).toBe(71);
});

test("a report may lack states and replays, and the simulation itself may be passed", () => {
  const bare = {
    ...report,
    simulation: duel(),
    after: undefined,
    common: undefined,
    a: { engine: "", build: "" },
    b: { engine: "x".repeat(5000), build: "" },
  };
  const read = readReport(writeReport(bare));
  expect(read.simulation).toEqual(report.simulation);
  expect([read.after, read.common, read.a.state, read.b.replay]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(read.b.engine).toHaveLength(1000);
});

test("chunks of unknown types are skipped", () => {
  const more = new Uint8Array([
    ...file.subarray(0, 8),
    ...chunkOf("MORE", Uint8Array.of(1)),
    ...file.subarray(8),
  ]);
  expect(readReport(more)).toEqual(report);
});

describe("files that cannot be read", () => {
  const withInfo = (json: string) =>
    new Uint8Array([
      ...file.subarray(0, 8),
      ...chunkOf("INFO", new TextEncoder().encode(json)),
      ...chunkOf("DONE"),
    ]);
  const changed = (at: number, byte: number) => {
    const bytes = file.slice();
    bytes[at] = byte;
    return bytes;
  };

  test.each([
    ["empty", new Uint8Array(), "not a desync report: only 0 bytes long"],
    ["a replay", report.a.replay!, 'not a desync report: it begins with "TWRP", not with "TWDR"'],
    ["version 0", changed(4, 0), "byte 4: invalid format version 0"],
    ["truncated", file.subarray(0, 1000), "byte \\d+: the file ends in a chunk, after \\d+ of \\d+ bytes"],
    ["without an end", file.subarray(0, -12), "byte \\d+: the file ends in the header of a chunk"],
    ["damaged", changed(40, 0), "byte 8: a chunk has a wrong checksum"],
    ["without info", new Uint8Array([...file.subarray(0, 8), ...chunkOf("DONE")]), "it has no INFO chunk"],
    [
      "another side",
      new Uint8Array([...file.subarray(0, 8), ...chunkOf("STAT", Uint8Array.of(3))]),
      "STAT chunk of an unknown side",
    ],
    [
      "no side",
      new Uint8Array([...file.subarray(0, 8), ...chunkOf("REPL")]),
      "REPL chunk of an unknown side",
    ],
    ["no JSON", withInfo("{"), "byte 20: invalid INFO"],
    ["another value", withInfo("[]"), "byte 20: invalid INFO"],
  ])("%s", (_, bytes, problem) => {
    expect(() => readReport(bytes)).toThrow(
      new RegExp(`^readReport: .*${problem}. Use the file exactly as it was written.$`),
    );
  });

  test("a newer format, and a value that is no file", () => {
    expect(() => readReport(changed(4, 2))).toThrow(
      "readReport: the file has format version 2, but this version of Tickwise reads only up to 1. Update tickwise.",
    );
    expect(() => readReport("report.twd" as never)).toThrow(
      'readReport: file must be the bytes of a report, got "report.twd". Try await readFile(path).',
    );
  });

  test.each([
    ["simulation", 1],
    ["simulation", { name: "x", version: -1, fingerprint: "" }],
    ["simulation", { name: "x", version: 1 }],
    ["tick", -1],
    ["tick", "1"],
    ["after", 71],
    ["after", 1.5],
    ["fields", {}],
    ["fields", [["heat", 1]]],
    ["fields", [["heat", 1, null]]],
    ["fields", [["heat", 1, ["nan"]]]],
    ["fields", [["heat", 1, [{ toString: 1, valueOf: 1 }]]]],
    ["more", 1],
    ["external", [1]],
    ["seats", [-1]],
    ["a", { engine: 1, build: "" }],
    ["b", null],
  ])("INFO with an invalid %s: %j", (name, value) => {
    const { simulation, tick, after, more, external, seats } = report;
    const side = { engine: "", build: "" };
    const info = { simulation, tick, after, more, external, seats, fields: [], a: side, b: side };
    expect(readReport(withInfo(JSON.stringify(info))).tick).toBe(71);
    expect(() => readReport(withInfo(JSON.stringify({ ...info, [name]: value })))).toThrow(
      "byte 20: invalid INFO",
    );
  });

  test("mutated files throw only errors about damaged data", () => {
    const dice = random(new Uint32Array(4)).seed("report");
    for (let i = 0; i < 3000; i++) {
      const bytes = file.slice(0, dice.chance(0.1) ? dice.below(file.length) : file.length);
      for (let times = 1 + dice.below(3); times > 0 && bytes.length > 0; times--)
        bytes[dice.below(Math.min(bytes.length, 2000))] = dice.below(256);
      const outcome = (() => {
        try {
          readReport(bytes);
          return "read";
        } catch (error) {
          return isTickwiseError(error) ? error.code : String(error);
        }
      })();
      expect(["read", "corrupt-data", "unsupported"]).toContain(outcome);
    }
  });
});
