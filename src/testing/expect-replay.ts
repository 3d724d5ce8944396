import { readReplay, verify, type Replay, type VerifyOptions } from "../replay/index.js";
import type { AnySimulation } from "../sim/index.js";
import { refuse } from "../time/index.js";

/**
 * Does what was recorded and throws where it comes out otherwise, with the tick and the fields: for any test runner. An
 * autosave of a page that crashed will do; what is damaged, or has no checkpoints to compare, will not.
 */
export function expectReplay(
  simulation: AnySimulation,
  file: Uint8Array | Replay,
  options: Pick<VerifyOptions, "guard" | "kernels"> = {},
): void {
  if (typeof file === "string")
    refuse("expectReplay: file", "the bytes of a replay", file, `readFileSync("${file}")`);
  const replay = file instanceof Uint8Array ? readReplay(file) : file;
  const result = verify(simulation, replay, options);
  if (!result.ok) throw new Error(result.message);
  if (replay.ending === "damaged")
    refuse("expectReplay: file", "undamaged", replay.message, "the file itself");
  if (result.compared === 0)
    refuse(
      "expectReplay: file",
      "a recording with checkpoints",
      `none in ${replay.end - replay.start} ticks`,
      "record(session)",
    );
}
