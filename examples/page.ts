// Shared by all pages: the pause button, the blend checkbox, and the WebGL check.
import { timeScale, type Loop } from "tickwise";

/**
 * Pauses and resumes with the button, a click on the canvas, or P. The checkbox (or B) turns blending on and off and
 * reloads the page. Call it before the loop starts.
 */
export function controls(loop: Loop): void {
  // For the browser's console: try `timeScale(loop).set(0.1)`.
  Object.assign(globalThis, { loop, timeScale });
  const button = document.querySelector("button")!;
  const checkbox = document.querySelector("input")!;
  const toggle = () => {
    if (loop.paused) loop.resume();
    else loop.pause();
    button.textContent = loop.paused ? "Resume" : "Pause";
  };
  button.addEventListener("click", toggle);
  document.querySelector("main")!.addEventListener("click", toggle);
  checkbox.checked = location.search !== "?bare";
  if (!checkbox.checked) loop.on("present", showNewest);
  checkbox.addEventListener("change", () => (location.search = checkbox.checked ? "" : "?bare"));
  addEventListener("keydown", ({ key }) => {
    if (key === "p") toggle();
    if (key === "b") checkbox.click();
  });
  /** Without blending, a frame shows the newest state. */
  function showNewest(frame: { alpha: number; shownTime: number }) {
    frame.alpha = 1;
    frame.shownTime = loop.time;
  }
  // Start paused if the visitor prefers reduced motion.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) toggle();
}

/** Returns whether WebGL 2 is available; if not, shows a message on the page. */
export function hasWebGL(): boolean {
  if (document.createElement("canvas").getContext("webgl2")) return true;
  const message = "This example needs WebGL 2, which is not available in this browser.";
  document.querySelector("main")!.innerHTML = `<p class="message" role="alert">${message}</p>`;
  return false;
}
