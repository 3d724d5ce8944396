import { PROFILE } from "../math/index.js";
import { changesOf, titleFor } from "../sim/bytes.js";
import type { AnySimulation } from "../sim/index.js";
import { PROTOCOL, type Hello, type Rejection } from "./messages.js";

/** Returns how this peer introduces itself. */
export function helloOf(
  { name: simulation, version, fingerprint }: AnySimulation,
  peer: Pick<
    Hello,
    "id" | "name" | "game" | "parent" | "wants" | "isRelay" | "members" | "hasBegun" | "isMember"
  >,
): Hello {
  return { protocol: PROTOCOL, simulation, version, fingerprint, profile: PROFILE, ...peer };
}

/** What a program says about its simulation. */
export type Introduction = Pick<Hello, "protocol" | "simulation" | "version" | "fingerprint" | "profile">;

/** Returns why two programs cannot play together, or undefined. `"describe"` means that their layouts differ: they must be compared. */
export function helloProblem(own: AnySimulation, theirs: Introduction): Rejection | "describe" | undefined {
  const name = JSON.stringify(own.name);
  if (theirs.protocol !== PROTOCOL)
    return {
      code: "protocol",
      text: `one peer speaks version ${theirs.protocol} of the protocol, the other ${PROTOCOL}. Use the same version of tickwise`,
    };
  if (theirs.simulation !== own.name)
    return {
      code: "simulation",
      text: `one peer plays ${JSON.stringify(theirs.simulation)}, the other ${name}`,
    };
  if (theirs.version !== own.version)
    return {
      code: "version",
      text: `one peer has version ${theirs.version} of ${name}, the other ${own.version}. Reload both`,
    };
  if (theirs.profile !== PROFILE)
    return {
      code: "math profile",
      text: `one peer has profile ${theirs.profile} of tickwise/math, the other ${PROFILE}. Use the same version of tickwise`,
    };
  return theirs.fingerprint === own.fingerprint ? undefined : "describe";
}

/** Returns everything that determines the fingerprint, for a peer that has another one. */
export const describeSimulation = (simulation: AnySimulation): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(titleFor(simulation)));

/** Returns what differs between the peers' simulations, as a sentence. */
export function layoutProblem(simulation: AnySimulation, description: unknown): string {
  const isObject = typeof description === "object" && description !== null;
  const changes = isObject ? changesOf(description as Record<string, unknown>, simulation) : "";
  return `the peers have different builds of ${JSON.stringify(simulation.name)}, version ${simulation.version}: from the other to this one, ${changes || "the layout differs"}`;
}
