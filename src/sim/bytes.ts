// The bytes of a session: "TWSR", the format version, then sections, each after its length: a title in JSON, the state, and the
// external states in order of declaration.
import { badValue, misuse, onBehalfOf, showBytes } from "../errors/index.js";
import { PROFILE } from "../math/index.js";
import { fieldsOfLayout, isLayoutFields, layoutChanges, rowsOfLayout } from "../state/describe-layout.js";
import type { Layout } from "../state/index.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

const MAGIC = 0x52535754;
const VERSION = 1;
const CALL = "Session.load";
const REPLAY_MAGIC = 0x50525754;
const FIX = "Use the bytes exactly as session.bytes() returned them";

/** `isDescribed` adds everything that determines the fingerprint, so that `load` can say what changed. Replays store that once. */
export function bytesOf(simulation: AnySimulation, run: Run, isDescribed = false): Uint8Array<ArrayBuffer> {
  const { name, version, fingerprint } = simulation;
  const title = isDescribed ? titleFor(simulation) : { name, version, fingerprint };
  return joined(title, [run.state.bytes(), ...run.saveExternal()]);
}

/** Removes the description, as replays store states: without it, all states of a simulation have the same size. */
export function withoutDescription(bytes: Uint8Array): Uint8Array {
  try {
    const [title, ...sections] = sectionsOf(bytes);
    const { name, version, fingerprint, state } = titleOf(title);
    return state === undefined ? bytes : joined({ name, version, fingerprint }, sections);
  } catch {
    // Not the bytes of a session: loading them reports that.
    return bytes;
  }
}

/** Returns the full title, with the description. */
export const titleFor = (simulation: AnySimulation) => ({
  name: simulation.name,
  version: simulation.version,
  fingerprint: simulation.fingerprint,
  ...descriptionOf(simulation),
});

export function joined(title: object, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const sections = [new TextEncoder().encode(JSON.stringify(title)), ...parts];
  const bytes = new Uint8Array(sections.reduce((sum, { length }) => sum + 4 + length, 8));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  let at = 8;
  for (const section of sections) {
    view.setUint32(at, section.length, true);
    bytes.set(section, at + 4);
    at += 4 + section.length;
  }
  return bytes;
}

/** Loads the bytes of a session. Throws, and loads nothing, if they are damaged or belong to another simulation. */
export function readBytes(simulation: AnySimulation, run: Run, bytes: Uint8Array, call = CALL): void {
  const [title, state, ...external] = sectionsOf(bytes, call);
  requireTitle(simulation, titleOf(title, call), call);
  if (!state) rejectDamaged(call, "they hold no state");
  const oldExternal = run.saveExternal();
  if (external.length !== oldExternal.length)
    misuse(
      "wrong-simulation",
      call,
      `the number of external states differs: ${external.length} in the bytes, ${oldExternal.length} in the simulation`,
      "Use the build that saved them",
    );
  const oldState = run.state.bytes();
  onBehalfOf(call, ["State.loadBytes", "State"], () => run.state.loadBytes(state));
  try {
    run.loadExternal(external);
  } catch (error) {
    // Never leave the state half loaded.
    run.state.loadBytes(oldState);
    run.loadExternal(oldExternal);
    throw error;
  }
}

/** Throws unless bytes with this title belong to the simulation. */
function requireTitle(simulation: AnySimulation, title: Record<string, unknown>, call: string): void {
  const { name, version, fingerprint, ...description } = title;
  const ownName = JSON.stringify(simulation.name);
  if (name !== simulation.name)
    misuse(
      "wrong-simulation",
      call,
      `the bytes belong to simulation ${JSON.stringify(name)}, not ${ownName}`,
      "Load them into a session of that simulation",
    );
  if (version !== simulation.version) {
    const isOlder = typeof version === "number" && version < simulation.version;
    misuse(
      "wrong-simulation",
      call,
      `the bytes are from version ${String(version)} of ${ownName}, but this is version ${simulation.version}`,
      isOlder ? "Convert them: migrate(simulation, bytes)" : "Use the build that saved them",
    );
  }
  if (fingerprint !== simulation.fingerprint) {
    const changes = changesOf(description, simulation);
    if (changes) changedLayout(call, simulation.name, simulation.version, changes);
    misuse(
      "wrong-simulation",
      call,
      `the rate, players, state or inputs of ${ownName} changed, but not its version, ${simulation.version}`,
      "Use the build that saved it, and increase the version whenever the layout changes",
    );
  }
  // The fingerprint is right, so a different description was altered. Names of external states are not part of the
  // fingerprint: they may change.
  const { outside: _, ...parts } = description;
  const own: Record<string, unknown> = descriptionOf(simulation);
  if (Object.entries(parts).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(own[key])))
    rejectDamaged(call, "the description does not match the fingerprint");
}

