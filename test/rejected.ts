import { expect } from "vitest";
import { TickwiseError } from "../src/errors/index.js";

/** Calls with a value that they must reject, by name, and such values. */
export type Calls = Record<string, [(value: never) => unknown, unknown[]]>;

const CALLS =
  /^(Loop|Driver|onePerFrame|variable|semiFixed|manualDriver|manualDisplay|display|Display|timer|nodeTimer|every|Beat|timeScale|TimeScale|measure|Measurements|catchUp|stepBudget|onOverload|changeRate|speedOf|timestampOf|stepsLeft|ramp|slowMotion|suggestRate|diagnose|mountHud|audioClock|AudioClock|audioTime|playMusic|curve|extrapolate|smooth|lerp|slerp|nlerp|hermite|snap|skipBlend|syncRows|RowSync|teleport|shift|contact|scalar|dispose|random|Random|spring|explicitEuler|semiImplicitEuler|velocityVerlet|rk4|stableRate|axis|fraction|int|input|inputLatch|InputLatch|bindInputs|keyboard|pointer|touch|gamepads|layout|table|list|oneOf|Layout|State|hashText|world|rows|record|readReplay|readReplayInfo|replayPlayer|ReplayPlayer|verify|inputRuns|recordedCommands|expectReplay|expectNetplay|simulatedNetwork|SimulatedNetwork|peerSession|PeerSession|serverSession|ServerSession|clientSession|ClientSession|conditioned|ConditionedLink|Link|datagramLink|websocketLink|VirtualScheduler|skewedScheduler|readReport|simulation|Session|syncTest|text|bytes|many)[\w.]*$/;
const BAD_VALUE = /^.+ must be .+, got .+(?:\. Try .+\.|`await`\?)$/s;
const MISUSE = /^[\w.]+: .+[.?]$/s;

/** Expects an error that names the call, and what is wrong in the form of its kind. */
export function expectRejected(act: () => unknown): void {
  let error: unknown;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(TickwiseError);
  const { code, call, message } = error as TickwiseError;
  expect(call).toMatch(CALLS);
  expect(message).toMatch(code === "bad-value" ? BAD_VALUE : MISUSE);
}

export const notNumbers = ["1", null, true, {}, [], () => 1, 1n, Symbol("s"), Object.create(null)];
export const numbers = { NaN, negative: -1, zero: 0, huge: 1e300, Infinity, fraction: 1.5 };
