import { rule, type Node } from "./rule.js";
import { bare, nameOf, traceGlobals } from "./trace.js";

const METHODS = new Set([
  "localeCompare",
  "toLocaleDateString",
  "toLocaleLowerCase",
  "toLocaleString",
  "toLocaleTimeString",
  "toLocaleUpperCase",
]);

const LANGUAGES = new Set(["Intl", "navigator.language", "navigator.languages"]);

/** Methods of dates that use the time zone: `getHours`, whereas `getUTCHours` is the same everywhere. */
const IN_ZONE =
  /^new Date\.((get|set)(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year)|getTimezoneOffset|to(Date|Time)?String)$/;

/** Date strings that mean the same everywhere: ISO dates without a time, or with a time zone. */
const FIXED = /^([+-]\d\d)?\d{4}(-\d\d){0,2}(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;

/** Results that depend on the language, the time zone or the Unicode data of a machine. */
export const noLocale = rule("Nothing that depends on the machine's language or time zone", (context) => ({
  MemberExpression(node) {
    const name = nameOf(node["property"] as Node, node["computed"] as boolean);
    if (name === undefined || !METHODS.has(name)) return;
    const fix = name === "localeCompare" ? "Compare with < and >." : "Format text when drawing.";
    context.report({ node, message: `${name} depends on the machine's language. ${fix}` });
  },
  Program() {
    traceGlobals(context, ({ path, node, isAlias }) => {
      const message = LANGUAGES.has(path)
        ? `${path} depends on the machine's language. Format text when drawing.`
        : dateMessage(path, node);
      if (message && !isAlias) context.report({ node, message });
    });
  },
}));

/** Returns the message for a use of Date that depends on the time zone. */
function dateMessage(path: string, node: Node): string | undefined {
  if (IN_ZONE.test(path)) return `${path.slice(9)} uses the machine's time zone. Use the UTC method.`;
  if (path !== "new Date" && path !== "Date.parse()") return undefined;
  const [first, second] = (node["arguments"] ?? []) as Node[];
  if (path === "new Date" && second)
    return "new Date(year, month, ...) uses the machine's time zone. Use new Date(Date.UTC(year, month, ...)).";
  const text = first && bare(first)["value"];
  // An unknown argument of new Date may be a number; that of Date.parse is an arbitrary string.
  const isFixed = typeof text === "string" ? FIXED.test(text) : path === "new Date";
  if (isFixed) return undefined;
  return "The meaning of this date string depends on the engine and the time zone. Use Date.UTC, or write 2026-11-30T12:00Z.";
}
