import { requireArguments } from "../errors/index.js";
import { measure } from "../loop/index.js";
import { STOPS, TROUBLES, type DiagnosisKind } from "./causes.js";
import { NET_STOPS, NET_TROUBLES } from "./net-causes.js";
import { loopOf, netSessionOf, type HudSubject } from "./subject.js";

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
 * none. Examines the last 128 to 256 frames that `measure(loop)` has seen. It measures the loop itself, so for a loop that was not
 * measured before, call it again after some frames. Give it what `drive` returned to learn about a network session too.
 */
export function diagnose(loop: HudSubject): Diagnosis[] {
  requireArguments("diagnose", arguments.length, 1);
  const its = loopOf("diagnose", loop);
  const session = netSessionOf(loop);
  const all = measure(its);
  const { recent } = all;
  return [
    ...found(STOPS, (cause) => cause(its, recent, all)),
    ...(session ? found(NET_STOPS, (cause) => cause(session)) : []),
    ...found(TROUBLES, (cause) => cause(its, recent, all)),
    ...(session ? found(NET_TROUBLES, (cause) => cause(session)) : []),
  ];
}

function found<K extends DiagnosisKind, C>(
  causes: { readonly [N in K]: C },
  ask: (cause: C) => string | false | undefined,
): Diagnosis[] {
  return (Object.keys(causes) as K[]).flatMap((kind) => {
    const text = ask(causes[kind]);
    return text ? [new Diagnosis(kind, text)] : [];
  });
}
