import { Loop } from "tickwise";

/** Longer gaps are cut: a debugger must not make the lab leap. */
const LONGEST = 0.1;

/** Calls with the real seconds of every frame; a hidden page gets none. Returns the function that ends it. */
export function pulse(beat: (seconds: number) => void): () => void {
  const loop = new Loop({
    rate: 60,
    maxFrameTime: LONGEST,
    render({ delta }) {
      if (delta > 0) beat(delta);
    },
  });
  loop.start();
  return () => loop.stop();
}
