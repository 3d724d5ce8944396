// Values as Node prints them, for the output of code in the docs.

const WIDTH = 72;
const MAX_DEPTH = 2;
const MAX_ITEMS = 100;

const quoted = (text: string): string => {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") ? "`" : "'";
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
};

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

/** Returns the text of a value, as Node's `util.inspect` does for common values. */
export function inspect(value: unknown, depth = 0, indent = 0): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "function") return functionText(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error)
    return depth === 0 ? `${value.name}: ${value.message}` : `[${value.name}: ${value.message}]`;
  const name = (Object.getPrototypeOf(value) as object | null)?.constructor.name;
  if (depth > MAX_DEPTH) return Array.isArray(value) ? "[Array]" : `[${name ?? "Object: null prototype"}]`;
  const [prefix, open, parts, close] = partsOf(value, name, (inner) => inspect(inner, depth + 1, indent + 2));
  if (parts.length === 0) return `${prefix}${open}${close}`;
  // As Node does: long lists of short values in columns, other lists in a row if they fit.
  if (open === "[" && parts.length > 6) return `${prefix}${columns(parts, value, indent)}`;
  const row = `${prefix}${open} ${parts.join(", ")} ${close}`;
  const length = parts.reduce((sum, part) => sum + part.length, 0) + parts.length + prefix.length;
  if (length <= WIDTH && !parts.some((part) => part.includes("\n"))) return row;
  const space = " ".repeat(indent + 2);
  return `${prefix}${open}\n${space}${parts.join(`,\n${space}`)}\n${" ".repeat(indent)}${close}`;
}

function functionText(value: unknown): string {
  const { name } = value as { name: string };
  const isClass = /^class\b/.test(String(value));
  return isClass ? `[class ${name || "(anonymous)"}]` : `[Function${name ? `: ${name}` : " (anonymous)"}]`;
}

type Parts = [prefix: string, open: string, parts: string[], close: string];

function partsOf(value: object, name: string | undefined, show: (inner: unknown) => string): Parts {
  const prefix = name === undefined ? "[Object: null prototype] " : name === "Object" ? "" : `${name} `;
  if (Array.isArray(value))
    return [name === "Array" ? "" : `${name}(${value.length}) `, "[", limited(value, show), "]"];
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const items = [...(value as unknown as Iterable<unknown>)];
    return [`${name}(${items.length}) `, "[", limited(items, show), "]"];
  }
  if (value instanceof Set) return [`Set(${value.size}) `, "{", [...value].map(show), "}"];
  if (value instanceof Map) {
    return [
      `Map(${value.size}) `,
      "{",
      [...value].map(([key, each]) => `${show(key)} => ${show(each)}`),
      "}",
    ];
  }
  const parts = Object.keys(value).map((key) => {
    const { get, value: own } = Object.getOwnPropertyDescriptor(value, key)!;
    return `${keyText(key)}: ${get ? "[Getter]" : show(own)}`;
  });
  return [prefix, "{", parts, "}"];
}

function limited(items: readonly unknown[], show: (inner: unknown) => string): string[] {
  const shown = items.slice(0, MAX_ITEMS).map(show);
  const rest = items.length - shown.length;
  return rest > 0 ? [...shown, `... ${rest} more item${rest > 1 ? "s" : ""}`] : shown;
}

/** Lays out a list of more than six values, as Node's groupArrayElements does. */
function columns(parts: readonly string[], value: object, indent: number): string {
  const lengths = parts.map((part) => part.length + 2);
  const longest = Math.max(...lengths);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const space = " ".repeat(indent + 2);
  const wrap = (rows: readonly string[]) => `[\n${space}${rows.join(`,\n${space}`)}\n${" ".repeat(indent)}]`;
  if (longest * 3 + indent + 2 >= 80 || !(total / longest > 5 || longest <= 8)) return wrap(parts);
  const bias = Math.max(Math.sqrt(longest - total / parts.length), 1);
  const count = Math.min(
    Math.round(Math.sqrt(2.5 * bias * parts.length) / bias),
    Math.floor((80 - indent - 2) / longest),
    12,
    15,
  );
  if (count <= 1) return wrap(parts);
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...lengths.filter((_each, i) => i % count === column)),
  );
  const isNumeric =
    Symbol.iterator in value &&
    [...(value as Iterable<unknown>)].every((each) => typeof each === "number" || typeof each === "bigint");
  const rows: string[] = [];
  for (let i = 0; i < parts.length; i += count) {
    const row = parts.slice(i, i + count).map((part, column, all) => {
      const width = widths[column]!;
      if (isNumeric) return column < all.length - 1 ? `${part}, `.padStart(width) : part.padStart(width - 2);
      return column < all.length - 1 ? `${part}, `.padEnd(width) : part;
    });
    rows.push(row.join(""));
  }
  return wrap(rows);
}
