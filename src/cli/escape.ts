// Files, paths and errors may contain codes that control a terminal: colours, cursor moves, window titles, reversed text.
// Everything that is printed is escaped.

/** Control characters, format characters such as bidi overrides, line separators and lone surrogates; not the joiners that scripts need. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function shown(char: string): string {
  const code = char.codePointAt(0)!;
  const digits = code.toString(16);
  if (code < 0x100) return NAMES[char] ?? `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}

/** Escapes a single line, such as a name or a path: ESC becomes the four characters `\x1b`. */
export const escaped = (text: string): string => text.replace(UNSAFE, shown);

/** Escapes several lines: line breaks and tabs stay. */
export const escapedLines = (text: string): string =>
  text.replace(UNSAFE, (char) => (char === "\n" || char === "\t" ? char : shown(char)));

/** Escapes JSON, which stays valid and keeps its values. */
export const escapedJson = (json: string): string =>
  json.replace(UNSAFE, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
