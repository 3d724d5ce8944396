/** A node of a syntax tree as ESTree and its TypeScript dialect have it: a type, and whatever that type has. */
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

/** What a linter offers to do about a finding, if it is asked to. */
export interface Suggestion {
  readonly desc: string;
  fix(fixer: Fixer): unknown;
}

export interface Context {
  readonly sourceCode: Source;
  report(finding: { node: Node; message: string; suggest?: readonly Suggestion[] }): void;
}

type Listeners = Readonly<Record<string, (node: Node) => void>>;

/** A rule as ESLint 9 and later and oxlint take it. Their types are not needed to use it. */
export interface LintRule {
  readonly meta: {
    readonly type: "problem";
    readonly docs: { readonly description: string };
    readonly schema: [];
    readonly hasSuggestions: boolean;
  };
  // What a linter hands over is its own business; the rules name the part of it that they read.
  create(context: object): Listeners;
}

/** Makes a rule. What it reports is a breach of the contract that the docs tell of, so it has no options. */
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
