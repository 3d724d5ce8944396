/** Pages with these headers are cross-origin isolated: their workers may share memory with them. See docs/threads.md. */
export const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
