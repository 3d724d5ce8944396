// What the pages share, and no example is about.
import type { Loop } from "tickwise";

/**
 * Pauses and resumes by the button, a click on the drawing or P. Without a check mark, which B toggles, the page is
 * loaded anew and shows bare states. Call it before the loop starts.
 */
export function controls(loop: Loop): void {
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
  if (!checkbox.checked) loop.configure({ present: "latest" });
  checkbox.addEventListener("change", () => (location.search = checkbox.checked ? "" : "?bare"));
  addEventListener("keydown", ({ key }) => {
    if (key === "p") toggle();
    if (key === "b") checkbox.click();
  });
  // Who asked for less motion finds it standing.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) toggle();
}

/** Whether the browser has WebGL. If it has not, the page says so. */
export function hasWebGL(): boolean {
  if (document.createElement("canvas").getContext("webgl2")) return true;
  const sorry = "This example draws with WebGL 2, which this browser does not have or does not allow.";
  document.querySelector("main")!.innerHTML = `<p class="sorry" role="alert">${sorry}</p>`;
  return false;
}
