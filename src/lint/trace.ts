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
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** Tells `found` of every use of globals in a file, through members, destructuring and other names for them. */
export function traceGlobals({ sourceCode }: Context, found: (use: Use) => void): void {
  const trace = new Trace(sourceCode, found);
  for (const scope of sourceCode.scopeManager.scopes)
    for (const reference of scope.references)
      if (isGlobal(reference) && !isType(reference)) trace.identifier(reference.identifier);
  for (const statement of sourceCode.ast["body"] as Node[])
    if (statement.type === "ImportDeclaration") trace.imports(statement);
}

/** Whether nothing in the file declares it: a `Math` of one's own is not Math. */
const isGlobal = ({ resolved }: Reference) => !resolved || resolved.defs.length === 0;

/** Types are gone when the code runs. */
const isType = ({ identifier: { parent } }: Reference) =>
  parent.type.startsWith("TS") && !TRANSPARENT.has(parent.type);

class Trace {
  readonly #source: Source;
  readonly #found: (use: Use) => void;
  readonly #followed = new Set<Variable>();

  constructor(source: Source, found: (use: Use) => void) {
    this.#source = source;
    this.#found = found;
  }

  identifier(node: Node): void {
    const name = node["name"] as string;
    this.#reach(GLOBAL_OBJECTS.has(name) ? "" : name, node);
  }

  imports(declaration: Node): void {
    const source = (declaration["source"] as Node)["value"] as string;
    const path = MODULES.get(source.replace(/^node:/, ""));
    if (path === undefined) return;
    for (const specifier of declaration["specifiers"] as Node[]) {
      const imported = specifier["imported"] as Node | undefined;
      const name = imported && ((imported["name"] ?? imported["value"]) as string);
      if (name && name !== "default") this.#reach(join(path, name), specifier);
      this.#follow(specifier, name && name !== "default" ? join(path, name) : path);
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
    if (TRANSPARENT.has(parent.type)) this.#onward(path, parent);
    else if (parent.type === "MemberExpression" && parent["object"] === node) {
      const name = nameOf(parent["property"] as Node, parent["computed"] as boolean);
      if (name !== undefined) this.#reach(join(path, name), parent);
    } else if (parent.type === "VariableDeclarator" && parent["init"] === node)
      this.#bind(path, parent["id"] as Node, parent);
    else if (parent.type === "AssignmentExpression" && parent["right"] === node)
      this.#destructure(path, parent["left"] as Node, undefined);
  }

  /** `path` is given to a pattern; `declarator` declares the variables in it. */
  #bind(path: string, pattern: Node, declarator: Node | undefined): void {
    if (pattern.type === "AssignmentPattern") this.#bind(path, pattern["left"] as Node, declarator);
    else if (pattern.type === "Identifier") {
      if (declarator) this.#follow(declarator, path, pattern["name"] as string);
    } else this.#destructure(path, pattern, declarator);
  }

  #destructure(path: string, pattern: Node, declarator: Node | undefined): void {
    if (pattern.type !== "ObjectPattern") return;
    for (const property of pattern["properties"] as Node[]) {
      if (property.type === "RestElement") {
        this.#bind(path, property["argument"] as Node, declarator);
        continue;
      }
      const name = nameOf(property["key"] as Node, property["computed"] as boolean);
      if (name === undefined) continue;
      const inner = join(path, name);
      if (inner) this.#found({ path: inner, node: property, again: false });
      this.#bind(inner, property["value"] as Node, declarator);
    }
  }

  /** Another name for what `path` names: what is read of it counts too. */
  #follow(declaration: Node, path: string, name?: string): void {
    for (const variable of this.#source.getDeclaredVariables(declaration)) {
      if (name !== undefined && variable.name !== name) continue;
      // One that is its own source would lead round in a circle.
      if (this.#followed.has(variable)) continue;
      this.#followed.add(variable);
      for (const { identifier } of variable.references) this.#reach(path, identifier, true);
    }
  }
}

function join(path: string, name: string): string {
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
