import { readReplay, verify, type Replay, type ReplayBytes, type VerifyOptions } from "../replay/index.js";
import type { AnySimulation } from "../sim/index.js";
import { badValue } from "../errors/index.js";

/**
 * Verifies a recording and throws what `verify` found, with the tick and the fields: for any test runner. A file that was
 * truncated or never finished, such as the autosave of a page that crashed, passes if what is there does; a damaged file, or
 * one without checkpoints, fails.
 */
export function expectReplay(
  simulation: AnySimulation,
  file: ReplayBytes | Replay,
  options: Pick<VerifyOptions, "guard" | "kernels"> = {},
): void {
  if (typeof file === "string")
    badValue("expectReplay: file", "the bytes of a replay", file, `readFileSync("${file}")`);
  const replay = isBytes(file) ? readReplay(file) : file;
  const result = verify(simulation, replay, options);
  if (result.ok) return;
  if (result.reason === "damaged")
    badValue("expectReplay: file", "undamaged", replay.message, "the file itself");
  if (result.reason === "no-checkpoints")
    badValue(
      "expectReplay: file",
      "a recording with checkpoints",
      `none in ${replay.last - replay.first} ticks`,
      "record(session)",
    );
  throw new Error(result.message);
}

/** Of any realm, which test runners have several of. */
const isBytes = (file: ReplayBytes | Replay): file is ReplayBytes =>
  ArrayBuffer.isView(file) || Object.prototype.toString.call(file).endsWith("Buffer]");
