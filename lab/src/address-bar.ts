/** Milliseconds between two changes: browsers refuse hundreds, as a dragged slider would make. */
const PAUSE = 250;

let wanted = "";
let written = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows this address in the browser, now or soon; going back does not step through such changes. */
export function showAddress(hash: string): void {
  wanted = hash;
  if (timer !== undefined) return;
  written = hash;
  history.replaceState(null, "", hash);
  timer = setTimeout(() => {
    timer = undefined;
    // Unless a link was followed meanwhile.
    if (wanted !== written && location.hash === written) showAddress(wanted);
  }, PAUSE);
}
