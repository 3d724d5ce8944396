import { requireArguments } from "../errors/index.js";
import type { Loop } from "../loop/index.js";
import { CAUSES, type DiagnosisKind } from "./causes.js";
import { requireLoop } from "./settings.js";

/** A problem with a loop. Converts to its text as a string. */
export class Diagnosis {
  /** `kind` is for programs; `text` tells people what is wrong, with figures, and what to do. */
  constructor(
    readonly kind: DiagnosisKind,
    readonly text: string,
  ) {}

  toString(): string {
    return this.text;
  }
}

/**
 * Returns the problems of a loop, the most serious first, and what to do about each. The list is empty if there are
 * none. Examines the last 128 to 256 frames; the loop has recorded them already.
 */
export function diagnose(loop: Loop): Diagnosis[] {
  requireArguments("diagnose", arguments.length, 1);
  requireLoop("diagnose", loop);
  const found: Diagnosis[] = [];
  for (const kind of Object.keys(CAUSES) as DiagnosisKind[]) {
    const text = CAUSES[kind](loop, loop.stats.recent);
    if (text) found.push(new Diagnosis(kind, text));
  }
  return found;
}
