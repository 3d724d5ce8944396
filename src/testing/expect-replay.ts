import { readReplay, verify, type Replay, type ReplayBytes, type VerifyOptions } from "../replay/index.js";
import type { AnySimulation } from "../sim/index.js";
import { badValue, misuse, onBehalfOf, requireOptions } from "../errors/index.js";

/**
 * Verifies a recording, and throws if it diverges, with the tick and the fields. Works in any test runner. A truncated or
 * unfinished file, such as the autosave of a page that crashed, is verified as far as it goes. A damaged file, or one without
 * checkpoints, throws.
 */
export function expectReplay(
  simulation: AnySimulation,
  file: ReplayBytes | Replay,
  options: Pick<VerifyOptions, "guard" | "kernels"> = {},
): void {
  requireOptions("expectReplay", options, ["guard", "kernels"]);
  if (typeof file === "string")
    badValue("expectReplay: file", "the bytes of a replay", file, `readFileSync(${JSON.stringify(file)})`);
  const result = onBehalfOf("expectReplay", ["readReplay", "verify"], () =>
    verify(simulation, isBytes(file) ? readReplay(file) : file, options),
  );
  if (result.ok) return;
  if (result.reason === "damaged")
    misuse("corrupt-data", "expectReplay", result.problem, "Use the file exactly as it was recorded");
  if (result.reason === "no-checkpoints")
    misuse("not-ready", "expectReplay", result.problem, "Record with checkpoints");
  throw new Error(`expectReplay${result.message.slice("verify".length)}`);
}

/** Also recognizes buffers of other realms, of which test runners have several. */
const isBytes = (file: ReplayBytes | Replay): file is ReplayBytes =>
  ArrayBuffer.isView(file) || Object.prototype.toString.call(file).endsWith("Buffer]");
