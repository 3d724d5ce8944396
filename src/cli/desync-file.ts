import { showBytes } from "../errors/index.js";
import type { DesyncReport, ReportSide } from "../net/index.js";
import type { readReplay, Replay } from "../replay/index.js";
import { bytesOf } from "./files.js";
import { errorText } from "./text.js";

/** The first four bytes of every report, as `showBytes` formats them. */
const BEGINNING = '"TWDR"';

/** Reads a report by `read`; or returns what is wrong with it. */
export function readDesyncFile(
  file: string,
  read: (bytes: Uint8Array) => DesyncReport,
): DesyncReport | string {
  try {
    // Anything but a report may be long, so read only its beginning.
    const first = bytesOf(file, 4);
    if (first.length === 0) return "the file is empty";
    const begins = showBytes(first);
    if (begins !== BEGINNING) return `not a desync report: it begins with ${begins}, not with ${BEGINNING}`;
    return read(bytesOf(file));
  } catch (error) {
    return errorText(error);
  }
}

/** Reads the recording of a side. Returns what is wrong with it, or undefined if there is none. */
export function replayOf({ replay }: ReportSide, read: typeof readReplay): Replay | string | undefined {
  if (!replay) return undefined;
  try {
    return read(replay);
  } catch (error) {
    return `its recording cannot be read: ${errorText(error)}`;
  }
}
