/** Calls when a key is pressed, unless it is a letter of some text or part of a shortcut; returns what ends it. */
export function onKey(code: string, press: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    const isOther = event.code !== code || event.repeat || event.ctrlKey || event.altKey || event.metaKey;
    if (!isOther && !event.defaultPrevented && !event.isComposing && !isTyped(event)) press();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

function isTyped(event: KeyboardEvent): boolean {
  // The path, as an input may lie in a shadow root.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
