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

/** What a date tells and takes in the time zone: `getHours`, where `getUTCHours` is the same everywhere. */
const IN_ZONE =
  /^new Date\.((get|set)(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year)|getTimezoneOffset|to(Date|Time)?String)$/;

/** Texts of dates that mean the same everywhere: as ISO has it, without hours or with a zone. */
const FIXED = /^([+-]\d\d)?\d{4}(-\d\d){0,2}(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;

/** What follows the language, the time zone or the Unicode data of a machine. */
export const noLocale = rule("Nothing that depends on the machine's language or time zone", (context) => ({
  MemberExpression(node) {
    const name = nameOf(node["property"] as Node, node["computed"] as boolean);
    if (name === undefined || !METHODS.has(name)) return;
    const instead = name === "localeCompare" ? "Compare by < and >." : "Leave texts to what is drawn.";
    context.report({ node, message: `${name} depends on the machine's language. ${instead}` });
  },
  Program() {
    traceGlobals(context, ({ path, node, again }) => {
      const message = LANGUAGES.has(path)
        ? `${path} depends on the machine's language. Leave texts to what is drawn.`
        : dateMessage(path, node);
      if (message && !again) context.report({ node, message });
    });
  },
}));

/** What is wrong with a date, if anything is. */
function dateMessage(path: string, node: Node): string | undefined {
  if (IN_ZONE.test(path))
    return `${path.slice(9)} is in the machine's time zone. Use the methods with UTC in their names.`;
  if (path !== "new Date" && path !== "Date.parse()") return undefined;
  const [first, second] = (node["arguments"] ?? []) as Node[];
  if (path === "new Date" && second)
    return "new Date(year, month, ...) is in the machine's time zone. Use new Date(Date.UTC(year, month, ...)).";
  const text = first && bare(first)["value"];
  // What new Date is given may be a number; what parse is given is a text that may be anything.
  const isFixed = typeof text === "string" ? FIXED.test(text) : path === "new Date";
  if (isFixed) return undefined;
  return "A date as text is read as the engine and the time zone have it. Use Date.UTC, or write 2026-11-30T12:00Z.";
}
