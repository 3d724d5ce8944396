import type { Loop } from "../loop/index.js";
import { CAUSES, type DiagnosisKind } from "./causes.js";
import { requireLoop } from "./settings.js";

/** What is wrong with a loop. Printed, it is its text. */
export class Diagnosis {
  /** Is given a kind, for programs, and a text for people: what is wrong, with its figure, and what to do. */
  constructor(
    readonly kind: DiagnosisKind,
    readonly text: string,
  ) {}

  toString(): string {
    return this.text;
  }
}

/**
 * Says what is wrong with a loop and what to do, the gravest first; nothing if all is well. It looks
 * at the last 128 to 256 frames, and need not have been asked before.
 */
export function diagnose(loop: Loop): Diagnosis[] {
  requireLoop("diagnose", loop);
  const found: Diagnosis[] = [];
  for (const kind of Object.keys(CAUSES) as DiagnosisKind[]) {
    const text = CAUSES[kind](loop, loop.stats.recent);
    if (text) found.push(new Diagnosis(kind, text));
  }
  return found;
}
