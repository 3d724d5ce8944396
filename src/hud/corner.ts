import type { Corner } from "./options.js";

const ATTRIBUTE = "data-tickwise-hud";

/**
 * Puts an element into a corner of its parent, next to other overlays. Returns a function that removes it. The stack of
 * overlays is part of the page, so its styles are set inline, where no style sheet can override them.
 */
export function putInto(corner: Corner, parent: HTMLElement, element: HTMLElement): () => void {
  const stack = stackOf(corner, parent);
  stack.append(element);
  return () => {
    element.remove();
    if (!stack.firstChild) stack.remove();
  };
}

function stackOf(corner: Corner, parent: HTMLElement): HTMLElement {
  for (const child of parent.children)
    if (child.getAttribute(ATTRIBUTE) === corner) return child as HTMLElement;
  const stack = document.createElement("div");
  const [vertical, horizontal] = corner.split("-") as [string, string];
  stack.setAttribute(ATTRIBUTE, corner);
  const style = {
    all: "initial",
    position: parent === document.body ? "fixed" : "absolute",
    [vertical]: `max(8px, env(safe-area-inset-${vertical}))`,
    [horizontal]: `max(8px, env(safe-area-inset-${horizontal}))`,
    display: "flex",
    "flex-direction": vertical === "top" ? "column" : "column-reverse",
    "align-items": horizontal === "left" ? "flex-start" : "flex-end",
    "pointer-events": "none",
    "z-index": "2147483647",
  };
  for (const [name, value] of Object.entries(style)) stack.style.setProperty(name, value, "important");
  parent.append(stack);
  return stack;
}
