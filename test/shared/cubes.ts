import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { readRecording, type CubesFrame } from "../../scenes/cubes-recording.js";

/** Reads the recording of the cubes: all frames, as `scenes/cubes-recording.ts` describes them. */
export function loadCubes(): CubesFrame[] {
  const file = new URL("../../scenes/cubes.recording.br", import.meta.url);
  return readRecording(brotliDecompressSync(readFileSync(file)));
}
