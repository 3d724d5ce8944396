/** The corner of the page in which the overlay appears. */
export type Corner = "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** An element of the page. Declared here, as a program without the DOM library has no type for it. */
export interface HudParent {
  append(...nodes: never[]): void;
}

/** Options of `mountHud`. */
export interface HudOptions {
  /** The corner of the page. Default: "top-right", as scores and menus are mostly on the left. */
  corner?: Corner | undefined;
  /** Whether the overlay starts collapsed to its button. Default: false. */
  collapsed?: boolean | undefined;
  /**
   * The key that hides and shows the overlay, as a `KeyboardEvent.code`; null for none. Ignored while text is typed.
   * Default: "Backquote", the key left of 1, which opens the console in many games.
   */
  key?: string | null | undefined;
  /**
   * The element that contains the overlay. It needs a CSS `position`. Default: the body, and the corner of the window.
   */
  parent?: HudParent | undefined;
}

/** An overlay that `mountHud` created. */
export interface Hud {
  /** Whether the overlay is collapsed to its button. */
  collapsed: boolean;
  /** Whether the overlay is hidden. */
  hidden: boolean;
  /** Removes the overlay from the page, and its listeners from the loop. The loop is still measured. */
  dispose(): void;
}
