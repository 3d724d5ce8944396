import type { Context, Node, Reference, Source, Variable } from "./rule.js";

/** A use of a global or of its members, such as `Math.sin`, however it is written. */
export interface Use {
  readonly path: string;
  readonly node: Node;
  /** Whether it is a use by another name, whose declaration was reported already: `s` after `const s = Math.sin`. */
  readonly isAlias: boolean;
}

/** Names of the global object. Their members are globals. */
const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "global"]);

/** Node modules that export globals, or functions that are as good as globals, and the path of their exports. */
const MODULES = new Map([
  ["crypto", "crypto"],
  ["perf_hooks", ""],
  ["process", "process"],
  ["timers", ""],
  ["timers/promises", ""],
]);

/** Wrappers that do not change the value. */
const TRANSPARENT = new Set([
  "ChainExpression",
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** Nodes of TypeScript that contain values. All others contain types. */
const VALUES = new Set([...TRANSPARENT, "TSEnumMember", "TSExportAssignment", "TSImportEqualsDeclaration"]);

/** Maximum length of a path that is followed through another name. `m = m.next` would never end. */
const MAX_PATH = 3;

/** Calls `found` for every use of globals in a file, through members, destructuring and aliases. */
export function traceGlobals({ sourceCode }: Context, found: (use: Use) => void): void {
  const trace = new Trace(sourceCode, found);
  for (const scope of sourceCode.scopeManager.scopes)
    for (const reference of scope.references)
      if (isGlobal(reference) && !isType(reference.identifier)) trace.identifier(reference.identifier);
  for (const statement of sourceCode.ast["body"] as Node[]) trace.module(statement);
}

/** Whether a reference is not defined in the file. A local `Math` is not the global one. */
const isGlobal = ({ resolved }: Reference) => !resolved || resolved.defs.every(isAmbient);

/** Whether it only declares a type: `declare const performance` defines nothing. */
const isAmbient = ({ node }: { readonly node: Node }) => {
  const declaration = node.type === "VariableDeclarator" ? node.parent : node;
  return declaration["declare"] === true;
};

/** Whether a node is part of a type, which does not exist at run time. */
function isType({ parent }: Node): boolean {
  // The clauses `extends` of an interface and `implements` of a class contain expressions.
  if (parent.type === "MemberExpression") return isType(parent);
  return parent.type.startsWith("TS") && !VALUES.has(parent.type);
}

class Trace {
  readonly #source: Source;
  readonly #found: (use: Use) => void;
  /** The variable that each identifier refers to. */
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

  /** Traces what a statement imports from a Node module. */
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
      if (inner !== path) this.#found({ path: inner, node: specifier, isAlias: false });
      if (isImport) this.#follow(specifier, inner);
    }
  }

  /** Reports that `node` evaluates to `path`, and traces on. An empty path is the global object. */
  #reach(path: string, node: Node, isAlias = false): void {
    if (path) this.#found({ path, node, isAlias });
    this.#onward(path, node);
  }

  #onward(path: string, node: Node): void {
    const { parent } = node;
    if (!parent) return;
    if (TRANSPARENT.has(parent.type) || isPossibleValue(parent, node)) this.#onward(path, parent);
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

  /** Traces an assignment of `path` to a pattern. */
  #bind(path: string, pattern: Node): void {
    if (pattern.type === "AssignmentPattern") this.#bind(path, pattern["left"] as Node);
    else if (pattern.type === "Identifier") this.#alias(path, this.#variables.get(pattern));
    else if (pattern.type === "ObjectPattern")
      for (const property of pattern["properties"] as Node[]) this.#property(path, property);
  }

  #property(path: string, property: Node): void {
    if (property.type === "RestElement") return this.#bind(path, property["argument"] as Node);
    const name = nameOf(property["key"] as Node, property["computed"] as boolean);
    if (name === undefined) return;
    const inner = join(path, name);
    if (inner) this.#found({ path: inner, node: property, isAlias: false });
    this.#bind(inner, property["value"] as Node);
  }

  #follow(declaration: Node, path: string): void {
    for (const variable of this.#source.getDeclaredVariables(declaration)) this.#alias(path, variable);
  }

  /** Traces the uses of a variable that holds `path`. */
  #alias(path: string, variable: Variable | undefined): void {
    if (!variable || path.split(/[ .(]/).length > MAX_PATH) return;
    const paths = this.#followed.get(variable) ?? new Set();
    this.#followed.set(variable, paths);
    // A variable that is assigned to itself would never end.
    if (paths.has(path)) return;
    paths.add(path);
    for (const { identifier } of variable.references)
      if (!isType(identifier)) this.#reach(path, identifier, true);
  }
}

/** Whether a part can be the value of the whole: `a ?? b`, `c ? a : b`, `(c, a)`. */
function isPossibleValue(whole: Node, part: Node): boolean {
  if (whole.type === "LogicalExpression") return true;
  if (whole.type === "ConditionalExpression") return whole["test"] !== part;
  return whole.type === "SequenceExpression" && (whole["expressions"] as Node[]).at(-1) === part;
}

/** Returns the path of a Node module's exports, if it is one of `MODULES`. */
function pathOfModule(name: unknown): string | undefined {
  const text = (name as Node | null | undefined)?.["value"];
  return typeof text === "string" ? MODULES.get(text.replace(/^node:/, "")) : undefined;
}

function join(path: string, name: string): string {
  // The default export of a Node module is the module itself.
  if (name === "default") return path;
  if (path === "") return GLOBAL_OBJECTS.has(name) ? "" : name;
  return `${path}.${name}`;
}

/** Returns the name of a key, if it is known: `sin`, `["sin"]`, [`sin`]. */
export function nameOf(key: Node, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key["name"] as string;
  if (key.type === "Literal") return typeof key["value"] === "string" ? key["value"] : undefined;
  if (key.type !== "TemplateLiteral") return undefined;
  const [only, ...more] = key["quasis"] as { value: { cooked: string } }[];
  return more.length === 0 ? only!.value.cooked : undefined;
}

/** Removes wrappers that do not change the value. */
export function bare(node: Node): Node {
  return TRANSPARENT.has(node.type) ? bare(node["expression"] as Node) : node;
}
