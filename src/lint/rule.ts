/** A node of an ESTree syntax tree, with TypeScript: a type, and the fields of that type. */
export interface Node {
  readonly type: string;
  readonly parent: Node;
  readonly range: readonly [number, number];
  readonly [field: string]: unknown;
}

export interface Reference {
  readonly identifier: Node;
  readonly resolved: Variable | null;
}

export interface Variable {
  readonly name: string;
  readonly defs: readonly { readonly node: Node }[];
  readonly references: readonly Reference[];
}

interface Scope {
  readonly references: readonly Reference[];
  readonly set: ReadonlyMap<string, Variable>;
  readonly upper: Scope | null;
}

/** The part of a linter's SourceCode that rules read. */
export interface Source {
  readonly ast: Node;
  readonly scopeManager: { readonly scopes: readonly Scope[] };
  getText(node: Node): string;
  getScope(node: Node): Scope;
  getDeclaredVariables(node: Node): readonly Variable[];
}

interface Fixer {
  replaceText(node: Node, text: string): unknown;
  insertTextBeforeRange(range: readonly [number, number], text: string): unknown;
}

/** A change that a linter offers for a finding. */
export interface Suggestion {
  readonly desc: string;
  fix(fixer: Fixer): unknown;
}

export interface Context {
  readonly sourceCode: Source;
  report(finding: { node: Node; message: string; suggest?: readonly Suggestion[] }): void;
}

type Listeners = Readonly<Record<string, (node: Node) => void>>;

/** A rule for ESLint 9 and later, and for oxlint. Using it needs none of their types. */
export interface LintRule {
  readonly meta: {
    readonly type: "problem";
    readonly docs: { readonly description: string };
    readonly schema: [];
    readonly hasSuggestions: boolean;
  };
  // Only an object, so that it fits the types of any linter. `Context` is the part that the rules read.
  create(context: object): Listeners;
}

/** Creates a rule. It has no options, as everything it reports violates the determinism contract. */
export function rule(
  description: string,
  create: (context: Context) => Listeners,
  { hasSuggestions = false } = {},
): LintRule {
  return {
    meta: { type: "problem", docs: { description }, schema: [], hasSuggestions },
    create: (context) => create(context as Context),
  };
}
