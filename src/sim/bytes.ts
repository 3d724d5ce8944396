// A run as bytes: "TWSR", the version of this form, then sections, each with its length before it: what it is of, as JSON;
// the state; what lives outside, in order of declaration.
import { refuse } from "../time/index.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

const MAGIC = 0x52535754;
const VERSION = 1;
const CALL = "Session.load: bytes";
const CURE = "what Session.bytes() gave, of the same simulation and version";

export function bytesOf({ name, version, fingerprint }: AnySimulation, run: Run): Uint8Array<ArrayBuffer> {
  const title = new TextEncoder().encode(JSON.stringify({ name, version, fingerprint }));
  const sections = [title, run.state.bytes(), ...run.saveOutside()];
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
  const { name, version, fingerprint } = titleOf(title);
  if (name !== wanted) refuse(`${CALL}: simulation`, JSON.stringify(wanted), name, CURE);
  if (version !== simulation.version) refuse(`${CALL}: version`, `${simulation.version}`, version, CURE);
  if (fingerprint !== simulation.fingerprint)
    refuse(
      `${CALL}: fingerprint`,
      simulation.fingerprint,
      fingerprint,
      "the same rate, players, state and inputs",
    );
  const before = run.saveOutside();
  if (!state || outside.length !== before.length)
    refuse(CALL, `${2 + before.length} sections`, 1 + outside.length, CURE);
  const old = run.state.bytes();
  run.state.loadBytes(state);
  try {
    run.loadOutside(outside);
  } catch (error) {
    // Nothing is half loaded.
    run.state.loadBytes(old);
    run.loadOutside(before);
    throw error;
  }
}

function sectionsOf(bytes: Uint8Array): Uint8Array[] {
  if (!(bytes instanceof Uint8Array)) refuse(CALL, "a Uint8Array", bytes, CURE);
  if (bytes.length < 8) refuse(CALL, "at least 8 bytes", bytes.length, CURE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC) refuse(`${CALL} 0 to 3`, "TWSR", view.getUint32(0, true), CURE);
  if (view.getUint32(4, true) !== VERSION)
    refuse(`${CALL} 4 to 7`, `version ${VERSION}`, view.getUint32(4, true), CURE);
  const sections: Uint8Array[] = [];
  let at = 8;
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : Infinity;
    if (length > bytes.length - at - 4)
      refuse(`${CALL} ${at}`, "the length of a section that is there", length, CURE);
    sections.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return sections;
}

function titleOf(section: Uint8Array | undefined): {
  name?: unknown;
  version?: unknown;
  fingerprint?: unknown;
} {
  try {
    const title: unknown = JSON.parse(new TextDecoder().decode(section));
    if (typeof title === "object" && title !== null) return title;
  } catch {
    // As below.
  }
  return refuse(`${CALL} 12`, "the title of a snapshot", "another", CURE);
}
