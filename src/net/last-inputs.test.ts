import { describe, expect, test } from "vitest";
import { button, bytes, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { LastInputs } from "./last-inputs.js";
import { loopbackPair } from "./loopback.js";
import { ASK_LAST_INPUTS, jsonMessage, LAST_INPUTS, LONG_LAST_INPUTS } from "./messages.js";
import { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { SeatLog } from "./seat-log.js";
import { Stream } from "./stream.js";
import type { Transfers } from "./transfer.js";

const game = simulation({
  name: "gone",
  version: 1,
  rate: 60,
  players: 3,
  state: layout({ n: u32 }),
  input: { go: button },
  commands: { map: { tiles: bytes(5000) } },
  step() {},
});
const GONE = { id: 9, name: "Ada", seats: [1], isVoter: true, from: 10 };
const CUT = 40;

const goes = (tick: number): number => (tick % 3 === 0 ? 1 : 0);
const map = (size: number) => ({
  player: 1,
  bytes: game.commands.encode("map", { tiles: new Uint8Array(size) }),
});

/** A peer that knows the inputs of the member up to a tick, and what it sends to the other one. */
function peerThatKnows(end: number, commandSize = 10) {
  const log = new SeatLog(game);
  const stream = new Stream(game.packing, GONE);
  for (let tick = GONE.from; tick < end; tick++) log.writeSeat(tick, 1, Uint32Array.of(goes(tick)), 0);
  if (end > 30) log.setCommands(30, [1], [map(commandSize)]);
  stream.end = end;
  const sent: Uint8Array[] = [];
  const other = new Peer(loopbackPair()[0], 1000 / 60);
  other.id = 5;
  other.send = (message) => void sent.push(message);
  other.transfers = {
    start: (kind: number, message: Uint8Array) => void sent.push(Uint8Array.of(kind, ...message)),
  } as unknown as Transfers;
  const wrong: number[] = [];
  const faults: string[] = [];
  const members = { isLost: false, streamOf: () => stream };
  const core = {
    simulation: game,
    rollback: { log, invalidate: (tick: number) => void wrong.push(tick) },
    peers: { all: [other], fault: (_: Peer, reason: string) => void faults.push(reason) },
    members,
  } as unknown as PeerCore;
  const inputs = new LastInputs(core);
  inputs.add(stream, CUT, 0);
  return { inputs, stream, log, other, sent, wrong, faults, members };
}

describe("a member that lacks the last inputs of a dropped one", () => {
  test.each([
    ["a short answer", 10, LAST_INPUTS],
    ["a long one", 4000, LONG_LAST_INPUTS],
  ])("gets them from one that knows them: %s", (_, size, type) => {
    const [one, other] = [peerThatKnows(CUT, size), peerThatKnows(25)];
    expect([one.inputs.known, other.inputs.known]).toEqual([Infinity, 25]);
    one.inputs.poll(0);
    other.inputs.poll(0);
    other.inputs.poll(59);
    expect([one.sent.length, other.sent.length]).toEqual([0, 1]);
    expect(other.sent[0]).toEqual(jsonMessage(ASK_LAST_INPUTS, [9, 10, 25]));
    one.inputs.onAsk(one.other, other.sent[0]!.subarray(1), 0);
    // A long answer is on its way, and not sent again.
    one.inputs.onAsk(one.other, other.sent[0]!.subarray(1), 60);
    expect(one.sent.map(([first]) => first)).toEqual(type === LAST_INPUTS ? [type, type] : [type]);
    for (const answer of one.sent) other.inputs.onAnswer(other.other, answer.subarray(1));
    expect([other.stream.end, other.inputs.known, other.inputs.areMissing]).toEqual([CUT, Infinity, false]);
    const words = new Uint32Array(1);
    for (let tick = GONE.from; tick < CUT; tick++) {
      other.log.readSeat(tick, 1, words, 0);
      expect(words[0]).toBe(goes(tick));
    }
    expect(other.log.commands(30)).toEqual([map(size)]);
    expect(other.wrong).toContain(30);
    expect(other.faults).toEqual([]);
  });

  test("needs a snapshot if nobody answers for two seconds", () => {
    const { inputs, members } = peerThatKnows(25);
    inputs.poll(2000);
    expect(members.isLost).toBe(false);
    inputs.poll(2060);
    expect(members.isLost).toBe(true);
    // Which it then has.
    inputs.clear();
    expect(inputs.areMissing).toBe(false);
  });
});

test("nobody answers who does not know all, or about somebody else, or for ticks that are not kept", () => {
  const ask = (peer: ReturnType<typeof peerThatKnows>, request: unknown) => {
    peer.inputs.onAsk(peer.other, jsonMessage(0, request).subarray(1), 0);
    return peer.sent.length + peer.faults.length;
  };
  expect(ask(peerThatKnows(39), [9, 10, 25])).toBe(0);
  for (const request of [
    [8, 10, 25],
    [9, 11, 25],
    [9, 10, CUT],
    [9, 10, 9],
  ])
    expect(ask(peerThatKnows(CUT), request)).toBe(0);
  const peer = peerThatKnows(CUT);
  ask(peer, { id: 9 });
  expect(peer.faults).toEqual(["a malformed request for the last inputs of a member"]);
});

test("answers of the wrong shape change nothing", () => {
  const one = peerThatKnows(CUT);
  one.inputs.onAsk(one.other, jsonMessage(0, [9, 10, 25]).subarray(1), 0);
  const good = JSON.parse(new TextDecoder().decode(one.sent[0]!.subarray(1))) as unknown[];
  const answer = (...changes: [number, unknown][]) => {
    const other = peerThatKnows(25);
    const bad = [...good];
    for (const [at, value] of changes) bad[at] = value;
    other.inputs.onAnswer(other.other, jsonMessage(0, bad).subarray(1));
    return [other.stream.end, other.faults.length, other.log.commands(30).length];
  };
  expect(answer()).toEqual([CUT, 0, 1]);
  // About another state than that of this peer.
  for (const change of [
    [0, 8],
    [1, 11],
    [2, 26],
    [3, 41],
  ] as const)
    expect(answer([change[0], change[1]])).toEqual([25, 0, 0]);
  for (const change of [
    [4, 7],
    [4, "!"],
    [4, ""],
    [5, undefined],
    [5, [7]],
    [5, [[41, []]]],
    [5, [[24, []]]],
    [5, [[30, [[0, "AA=="]]]]],
    [5, [[30, [[1, "/w=="]]]]],
    [5, [[30, 5]]],
  ] as const)
    expect(answer([change[0], change[1]])).toEqual([25, 1, 0]);
});
