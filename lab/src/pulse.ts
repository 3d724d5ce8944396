/** Longer gaps are no time: a tab that was hidden or a debugger must not make the lab leap. */
const LONGEST = 0.1;

/** Calls with the real seconds of every frame; a hidden page gets none. Returns the function that ends it. */
export function pulse(beat: (seconds: number) => void): () => void {
  let last = NaN;
  let request = requestAnimationFrame(function frame(now) {
    request = requestAnimationFrame(frame);
    const seconds = (now - last) / 1000;
    last = now;
    if (seconds > 0) beat(Math.min(seconds, LONGEST));
  });
  return () => cancelAnimationFrame(request);
}
