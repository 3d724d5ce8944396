import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import {
  bodyOf,
  chunksOf,
  fullFile,
  typeOf,
  withBody,
  withChunks,
  wrongWith,
} from "../../test/replay/files.js";
import { chunkOf } from "./chunk.js";
import { crc32 } from "./crc32.js";
import { localSession } from "../sim/index.js";
import { readReplay, readReplayInfo, record, replayPlayer, verify } from "./index.js";
import { InputWriter } from "./input-writer.js";
import { varints } from "./varint.js";

/** The error that a call throws. */
function errorOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

const file = await fullFile();
const whole = readReplay(file);

/** Where each chunk ends. */
const ends = chunksOf(file).reduce((all, { length }) => [...all, all.at(-1)! + length], [8]);

test("the checksum is that of zip and png", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
});

test("the file of these tests has chunks of every type", () => {
  expect(new Set(chunksOf(file).map(typeOf))).toEqual(
    new Set(["HEAD", "STRT", "INPT", "CHEK", "KEYF", "BACK", "DONE"]),
  );
  expect(whole).toMatchObject({ first: 5, last: 110, ending: "done", message: "" });
  expect(verify(duel(), whole).message).toBe("");
});

test("the example of docs/replay-format.md", () => {
  const writer = new InputWriter(2);
  writer.begin(60);
  for (let tick = 60; tick < 660; tick++) writer.add(Uint32Array.of(0, tick >= 100 && tick < 103 ? 1 : 0));
  expect(Buffer.concat(writer.body()).toString("hex")).toBe("3cd804" + "950301" + "2301");
});

describe("a truncated file", () => {
  test("is read up to its last intact chunk, whatever its length", () => {
    for (let length = 0; length < ends[1]!; length++)
      expect(errorOf(() => readReplay(file.subarray(0, length)))).toMatchObject({
        code: "corrupt-data",
        call: "readReplay",
      });
    for (let length = ends[1]!; length < file.length; length++) {
      const replay = readReplay(file.subarray(0, length));
      expect(replay.ending).toBe(ends.includes(length) ? "open" : "truncated");
      const last = ends.filter((end) => end <= length).at(-1);
      expect(replay.message).toContain(
        replay.ending === "truncated"
          ? `byte ${last}: the file ends in `
          : "the recording was never finished; ",
      );
      expect(replay.message).toContain(`it is intact up to tick ${replay.last}`);
      expect(replay.last).toBe(readReplay(file.subarray(0, last)).last);
    }
  });

  test("can be verified after each chunk", () => {
    for (const end of ends.slice(1)) expect(wrongWith(duel(), readReplay(file.subarray(0, end)))).toBe("");
  });

  test("is verified as far as it goes, with a note of what is missing", () => {
    const seen = { ok: 0, nothing: 0 };
    for (let length = ends[1]!; length < file.length; length += 7) {
      const replay = readReplay(file.subarray(0, length));
      const result = verify(duel(), replay);
      const hasAny = replay.checkpoints.count > 0;
      expect(result).toMatchObject(
        hasAny ? { ok: true, note: replay.message } : { ok: false, reason: "no-checkpoints" },
      );
      seen[result.ok ? "ok" : "nothing"]++;
    }
    expect(Math.min(seen.ok, seen.nothing)).toBeGreaterThan(3);
    expect(verify(duel(), whole)).toMatchObject({ ok: true, note: undefined });
  });

  test("is distinguished from a file in which the length of a chunk is wrong", () => {
    // Any chunk but the last, with a length that reaches beyond the end of the file.
    for (const at of ends.slice(1, -2)) {
      const bytes = file.slice();
      bytes[at + 6] = 1;
      const replay = readReplay(bytes);
      expect(replay).toMatchObject({ ending: "damaged" });
      expect(replay.message).toContain(`byte ${at}: a chunk has a wrong length`);
      expect(verify(duel(), replay)).toMatchObject({ ok: false, reason: "damaged" });
    }
  });

  test("many chunk headers in the last chunk do not take quadratic time", () => {
    const head = Uint8Array.from(
      [..."INPT"].map((letter) => letter.charCodeAt(0)).concat(0, 0, 16, 0, 9, 9, 9, 9),
    );
    const body = new Uint8Array(2 ** 21);
    for (let at = 0; at + 12 <= body.length; at += 12) body.set(head, at);
    const bytes = withChunks(file, [...chunksOf(file).slice(0, 2), chunkOf("INPT", body).subarray(0, -1)]);
    expect(readReplay(bytes).ending).toBe("truncated");
  });

  test("has readable metadata as long as its first chunk is intact", () => {
    expect(readReplayInfo(file.subarray(0, ends[1])).name).toBe("duel");
    expect(() => readReplayInfo(file.subarray(0, ends[1]! - 1))).toThrow(
      "readReplayInfo: byte 8: the file ends in a chunk, after ",
    );
  });
});

