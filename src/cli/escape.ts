// What comes from files, paths and errors may hold codes that a terminal acts on: colours, cursor moves, window titles, text
// that runs backwards. All that is printed is escaped.

/** Controls, formats such as bidi overrides, line separators and halves of characters; but not the joiners that scripts need. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function shown(char: string): string {
  const code = char.codePointAt(0)!;
  const digits = code.toString(16);
  if (code < 0x100) return NAMES[char] ?? `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}

/** A text of one line, such as a name or a path, as it may be printed: "\x1b[31m" becomes the letters \x1b[31m. */
export const escaped = (text: string): string => text.replace(UNSAFE, shown);

/** The same for a text of several lines. */
export const escapedLines = (text: string): string =>
  text.replace(UNSAFE, (char) => (char === "\n" || char === "\t" ? char : shown(char)));

/** The same for JSON: it stays valid, and its values the same. */
export const escapedJson = (json: string): string =>
  json.replace(UNSAFE, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
