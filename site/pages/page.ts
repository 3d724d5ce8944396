/** A page of the site. */
export interface SitePage {
  /** Its folder: "" for the start page, "spiral", "docs/loop". */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** What surrounds the page: `"embed"` is for frames of other sites, which get the figure alone. */
  readonly kind: "start" | "article" | "docs" | "recorder" | "embed";
  /** Returns the content as HTML. Links to other pages begin with a slash: `/docs/loop/`. */
  readonly main: () => string | Promise<string>;
  /** The module that the page runs: `/src/docs/main.ts`. */
  readonly script: string;
}

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
