import { badValue, misuse, requireOptions, requireType } from "../errors/index.js";
import type { Corner, HudOptions } from "./options.js";

export interface HudSettings {
  readonly corner: Corner;
  readonly collapsed: boolean;
  readonly key: string | null;
  readonly parent: HTMLElement;
}

const OPTIONS = Object.keys({ corner: 1, collapsed: 1, key: 1, parent: 1 } satisfies Record<
  keyof HudOptions,
  1
>);

const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"];

/** Checks the options and fills in their defaults. */
export function settingsOf(options: HudOptions): HudSettings {
  const call = "mountHud";
  requireOptions(call, options, OPTIONS, '{ corner: "top-left" }');
  const { corner = "top-right", collapsed = false, key = "Backquote" } = options;
  if (!CORNERS.includes(corner))
    badValue(`${call}: corner`, `one of ${CORNERS.join(", ")}`, corner, '"top-left"');
  requireType(`${call}: collapsed`, collapsed, "boolean", true);
  if (key !== null && !(typeof key === "string" && key))
    badValue(`${call}: key`, "a KeyboardEvent.code, or null", key, '"Backquote"');
  if (typeof document === "undefined")
    misuse("unsupported", call, "there is no document", "Use diagnose(loop) outside a browser");
  const { parent = document.body as HTMLElement | null } = options;
  if (!(parent instanceof HTMLElement))
    badValue(`${call}: parent`, "an element of the page", parent, "document.body, once the page has loaded");
  return { corner, collapsed, key, parent };
}
