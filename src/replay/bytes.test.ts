import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import { inputRuns, readReplay, readReplayInfo, record, replayPlayer, verify } from "./index.js";

const session = duelSession();
const recorder = record(session);
session.skip(120);
const file = recorder.bytes();

/** The file in the middle of a larger buffer. */
function within(): ArrayBuffer {
  const buffer = new ArrayBuffer(file.length + 32);
  new Uint8Array(buffer).set(file, 16);
  return buffer;
}

function shared(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(file.length);
  new Uint8Array(buffer).set(file);
  return buffer;
}

/** A buffer of another realm, as test runners have them. */
function foreign(): ArrayBuffer {
  const buffer = runInNewContext(`new ArrayBuffer(${file.length})`) as ArrayBuffer;
  new Uint8Array(buffer).set(file);
  return buffer;
}

/** Padded to a multiple of 8 bytes; the padding reads as a truncated chunk. */
const padded = new Uint8Array(8 * Math.ceil(file.length / 8));
padded.set(file);

describe("readReplay accepts", () => {
  test.each<[string, ArrayBuffer | SharedArrayBuffer | ArrayBufferView]>([
    ["a Uint8Array", file],
    ["a part of a buffer", new Uint8Array(within(), 16, file.length)],
    ["a Node Buffer", Buffer.from(file)],
    ["an ArrayBuffer", file.slice().buffer],
    ["a SharedArrayBuffer", shared()],
    ["a view of shared memory", new Uint8Array(shared())],
    ["a DataView", new DataView(within(), 16, file.length)],
    ["a Uint8ClampedArray", new Uint8ClampedArray(file)],
    ["a Float64Array", new Float64Array(padded.buffer)],
    ["an ArrayBuffer of another realm", foreign()],
  ])("%s", (_, value) => {
    expect(readReplay(value).last).toBe(120);
    expect(readReplayInfo(value).name).toBe("duel");
  });

  test("a Blob and a File, as a promise", async () => {
    for (const blob of [new Blob([file]), new Blob([file.subarray(0, 99), file.subarray(99)])]) {
      const replay = await readReplay(blob);
      expect(replay).toMatchObject({ last: 120, ending: "done" });
      expect(verify(duel(), replay).ok).toBe(true);
      expect((await readReplayInfo(blob)).name).toBe("duel");
    }
    await expect(readReplay(new Blob(["TWRP"]))).rejects.toThrow(
      "readReplay: not a replay: only 4 bytes long. Use the file exactly as it was recorded.",
    );
    await expect(readReplayInfo(new Blob([new Uint8Array(99)]))).rejects.toThrow(
      'readReplayInfo: not a replay: it begins with the bytes 00 00 00 00, not with "TWRP".',
    );
  });

  test("the result of save(), in a Blob", async () => {
    const blob = new Blob([await recorder.save()]);
    expect((await readReplay(blob)).last).toBe(120);
  });

  test("a long Blob, of which readReplayInfo reads only the first bytes", async () => {
    const asked: number[] = [];
    const blob = new Blob([file, new Uint8Array(2 ** 20)]);
    const slice = blob.slice.bind(blob);
    blob.slice = (from, to) => {
      asked.push(to!);
      return slice(from, to);
    };
    expect((await readReplayInfo(blob)).name).toBe("duel");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeLessThan(100_000);
  });
});

test("a replay does not depend on the buffer that it was read from", () => {
  const buffer = file.slice().buffer;
  const replay = readReplay(buffer);
  new Uint8Array(buffer).fill(255);
  expect(verify(duel(), replay).ok).toBe(true);
});

describe("the error names the value that was passed instead of a file", () => {
  const RULE = "must be a Uint8Array, an ArrayBuffer or a Blob, got";
  test.each<[unknown, string]>([
    [Promise.resolve(file), "a Promise, did you forget `await`?"],
    ["one.twr", '"one.twr". Try the bytes of that file, such as await readFile(path).'],
    [new Response("x"), "a Response. Try await response.arrayBuffer()."],
    [new Blob(["x"]).stream(), "a ReadableStream. Try await new Response(stream).arrayBuffer()."],
    [[Uint8Array.of(1), Uint8Array.of(2)], '[{"0":1},{"0":2}]. Try new Blob(pieces).'],
    [{}, "{}. Try recorder.bytes()."],
    [undefined, "undefined. Try recorder.bytes()."],
    [null, "null. Try recorder.bytes()."],
    [7, "7. Try recorder.bytes()."],
    [() => file, "a function. Try recorder.bytes()."],
    [Object.create(null), "{}. Try recorder.bytes()."],
    [new Map(), "a Map. Try recorder.bytes()."],
    [readReplay(file), "a Replay. Try recorder.bytes()."],
  ])("%s", (value, said) => {
    expect(() => readReplay(value as never)).toThrow(`readReplay: bytes ${RULE} ${said}`);
    expect(() => readReplayInfo(value as never)).toThrow(`readReplayInfo: bytes ${RULE} ${said}`);
  });

  test("a transferred buffer is empty", () => {
    const buffer = file.slice().buffer;
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => readReplay(buffer)).toThrow("readReplay: the file is empty.");
  });

  test("bytes, a Blob and a promise are not accepted as a replay", () => {
    const calls: Record<string, (value: never) => unknown> = {
      verify: (value) => verify(duel(), value),
      replayPlayer: (value) => replayPlayer(duel(), value),
      inputRuns: (value) => [...inputRuns(value)],
    };
    for (const [name, call] of Object.entries(calls)) {
      const got = (value: unknown) => () => call(value as never);
      expect(got(file)).toThrow(`${name}: replay must be a replay, got a Uint8Array. Try readReplay(bytes).`);
      expect(got(new Blob([file]))).toThrow("got a Blob. Try await readReplay(blob).");
      expect(got(readReplay(new Blob([file])))).toThrow("got a Promise, did you forget `await`?");
      expect(got(new Int32Array(1))).toThrow("got an Int32Array. Try");
    }
  });
});
