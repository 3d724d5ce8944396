import type { Token } from "markdown-it";

/** Returns the text of inline Markdown, without its marks. */
export function plainText(inline: Token): string {
  return (inline.children ?? [])
    .map((child) => {
      if (child.type === "softbreak" || child.type === "hardbreak") return " ";
      return child.type === "text" || child.type === "code_inline" || child.type === "image"
        ? child.content
        : "";
    })
    .join("");
}

const MAX_DESCRIPTION = 160;

/** Shortens a text to the length of a description, at the end of a sentence or else of a word. */
export function shortened(text: string): string {
  // A colon leads to what follows the text on the page.
  if (text.length <= MAX_DESCRIPTION) return text.replace(/:$/, ".");
  const start = text.slice(0, MAX_DESCRIPTION);
  const sentence = start.lastIndexOf(". ");
  if (sentence > MAX_DESCRIPTION / 2) return start.slice(0, sentence + 1);
  return `${start.slice(0, start.lastIndexOf(" ")).replace(/[,;:]$/, "")} …`;
}
