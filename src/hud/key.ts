/**
 * Calls `press` when a key is pressed, unless it types text or is part of a shortcut. Returns a function that removes
 * the listener.
 */
export function onKey(code: string, press: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    const isDifferent = event.code !== code || event.repeat || event.ctrlKey || event.altKey || event.metaKey;
    if (!isDifferent && !event.defaultPrevented && !event.isComposing && !isTyping(event)) press();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

function isTyping(event: KeyboardEvent): boolean {
  // Not event.target, as the element may be inside a shadow root.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
