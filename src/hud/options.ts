/** The corner of the page in which the overlay appears. */
export type Corner = "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** An element of the page. Said so, as a program without a page has no types of one. */
export interface HudParent {
  append(...nodes: never[]): void;
}

/** Options of `mountHud`. */
export interface HudOptions {
  /** Default "top-right": scores and menus mostly begin on the left. */
  corner?: Corner | undefined;
  /** Whether only its button is seen at first. Default false. */
  collapsed?: boolean | undefined;
  /**
   * The key that hides and shows it, as `KeyboardEvent.code` names it; null for none. Not while a text
   * is typed. Default "Backquote", the key left of 1, where many games have their console.
   */
  key?: string | null | undefined;
  /** The element in whose corner it lies; it needs a `position`. Default: the body, and the window's corner. */
  parent?: HudParent | undefined;
}

/** An overlay that shows what a loop does. */
export interface Hud {
  /** Whether only its button is seen. */
  collapsed: boolean;
  /** Whether nothing of it is seen. */
  hidden: boolean;
  /** Takes it from the page and from the loop, without a trace. */
  remove(): void;
}
