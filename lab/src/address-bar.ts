/** Milliseconds between two updates: browsers throttle replaceState, and a dragged slider causes hundreds. */
const INTERVAL = 250;

let latest = "";
let written = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows an address in the browser, at most one every `INTERVAL`. Adds no history entry. */
export function showAddress(hash: string): void {
  latest = hash;
  if (timer !== undefined) return;
  written = hash;
  history.replaceState(null, "", hash);
  timer = setTimeout(() => {
    timer = undefined;
    // Skip if the visitor has followed a link meanwhile.
    if (latest !== written && location.hash === written) showAddress(latest);
  }, INTERVAL);
}
