import type { Context, Node, Reference, Source, Variable } from "./rule.js";

/** A place in the code that reads a global, or something of one: `Math.sin`, whatever the way it is written. */
export interface Use {
  readonly path: string;
  readonly node: Node;
  /** By another name, whose own declaration was a use already: `s` after `const s = Math.sin`. */
  readonly again: boolean;
}

/** Names of the global object: what is read of them is a global. */
const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "global"]);

/** Modules of Node that have globals, or what might as well be: what is imported of them is a path. */
const MODULES = new Map([
  ["crypto", "crypto"],
  ["perf_hooks", ""],
  ["process", "process"],
  ["timers", ""],
  ["timers/promises", ""],
]);

/** Wrappers that change nothing about what is read. */
const TRANSPARENT = new Set([
  "ChainExpression",
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** What TypeScript adds that holds values, where all else of it holds types. */
const VALUES = new Set([...TRANSPARENT, "TSEnumMember", "TSExportAssignment", "TSImportEqualsDeclaration"]);

/** The longest path that is followed by another name: `m = m.next` would go on for ever. */
const LONGEST = 3;

/** Tells `found` of every use of globals in a file, through members, destructuring and other names for them. */
export function traceGlobals({ sourceCode }: Context, found: (use: Use) => void): void {
  const trace = new Trace(sourceCode, found);
  for (const scope of sourceCode.scopeManager.scopes)
    for (const reference of scope.references)
      if (isGlobal(reference) && !isType(reference.identifier)) trace.identifier(reference.identifier);
  for (const statement of sourceCode.ast["body"] as Node[]) trace.module(statement);
}

/** Whether nothing in the file makes it: a `Math` of one's own is not Math. */
const isGlobal = ({ resolved }: Reference) => !resolved || resolved.defs.every(isAmbient);

/** `declare const performance` makes nothing: it tells TypeScript that there is one. */
const isAmbient = ({ node }: { readonly node: Node }) => {
  const declaration = node.type === "VariableDeclarator" ? node.parent : node;
  return declaration["declare"] === true;
};

/** Types are gone when the code runs. */
function isType({ parent }: Node): boolean {
  // What an interface extends and a class implements is written as an expression.
  if (parent.type === "MemberExpression") return isType(parent);
  return parent.type.startsWith("TS") && !VALUES.has(parent.type);
}

class Trace {
  readonly #source: Source;
  readonly #found: (use: Use) => void;
  /** The variable that an identifier means. */
  readonly #variables = new Map<Node, Variable>();
  readonly #followed = new Map<Variable, Set<string>>();

  constructor(source: Source, found: (use: Use) => void) {
    this.#source = source;
    this.#found = found;
    for (const { references } of source.scopeManager.scopes)
      for (const { identifier, resolved } of references)
        if (resolved) this.#variables.set(identifier, resolved);
  }

  identifier(node: Node): void {
    const name = node["name"] as string;
    this.#reach(GLOBAL_OBJECTS.has(name) ? "" : name, node);
  }

  /** What a statement has from a module of Node. */
  module(statement: Node): void {
    const { type } = statement;
    if (statement["importKind"] === "type" || statement["exportKind"] === "type") return;
    if (type === "ImportDeclaration" || type === "ExportNamedDeclaration") this.#specifiers(statement);
    else if (type === "TSImportEqualsDeclaration") {
      // import crypto = require("crypto")
      const path = pathOfModule((statement["moduleReference"] as Node)["expression"]);
      if (path !== undefined) this.#follow(statement, path);
    }
  }

  #specifiers(statement: Node): void {
    const path = pathOfModule(statement["source"]);
    if (path === undefined) return;
    const isImport = statement.type === "ImportDeclaration";
    for (const specifier of statement["specifiers"] as Node[]) {
      if (specifier["importKind"] === "type" || specifier["exportKind"] === "type") continue;
      const theirs = specifier[isImport ? "imported" : "local"] as Node | undefined;
      const name = (theirs?.["name"] ?? theirs?.["value"] ?? "default") as string;
      const inner = join(path, name);
      if (inner !== path) this.#found({ path: inner, node: specifier, again: false });
      if (isImport) this.#follow(specifier, inner);
    }
  }

  /** `node` is what `path` names. Empty is the global object. */
  #reach(path: string, node: Node, again = false): void {
    if (path) this.#found({ path, node, again });
    this.#onward(path, node);
  }

  #onward(path: string, node: Node): void {
    const { parent } = node;
    if (!parent) return;
    if (TRANSPARENT.has(parent.type) || isOneOf(parent, node)) this.#onward(path, parent);
    else if (parent.type === "MemberExpression" && parent["object"] === node) {
      const name = nameOf(parent["property"] as Node, parent["computed"] as boolean);
      if (name !== undefined) this.#reach(join(path, name), parent);
    } else if (parent.type === "NewExpression" && parent["callee"] === node)
      this.#reach(`new ${path}`, parent);
    else if (parent.type === "CallExpression" && parent["callee"] === node) this.#called(path, parent);
    else if (parent.type === "VariableDeclarator" && parent["init"] === node)
      this.#bind(path, parent["id"] as Node);
    else if (parent.type === "TSImportEqualsDeclaration") this.#follow(parent, path);
    else if (
      (parent.type === "AssignmentExpression" || parent.type === "AssignmentPattern") &&
      parent["right"] === node
    )
      this.#bind(path, parent["left"] as Node);
  }

  #called(path: string, call: Node): void {
    if (path !== "require") return this.#reach(`${path}()`, call);
    const module = pathOfModule((call["arguments"] as Node[])[0]);
    if (module !== undefined) this.#onward(module, call);
  }

  /** `path` is given to a pattern. */
  #bind(path: string, pattern: Node): void {
    if (pattern.type === "AssignmentPattern") this.#bind(path, pattern["left"] as Node);
    else if (pattern.type === "Identifier") this.#rename(path, this.#variables.get(pattern));
    else if (pattern.type === "ObjectPattern")
      for (const property of pattern["properties"] as Node[]) this.#property(path, property);
  }

  #property(path: string, property: Node): void {
    if (property.type === "RestElement") return this.#bind(path, property["argument"] as Node);
    const name = nameOf(property["key"] as Node, property["computed"] as boolean);
    if (name === undefined) return;
    const inner = join(path, name);
    if (inner) this.#found({ path: inner, node: property, again: false });
    this.#bind(inner, property["value"] as Node);
  }

  #follow(declaration: Node, path: string): void {
    for (const variable of this.#source.getDeclaredVariables(declaration)) this.#rename(path, variable);
  }

  /** Another name for what `path` names: what is read of it counts too. */
  #rename(path: string, variable: Variable | undefined): void {
    if (!variable || path.split(/[ .(]/).length > LONGEST) return;
    const paths = this.#followed.get(variable) ?? new Set();
    this.#followed.set(variable, paths);
    // One that is its own source would lead round in a circle.
    if (paths.has(path)) return;
    paths.add(path);
    for (const { identifier } of variable.references)
      if (!isType(identifier)) this.#reach(path, identifier, true);
  }
}