test("changing the bytes after readReplay does not change the replay", () => {
  const bytes = Buffer.from(file);
  const replay = readReplay(bytes);
  bytes.fill(255);
  expect(verify(duel(), replay).message).toBe("");
});

describe("an altered file", () => {
  test("any changed byte throws, or ends the replay there", () => {
    const changed = (at: number) => {
      const bytes = file.slice();
      bytes[at]! ^= 0x55;
      return bytes;
    };
    for (let at = 0; at < ends[1]!; at++)
      expect(errorOf(() => readReplay(changed(at)))).toMatchObject({
        code: expect.stringMatching(/^(corrupt-data|unsupported)$/),
      });
    for (let at = ends[1]!; at < file.length; at++) {
      const replay = readReplay(changed(at));
      const before = ends.filter((end) => end <= at).at(-1)!;
      expect(["truncated", "damaged"]).toContain(replay.ending);
      expect(replay.message).toContain(`byte ${before}: `);
      expect(replay.last).toBe(readReplay(file.subarray(0, before)).last);
    }
  });

  test("chunks of unknown types are skipped", () => {
    const chunks = chunksOf(file).flatMap((chunk) => [
      chunk,
      chunkOf("xtra", Uint8Array.of(1, 2, 3)),
      chunkOf("More"),
    ]);
    const replay = readReplay(withChunks(file, chunks));
    expect(replay).toMatchObject({ first: 5, last: 110, ending: "done" });
    expect(verify(duel(), replay).message).toBe("");
  });

  test("another magic, a newer version and another first chunk throw", () => {
    const changed = (at: number, value: number) => {
      const bytes = file.slice();
      bytes[at] = value;
      return bytes;
    };
    expect(errorOf(() => readReplay(changed(0, 0x50)))).toMatchObject({
      code: "corrupt-data",
      problem: 'not a replay: it begins with "PWRP", not with "TWRP"',
    });
    expect(errorOf(() => readReplay(localSession(duel()).bytes()))).toMatchObject({
      code: "corrupt-data",
      message: "readReplay: this is a saved state, not a replay. Use session.load(bytes).",
    });
    expect(errorOf(() => localSession(duel()).load(file))).toMatchObject({
      code: "corrupt-data",
      message: "Session.load: this is a replay, not a saved state. Use readReplay(bytes).",
    });
    expect(errorOf(() => readReplay(changed(4, 2)))).toMatchObject({
      code: "unsupported",
      message:
        "readReplay: the file has format version 2, but this version of Tickwise reads only up to 1. Update tickwise.",
    });
    expect(errorOf(() => readReplay(changed(4, 0)))).toMatchObject({
      code: "corrupt-data",
      problem: "byte 4: invalid format version 0",
    });
    expect(() => readReplay(withChunks(file, chunksOf(file).slice(1)))).toThrow(
      'readReplay: byte 8: the first chunk must be HEAD, got "STRT".',
    );
    expect(() => readReplay(withBody(file, 0, new Uint8Array(70_000)))).toThrow(
      "readReplay: byte 8: HEAD chunk longer than 65536 bytes.",
    );
  });

  test.each<[string, (head: Record<string, unknown>) => unknown]>([
    ["nothing in it", () => undefined],
    ["an array", () => [1]],
    ["no name", (head) => ({ ...head, name: "" })],
    ["a fractional version", (head) => ({ ...head, version: 0.5 })],
    ["a million players", (head) => ({ ...head, players: 1e6 })],
    ["no player", (head) => ({ ...head, players: 0 })],
    ["a rate of 0", (head) => ({ ...head, rate: [0, 1] })],
    ["an invalid fingerprint", (head) => ({ ...head, fingerprint: "x" })],
    ["an invalid seed", (head) => ({ ...head, seed: {} })],
    ["no profile", (head) => ({ ...head, profile: "1" })],
    ["invalid inputs", (head) => ({ ...head, inputs: 7 })],
    ["an input of unknown kind", (head) => ({ ...head, inputs: [["a", "wheel"]] })],
    ["an axis with too many bits", (head) => ({ ...head, inputs: [["a", "axis", 1e9]] })],
    [
      "an input twice",
      (head) => ({
        ...head,
        inputs: [
          ["a", "button"],
          ["a", "button"],
        ],
      }),
    ],
    ["an input with a forbidden name", (head) => ({ ...head, inputs: [["__proto__", "button"]] })],
    ["a negative interval of keyframes", (head) => ({ ...head, keyframes: -1 })],
    ["no meta", (head) => ({ ...head, meta: null })],
  ])("metadata with %s throws", (_, change) => {
    const head: Record<string, unknown> = JSON.parse(new TextDecoder().decode(bodyOf(chunksOf(file)[0]!)));
    const json = JSON.stringify(change(head)) ?? "";
    expect(errorOf(() => readReplay(withBody(file, 0, new TextEncoder().encode(json))))).toMatchObject({
      code: "corrupt-data",
      problem: expect.stringMatching(/^byte 20: invalid metadata: ./),
    });
  });
});

