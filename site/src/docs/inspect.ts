// Values as Node prints them, for the output of code in the docs. The layout follows `reduceToSingleString` and
// `groupArrayElements` of Node's lib/internal/util/inspect.js.

const WIDTH = 80;
const MAX_DEPTH = 2;
const MAX_ITEMS = 100;
const MAX_COLUMNS = 12;

/** Lists with more items are laid out in columns. */
const MAX_ROW = 6;

/** Returns the text of a value, as Node's `util.inspect` does for common values. */
export function inspect(value: unknown, depth = 0): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "function") return functionText(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error) {
    const text = `${value.name}: ${value.message}`;
    return depth === 0 ? text : `[${text}]`;
  }
  const name = (Object.getPrototypeOf(value) as object | null)?.constructor.name ?? "Object: null prototype";
  if (depth > MAX_DEPTH) return `[${name}]`;
  return layOut(
    contentOf(value, name, (inner) => inspect(inner, depth + 1)),
    2 * depth,
  );
}

function quoted(text: string): string {
  const quote = ["'", '"', "`"].find((each) => !text.includes(each)) ?? "'";
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function functionText(value: unknown): string {
  const { name } = value as { name: string };
  if (/^class\b/.test(String(value))) return `[class ${name || "(anonymous)"}]`;
  return `[Function${name ? `: ${name}` : " (anonymous)"}]`;
}

interface Content {
  /** What stands before the bracket: the name of the class, and the size. */
  readonly prefix: string;
  readonly brackets: "[]" | "{}";
  readonly parts: readonly string[];
  /** Whether a last part counts items that are left out. */
  readonly isCut?: boolean;
  readonly isNumeric?: boolean;
}

function contentOf(value: object, name: string, show: (inner: unknown) => string): Content {
  if (Array.isArray(value)) return listOf(value, name === "Array" ? "" : `${name}(${value.length}) `, show);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const items = [...(value as unknown as Iterable<unknown>)];
    return listOf(items, `${name}(${items.length}) `, show);
  }
  if (value instanceof Set) {
    return { prefix: `${name}(${value.size}) `, brackets: "{}", parts: [...value].map(show) };
  }
  if (value instanceof Map) {
    const parts = [...value].map(([key, each]) => `${show(key)} => ${show(each)}`);
    return { prefix: `${name}(${value.size}) `, brackets: "{}", parts };
  }
  const parts = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, { enumerable }]) => enumerable)
    .map(([key, { get, value: own }]) => `${keyText(key)}: ${get ? "[Getter]" : show(own)}`);
  const isPlain = name === "Object";
  return { prefix: isPlain ? "" : name.includes(" ") ? `[${name}] ` : `${name} `, brackets: "{}", parts };
}

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

function listOf(items: readonly unknown[], prefix: string, show: (inner: unknown) => string): Content {
  const parts = items.slice(0, MAX_ITEMS).map(show);
  const rest = items.length - parts.length;
  if (rest > 0) parts.push(`... ${rest} more item${rest > 1 ? "s" : ""}`);
  const isNumeric = items.every((item) => typeof item === "number" || typeof item === "bigint");
  return { prefix, brackets: "[]", parts, isCut: rest > 0, isNumeric };
}

/** Writes content in one row if it fits, else in columns or with a row for each part. */
function layOut(content: Content, indent: number): string {
  const { prefix, brackets, parts } = content;
  const [open, close] = [prefix + brackets[0]!, brackets[1]!];
  if (parts.length === 0) return open + close;
  const rows = brackets === "[]" && parts.length > MAX_ROW ? columns(content, indent) : parts;
  if (rows.length === parts.length) {
    const length = parts.join("").length + 2 * parts.length + indent + open.length + 10;
    if (length <= WIDTH && !parts.some((part) => part.includes("\n"))) {
      return `${open} ${parts.join(", ")} ${close}`;
    }
  }
  const space = `\n${" ".repeat(indent)}`;
  return `${open}${space}  ${rows.join(`,${space}  `)}${space}${close}`;
}

/** Returns rows of several parts each, or the parts if they are too long. */
function columns({ parts, isCut, isNumeric }: Content, indent: number): readonly string[] {
  const items = isCut ? parts.slice(0, -1) : parts;
  const widths = items.map((item) => item.length + 2);
  const widest = Math.max(...widths);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const isEven = total / widest > 5 || widest <= 8;
  if (widest * 3 + indent >= WIDTH || !isEven) return parts;
  const biased = Math.max(widest - 3 - Math.sqrt(widest - total / parts.length), 1);
  const count = Math.min(
    Math.round(Math.sqrt(2.5 * biased * items.length) / biased),
    Math.floor((WIDTH - indent) / widest),
    MAX_COLUMNS,
  );
  if (count <= 1) return parts;
  const columnWidths = Array.from({ length: count }, (_, column) =>
    Math.max(...widths.filter((_width, i) => i % count === column)),
  );
  const rows: string[] = [];
  for (let i = 0; i < items.length; i += count) {
    const row = items.slice(i, i + count).map((item, column, all) => {
      const width = columnWidths[column]!;
      const isLast = column === all.length - 1;
      if (isNumeric) return isLast ? item.padStart(width - 2) : `${item}, `.padStart(width);
      return isLast ? item : `${item}, `.padEnd(width);
    });
    rows.push(row.join(""));
  }
  return isCut ? [...rows, parts.at(-1)!] : rows;
}
