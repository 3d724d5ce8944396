// A run as bytes: "TWSR", the version of this form, then sections, each with its length before it: what it is of, as JSON;
// the state; what lives outside, in order of declaration.
import { PROFILE } from "../math/index.js";
import { fieldsOfLayout, isLayoutFields, layoutChanges, rowsOfLayout } from "../state/describe-layout.js";
import type { Layout } from "../state/index.js";
import { badValue } from "../errors/index.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

const MAGIC = 0x52535754;
const VERSION = 1;
const CALL = "Session.load: bytes";
const CURE = "what Session.bytes() gave, of the same simulation and version";

/** `isDescribed` adds all that the fingerprint is made of, so that `load` can say what changed. Replays store that only once. */
export function bytesOf(simulation: AnySimulation, run: Run, isDescribed = false): Uint8Array<ArrayBuffer> {
  const { name, version, fingerprint } = simulation;
  const title = isDescribed ? titleFor(simulation) : { name, version, fingerprint };
  return joined(title, [run.state.bytes(), ...run.saveExternal()]);
}

/** The same bytes without the description, as replays store states: all states of a simulation then have one size. */
export function withoutDescription(bytes: Uint8Array): Uint8Array {
  try {
    const [title, ...sections] = sectionsOf(bytes);
    const { name, version, fingerprint, state } = titleOf(title);
    return state === undefined ? bytes : joined({ name, version, fingerprint }, sections);
  } catch {
    // Not a snapshot: loading it will say so.
    return bytes;
  }
}

/** What a simulation's bytes begin with. */
export const titleFor = (simulation: AnySimulation) => ({
  name: simulation.name,
  version: simulation.version,
  fingerprint: simulation.fingerprint,
  ...partsOf(simulation),
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

/** Loads it, if it is whole, and of this simulation. */
export function readBytes(simulation: AnySimulation, run: Run, bytes: Uint8Array): void {
  const [title, state, ...outside] = sectionsOf(bytes);
  const wanted = simulation.name;
  const { name, version, fingerprint, ...parts } = titleOf(title);
  if (name !== wanted) badValue(`${CALL}: simulation`, JSON.stringify(wanted), name, CURE);
  if (version !== simulation.version) {
    const isOlder = typeof version === "number" && version < simulation.version;
    badValue(
      `${CALL}: version`,
      `${simulation.version}`,
      version,
      isOlder ? "migrate(simulation, bytes)" : CURE,
    );
  }
  if (fingerprint !== simulation.fingerprint) {
    const changes = changesOf(parts, simulation);
    if (changes) throw changedLayout("Session.load", wanted, simulation.version, changes);
    badValue(
      `${CALL}: fingerprint`,
      simulation.fingerprint,
      fingerprint,
      "the same rate, players, state and inputs",
    );
  }
  // The fingerprint is right, so any other description was altered.
  const own: Record<string, unknown> = partsOf(simulation);
  // Names of external state are not in the fingerprint: they may change.
  delete parts["outside"];
  if (Object.entries(parts).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(own[key])))
    badValue(`${CALL} 12`, "a description that matches its fingerprint", "another one", CURE);
  const before = run.saveExternal();
  if (!state || outside.length !== before.length)
    badValue(CALL, `${2 + before.length} sections`, 1 + outside.length, CURE);
  const old = run.state.bytes();
  run.state.loadBytes(state);
  try {
    run.loadExternal(outside);
  } catch (error) {
    // Nothing is half loaded.
    run.state.loadBytes(old);
    run.loadExternal(before);
    throw error;
  }
}

/** A state or a recording is of another layout, though name and version are the same. */
export const changedLayout = (call: string, name: string, version: number, changes: string): RangeError =>
  new RangeError(
    `${call}: the layout of ${JSON.stringify(name)} changed, but not its version, ${version}: ${changes}. Use the build that saved it, and increase the version with each such change.`,
  );

/** Describes what the bytes hold: all that a fingerprint is made of except name and version, and names of external state. */
const partsOf = (simulation: AnySimulation) => ({
  rate: simulation.rate.join("/"),
  players: simulation.players,
  inputs: simulation.packing.title,
  profile: PROFILE,
  state: fieldsOfLayout(simulation.layout as Layout),
  rows: rowsOfLayout(simulation.layout as Layout),
  outside: Object.keys(simulation.options.external ?? {}),
});

/** What changed, as text; "" if that is not known. */
function changesOf(parts: Record<string, unknown>, simulation: AnySimulation): string {
  const { state, rows: _, outside: __, ...now } = partsOf(simulation);
  const changes = Object.entries(now).flatMap(([name, value]) =>
    parts[name] === undefined || parts[name] === value
      ? []
      : [`${name} was ${String(parts[name])} and is ${value}`],
  );
  const before = parts["state"];
  if (isLayoutFields(before)) changes.push(layoutChanges(before, state));
  return changes.filter((change) => change !== "").join("; ");
}

/** The title, the state and what lives outside, as they lie in the bytes. `call` begins the message of an error. */
export function sectionsOf(bytes: Uint8Array, call = CALL): Uint8Array[] {
  if (!(bytes instanceof Uint8Array)) badValue(call, "a Uint8Array", bytes, CURE);
  if (bytes.length < 8) badValue(call, "at least 8 bytes", bytes.length, CURE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC) badValue(`${call} 0 to 3`, "TWSR", view.getUint32(0, true), CURE);
  if (view.getUint32(4, true) !== VERSION)
    badValue(`${call} 4 to 7`, `version ${VERSION}`, view.getUint32(4, true), CURE);
  const sections: Uint8Array[] = [];
  let at = 8;
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : Infinity;
    if (length > bytes.length - at - 4)
      badValue(`${call} ${at}`, "the length of a section that is there", length, CURE);
    sections.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return sections;
}

export function titleOf(section: Uint8Array | undefined, call = CALL): Record<string, unknown> {
  try {
    const title: unknown = JSON.parse(new TextDecoder().decode(section));
    if (typeof title === "object" && title !== null) return title as Record<string, unknown>;
  } catch {
    // As below.
  }
  return badValue(`${call} 12`, "the title of a snapshot", "another", CURE);
}