describe("forged lengths and counts", () => {
  const session = duelSession();
  const recorder = record(session, { checkpoints: 10 / 60, keyframes: 0.5 });
  session.skip(60);
  const small = recorder.bytes();
  const types = chunksOf(small).map(typeOf);
  const at = (type: string) => types.indexOf(type);
  const offsetOf = (index: number) =>
    chunksOf(small)
      .slice(0, index)
      .reduce((sum, { length }) => sum + length, 8);
  const forged = (type: string, body: Uint8Array | number[]) =>
    readReplay(withBody(small, at(type), Uint8Array.from(body)));

  test.each<[string, string, number[]]>([
    ["INPT", "no ticks", [...varints(0, 0)]],
    ["INPT", "a year of ticks", [...varints(0, 2e9)]],
    ["INPT", "a gap before its ticks", [...varints(7, 30)]],
    ["INPT", "a truncated number", [0x80]],
    ["INPT", "a number that is too long", [0, ...Array.from({ length: 12 }, () => 0xff)]],
    ["INPT", "a change after its end", [...varints(0, 30, (31 * 4 + 0) * 5), 1]],
    ["INPT", "a change without its byte", [...varints(0, 30, 0)]],
    ["INPT", "a change of no bits", [...varints(0, 30, 0), 0]],
    ["INPT", "a mask of five bytes", [...varints(0, 30, 4), 31, 1, 1, 1, 1]],
    ["INPT", "an empty mask", [...varints(0, 30, 4), 0]],
    ["CHEK", "an interval of 0", [...varints(10, 0), 8]],
    ["CHEK", "hashes of another size", [...varints(10, 10), 3]],
    ["CHEK", "half a hash", [...varints(10, 10), 8, 1, 2, 3]],
    ["INPT", "ticks beyond 2^53", [...varints(2 ** 53 - 1, 4096)]],
    ["CHEK", "states beyond the inputs", [...varints(10, 2 ** 52), 4, 1, 2, 3, 4, 5, 6, 7, 8]],
    ["KEYF", "an unknown coding", [...varints(30), 9, 1, 0]],
    ["KEYF", "a state beyond the inputs", [...varints(9999), 0, 1, 0]],
    ["KEYF", "fewer bytes than its size", [...varints(30), 0, 200, 0]],
    ["KEYF", "an impossible ratio of compression", [...varints(30), 1, ...varints(2 ** 45), 0, 0]],
    ["DONE", "another last tick", [...varints(59)]],
  ])("%s with %s ends the replay there", (type, _, body) => {
    const replay = forged(type, body);
    expect(replay.ending).toBe("damaged");
    const offset = Number(/^byte (\d+): /.exec(replay.message)?.[1]);
    expect(offset).toBeGreaterThanOrEqual(offsetOf(at(type)));
    expect(offset).toBeLessThanOrEqual(offsetOf(at(type)) + 12 + body.length);
    const result = verify(duel(), replay);
    expect(result).toMatchObject({ ok: false, reason: "damaged", tick: undefined, differences: [] });
    expect(result.message).toBe(`verify: the file is damaged: ${replay.message}.`);
    expect(verify(duel(), replay, { against: duel() })).toEqual(result);
  });

  test("BACK to a tick that was not recorded ends the replay", () => {
    const chunks = chunksOf(small);
    const replay = readReplay(withChunks(small, [...chunks.slice(0, -1), chunkOf("BACK", varints(61))]));
    expect(replay.message).toContain("BACK chunk to tick 61, which was not recorded");
  });

  test("a keyframe that is not a state, or one of another tick, is reported, and the inputs are simulated instead", () => {
    const states = readReplay(small).keyframes.map((frame) => readReplay(small).stateOf(frame));
    const bodies = [
      [...varints(30), 0, ...varints(3), 1, 2, 3],
      [...varints(30), 0, ...varints(states[1]!.length), ...states[1]!],
      [...varints(30), 1, ...varints(states[0]!.length), ...deflateRawSync(states[0]!).subarray(3)],
    ];
    for (const body of bodies) {
      const replay = forged("KEYF", body);
      expect(replay.ending).toBe("done");
      const reported: object[] = [];
      const player = replayPlayer(duel(), replay, { diverged: (divergence) => reported.push(divergence) });
      player.seek(45);
      const straight = duelSession();
      straight.skip(45);
      expect(player.hash()).toEqual(straight.hash());
      expect(reported).toEqual([{ tick: 30, keyframe: true }]);
      expect(verify(duel(), replay)).toMatchObject({ ok: false, reason: "keyframe", tick: 30 });
      player.dispose();
    }
  });

  test("an invalid first state throws", () => {
    const start = chunkOf("STRT", varints(7), Uint8Array.of(0, 3, 1, 2, 3));
    const replay = readReplay(withChunks(small, [chunksOf(small)[0]!, start]));
    expect([replay.first, replay.last]).toEqual([7, 7]);
    const problem = /byte \d+: a state of 3 bytes, expected \d+/;
    expect(() => verify(duel(), replay)).toThrow(problem);
    expect(() => replayPlayer(duel(), replay)).toThrow(problem);
  });

  test("keyframes that would inflate to a gigabyte take no more memory than the file", () => {
    const bomb = deflateRawSync(new Uint8Array(2 ** 20));
    const chunks = chunksOf(small);
    const frames = Array.from({ length: 1000 }, (_, i) =>
      chunkOf("KEYF", varints(i + 1), Uint8Array.of(1), varints(2 ** 20), bomb),
    );
    const inputs = chunkOf("INPT", varints(0, 1000));
    const bytes = withChunks(small, [chunks[0]!, inputs, ...frames]);
    const before = process.memoryUsage().arrayBuffers;
    const replay = readReplay(bytes);
    expect(replay.keyframes.length).toBe(1000);
    const player = replayPlayer(duel(), replay, { rewind: false });
    player.seek(900);
    expect(player.tick).toBe(900);
    // None of them was unpacked, as a state of this simulation has another size.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * bytes.length + 2 ** 20);
  });

  test("inputs beyond tick 2^53 end the replay", () => {
    const far = 2 ** 53 - 1;
    const start = chunkOf("STRT", varints(far), Uint8Array.of(0, 1, 0));
    const inputs = chunkOf("INPT", varints(far, 4096));
    const replay = readReplay(withChunks(small, [chunksOf(small)[0]!, start, inputs]));
    expect([replay.last, replay.ending]).toEqual([far, "damaged"]);
  });

  test("checkpoints of states before the first one end the replay", () => {
    const late = duelSession();
    late.skip(50);
    const chunks = chunksOf(record(late).bytes());
    const checkpoint = chunkOf("CHEK", varints(20, 1), new Uint8Array(9).fill(8, 0, 1));
    const replay = readReplay(withChunks(small, [...chunks.slice(0, 2), checkpoint]));
    expect(replay.message).toContain("CHEK chunk with states out of order");
  });

  test("inputs other than those of the simulation throw, whatever the fingerprint", () => {
    const head: { inputs: unknown[] } = JSON.parse(new TextDecoder().decode(bodyOf(chunksOf(small)[0]!)));
    const more = Array.from({ length: 4 }, (_, i) => [`more${i}`, "axis", 16]);
    for (const inputs of [[...head.inputs, ...more], head.inputs.slice(1), []]) {
      const body = new TextEncoder().encode(JSON.stringify({ ...head, inputs }));
      const replay = readReplay(withBody(small, 0, body));
      expect(errorOf(() => replayPlayer(duel(), replay))).toMatchObject({
        code: "wrong-simulation",
        problem: expect.stringMatching(
          /^the recording and the simulation differ in inputs: .* ≠ left,button/,
        ),
      });
      expect(() => verify(duel(), replay)).toThrow(
        "verify: the recording and the simulation differ in inputs",
      );
    }
  });

  test("only one of many invalid keyframes is tried", () => {
    const frames = Array.from({ length: 4000 }, (_, i) =>
      chunkOf("KEYF", varints(i + 1), Uint8Array.of(0, 0)),
    );
    const inputs = chunkOf("INPT", varints(0, 4096));
    const replay = readReplay(withChunks(small, [chunksOf(small)[0]!, inputs, ...frames]));
    const tried = vi.spyOn(replay, "stateOf");
    const player = replayPlayer(duel(), replay);
    for (const tick of [4000, 3999, 10]) player.seek(tick);
    const straight = localSession(duel(), { seed: 1 });
    straight.skip(10);
    expect(player.hash()).toEqual(straight.hash());
    expect(tried).toHaveBeenCalledTimes(1);
  });

  test("a state larger than recorders deflate is rejected", () => {
    const body = (size: number) => [...varints(30), 1, ...varints(size), ...new Uint8Array(2 ** 19)];
    expect(forged("KEYF", body(2 ** 28)).ending).toBe("done");
    expect(forged("KEYF", body(2 ** 28 + 1)).message).toMatch(
      /^byte \d+: KEYF chunk with \d+ bytes for a state of 268435457;/,
    );
  });
});