/** Whether a part may be what the whole gives: `a ?? b`, `c ? a : b`, `(c, a)`. */
function isOneOf(whole: Node, part: Node): boolean {
  if (whole.type === "LogicalExpression") return true;
  if (whole.type === "ConditionalExpression") return whole["test"] !== part;
  return whole.type === "SequenceExpression" && (whole["expressions"] as Node[]).at(-1) === part;
}

/** What a module of Node stands for, if it has globals. */
function pathOfModule(name: unknown): string | undefined {
  const text = (name as Node | null | undefined)?.["value"];
  return typeof text === "string" ? MODULES.get(text.replace(/^node:/, "")) : undefined;
}

function join(path: string, name: string): string {
  // A module of Node as a whole.
  if (name === "default") return path;
  if (path === "") return GLOBAL_OBJECTS.has(name) ? "" : name;
  return `${path}.${name}`;
}

/** The name that a key reads, if it can be told: `sin`, `["sin"]`, [`sin`]. */
export function nameOf(key: Node, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key["name"] as string;
  if (key.type === "Literal") return typeof key["value"] === "string" ? key["value"] : undefined;
  if (key.type !== "TemplateLiteral") return undefined;
  const [only, ...more] = key["quasis"] as { value: { cooked: string } }[];
  return more.length === 0 ? only!.value.cooked : undefined;
}

/** What stands in wrappers that change nothing. */
export function bare(node: Node): Node {
  return TRANSPARENT.has(node.type) ? bare(node["expression"] as Node) : node;
}
