// Simulates the pile of Rapier. Bundled with Rapier, for every engine with WebAssembly.
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { pileScript, rapierPile } from "../../scenes/rapier-pile.js";
import { inputsOf } from "../../scenes/scene.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";
import type { Answer, Question } from "./script.js";

/** Returns the hash of the session after every 600 ticks. */
export async function answer({ count }: Question): Promise<Answer> {
  await RAPIER.init();
  const session = localSession(rapierPile(RAPIER), { inputs: inputsOf({ script: pileScript }) });
  const hashes: string[] = [];
  while (session.tick < count) {
    session.advance();
    if (session.tick % 600 === 0) hashes.push(hashText(session.hash()));
  }
  session.dispose();
  return hashes;
}