test("an impossible length of the last chunk is damage, not truncation", () => {
  const session = duelSession();
  const recorder = record(session);
  session.skip(100);
  const bytes = recorder.bytes();
  const done = bytes.length - chunksOf(bytes).at(-1)!.length;
  for (let bit = 4; bit < 32; bit++) {
    const flipped = bytes.slice();
    flipped[done + 4 + (bit >> 3)]! ^= 1 << (bit & 7);
    expect(readReplay(flipped).ending).toBe("damaged");
  }
});

describe("memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;

  /** Bytes in use after a garbage collection. */
  function held(): number {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  }

  /** The memory of a replay, as a multiple of its file: the smallest of a few readings, as other code uses memory too. */
  function ratioOf(bytes: Uint8Array, check: (replay: ReturnType<typeof readReplay>) => void): number {
    const ratios = Array.from({ length: 3 }, () => {
      const before = held();
      const replay = readReplay(bytes);
      const ratio = (held() - before) / bytes.length;
      expect(replay.ending).not.toBe("damaged");
      check(replay);
      return ratio;
    });
    return Math.min(...ratios);
  }

  const [head] = chunksOf(file);
  const inputs = (ticks: number) =>
    Array.from({ length: Math.ceil(ticks / 4096) }, (_, i) => chunkOf("INPT", varints(4096 * i, 4096)));
  const fileOf = (...chunks: Uint8Array[]) => withChunks(file, [head!, ...chunks]);

  test("of checkpoints is little more than the file", () => {
    const count = 2_000_000;
    const hashes = new Uint8Array(8 * count).map((_, i) => i * 31);
    const bytes = fileOf(...inputs(count), chunkOf("CHEK", varints(1, 1), Uint8Array.of(8), hashes));
    const ratio = ratioOf(bytes, ({ checkpoints }) => {
      expect([checkpoints.count, checkpoints.tickOf(count - 1)]).toEqual([count, count]);
      expect(checkpoints.wordsOf(1)).toEqual(
        [
          0xf8 | (0x17 << 8) | (0x36 << 16) | (0x55 << 24),
          0x74 | (0x93 << 8) | (0xb2 << 16) | (0xd1 << 24),
        ].map((word) => word >>> 0),
      );
    });
    expect(ratio).toBeLessThan(1.2);
  });

  test.each<[string, number, (count: number) => Uint8Array]>([
    [
      "checkpoints, each in its own chunk,",
      60_000,
      (count) =>
        fileOf(
          ...inputs(count),
          ...Array.from({ length: count }, (_, i) =>
            chunkOf("CHEK", varints(i + 1, 1), Uint8Array.of(4, 1, 2, 3, 4)),
          ),
        ),
    ],
    [
      "ticks, each in its own chunk,",
      60_000,
      (count) => fileOf(...Array.from({ length: count }, (_, i) => chunkOf("INPT", varints(i, 1)))),
    ],
    [
      "invalid keyframes",
      60_000,
      (count) =>
        fileOf(
          ...inputs(count),
          ...Array.from({ length: count }, (_, i) => chunkOf("KEYF", varints(i + 1), Uint8Array.of(0, 0))),
        ),
    ],
  ])("of %s is bounded by a small multiple of the file", (_, count, make) => {
    const ratio = ratioOf(make(count), ({ last }) => expect(last).toBeGreaterThanOrEqual(count));
    expect(ratio).toBeLessThan(4);
  });
});
