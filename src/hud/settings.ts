import type { Loop } from "../loop/index.js";
import { badValue, requireType } from "../errors/index.js";
import type { Corner, HudOptions } from "./options.js";

export interface HudSettings {
  readonly corner: Corner;
  readonly collapsed: boolean;
  readonly key: string | null;
  readonly parent: HTMLElement;
}

const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"];

export function requireLoop(call: string, loop: Loop): void {
  if (typeof loop?.on !== "function" || typeof loop.stats !== "object")
    badValue(`${call}: loop`, "a Loop", loop, "new Loop({ rate: 60 })");
}

/** The options with their defaults, or an error. */
export function settingsOf(options: HudOptions): HudSettings {
  const call = "mountHud";
  requireType(`${call}: options`, options, "object", '{ corner: "top-left" }');
  const { corner = "top-right", collapsed = false, key = "Backquote" } = options;
  if (!CORNERS.includes(corner))
    badValue(`${call}: corner`, `one of ${CORNERS.join(", ")}`, corner, '"top-left"');
  requireType(`${call}: collapsed`, collapsed, "boolean", true);
  if (key !== null && !(typeof key === "string" && key))
    badValue(`${call}: key`, "the code of a key, or null", key, '"Backquote"');
  if (typeof document === "undefined")
    badValue(call, "called where there is a page", "no document", "diagnose(loop)");
  const { parent = document.body as HTMLElement | null } = options;
  if (!(parent instanceof HTMLElement))
    badValue(`${call}: parent`, "an element of the page", parent, "document.body, once it is there");
  return { corner, collapsed, key, parent };
}