/** Throws, as a saved state or a recording has another layout, though the name and the version are the same. */
function changedLayout(call: string, name: string, version: number, changes: string): never {
  misuse(
    "wrong-simulation",
    call,
    `the layout of ${JSON.stringify(name)} changed, but not its version, ${version}: ${changes}`,
    "Use the build that saved it, and increase the version whenever the layout changes",
  );
}

/** Describes a simulation: everything that determines its fingerprint except name and version, and its external states. */
const descriptionOf = (simulation: AnySimulation) => ({
  rate: simulation.rate.join("/"),
  players: simulation.players,
  inputs: simulation.packing.title,
  // Only if there are any: other simulations are described as before.
  ...(simulation.commands.title === "" ? {} : { commands: simulation.commands.title }),
  // A simulation of another copy of this package may not know beats.
  ...((simulation.beats ?? "") === "" ? {} : { beats: simulation.beats }),
  profile: PROFILE,
  state: fieldsOfLayout(simulation.layout as Layout),
  rows: rowsOfLayout(simulation.layout as Layout),
  // The names of the external states. The format keeps its first name for them.
  outside: Object.keys(simulation.options.external ?? {}),
});

/** Returns what changed, as text; "" if the bytes have no description. */
export function changesOf(description: Record<string, unknown>, simulation: AnySimulation): string {
  const {
    state,
    rows: _,
    outside: __,
    commands,
    beats,
    ...now
  } = {
    commands: "",
    beats: "",
    ...descriptionOf(simulation),
  };
  const changes = Object.entries(now).flatMap(([name, value]) =>
    description[name] === undefined || description[name] === value
      ? []
      : [`${name} was ${String(description[name])} and is ${value}`],
  );
  const before = description["state"];
  if (before !== undefined && (description["commands"] ?? "") !== commands)
    changes.push("the commands changed");
  if (before !== undefined && (description["beats"] ?? "") !== beats) changes.push("the beats changed");
  if (isLayoutFields(before)) changes.push(layoutChanges(before, state));
  return changes.filter((change) => change !== "").join("; ");
}

function rejectDamaged(call: string, problem: string): never {
  misuse("corrupt-data", call, `the bytes are damaged: ${problem}`, FIX);
}

/** Splits bytes into their sections: the title, the state and the external states. */
export function sectionsOf(bytes: Uint8Array, call = CALL): Uint8Array[] {
  if (!(bytes instanceof Uint8Array))
    badValue(`${call}: bytes`, "a Uint8Array", bytes, "the result of Session.bytes()");
  const corrupt = (problem: string) => rejectDamaged(call, problem);
  if (bytes.length < 8) corrupt(`the header needs 8 bytes, but there are ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const magic = view.getUint32(0, true);
  if (magic === REPLAY_MAGIC)
    misuse("corrupt-data", call, "this is a replay, not a saved state", "Use readReplay(bytes)");
  if (magic !== MAGIC)
    misuse(
      "corrupt-data",
      call,
      `not a saved state: it begins with ${showBytes(bytes.subarray(0, 4))}, not with "TWSR"`,
      "Pass the result of session.bytes()",
    );
  const version = view.getUint32(4, true);
  if (version !== VERSION)
    misuse(
      "unsupported",
      call,
      `bytes 4 to 7 are version ${version} of the format, not ${VERSION}`,
      "Use the version of Tickwise that saved them",
    );
  const sections: Uint8Array[] = [];
  let at = 8;
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : Infinity;
    if (length > bytes.length - at - 4) corrupt(`the section at byte ${at} is truncated`);
    sections.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return sections;
}

/** Parses the title section. */
export function titleOf(section: Uint8Array | undefined, call = CALL): Record<string, unknown> {
  try {
    const title: unknown = JSON.parse(new TextDecoder().decode(section));
    if (typeof title === "object" && title !== null) return title as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  return rejectDamaged(call, "the title at byte 12 is not a JSON object");
}
