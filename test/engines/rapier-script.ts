// The pile of Rapier, in every engine that has WebAssembly: one script, with Rapier's code in it.
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { pileScript, rapierPile } from "../../scenes/rapier-pile.js";
import { hashText, inputsOf } from "../../scenes/scene.js";
import { localSession } from "../../src/sim/index.js";
import type { Answer, Question } from "./script.js";

/** The hashes of the whole, after each 600 ticks. */
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
