/** Calls a function, and ignores its errors. */
export function quietly(run: () => void): void {
  try {
    run();
  } catch {}
}
