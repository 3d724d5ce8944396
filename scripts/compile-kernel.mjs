// Compiles functions of integers and doubles from TypeScript to the text format of WebAssembly. It knows no more than the
// kernels need: numbers are 32-bit integers, or doubles where they are declared as `Float`; memory is read and written through
// arrays named i32, u16, u8 and f64. Anything else is an error.
import { parseSync } from "oxc-parser";

/** @typedef {{ type: string, [key: string]: any }} Node */
/** @typedef {{ code: string, type: "i32" | "f64" | "void", value?: number }} Value */

const ARRAYS =
  /** @type {Record<string, { size: number, load: string, store: string, type: "i32" | "f64" }>} */ ({
    i32: { size: 4, load: "i32.load", store: "i32.store", type: "i32" },
    u16: { size: 2, load: "i32.load16_u", store: "i32.store16", type: "i32" },
    u8: { size: 1, load: "i32.load8_u", store: "i32.store8", type: "i32" },
    f64: { size: 8, load: "f64.load", store: "f64.store", type: "f64" },
  });

const INTEGER_OPERATORS = /** @type {Record<string, string>} */ ({
  "+": "add",
  "-": "sub",
  "*": "mul",
  "&": "and",
  "|": "or",
  "^": "xor",
  "<<": "shl",
  ">>": "shr_s",
  ">>>": "shr_u",
  "<": "lt_s",
  ">": "gt_s",
  "<=": "le_s",
  ">=": "ge_s",
  "===": "eq",
  "!==": "ne",
});
const FLOAT_OPERATORS = /** @type {Record<string, string>} */ ({
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "<": "lt",
  ">": "gt",
  "<=": "le",
  ">=": "ge",
  "===": "eq",
  "!==": "ne",
});
const COMPARISONS = new Set(["<", ">", "<=", ">=", "===", "!=="]);
const FLOAT_CALLS = /** @type {Record<string, string>} */ ({ floor: "floor", sqrt: "sqrt", abs: "abs" });

/** Returns the numbers that a file exports. */
export function constantsOf(/** @type {string} */ name, /** @type {string} */ text) {
  const constants = /** @type {Map<string, number>} */ (new Map());
  for (const statement of parse(name, text)) {
    const declaration = statement.declaration;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations)
      if (init?.type === "Literal" && typeof init.value === "number") constants.set(id.name, init.value);
  }
  return constants;
}

/**
 * Returns a module with the functions that are declared in `outer`. Exports those named in `exported`. Functions in `written` are
 * taken from there, by name, as they were written by hand.
 */
export function compile(
  /** @type {string} */ name,
  /** @type {string} */ text,
  /** @type {string} */ outer,
  /** @type {readonly string[]} */ exported,
  /** @type {Map<string, number>} */ constants,
  /** @type {Record<string, string>} */ written = {},
) {
  const found = parse(name, text).find(
    (/** @type {Node} */ { declaration }) => declaration?.id?.name === outer,
  );
  if (!found) throw new Error(`${name} does not export ${outer}`);
  const functions = /** @type {Node[]} */ (found.declaration.body.body).filter(
    ({ type }) => type === "FunctionDeclaration",
  );
  const results = new Map(functions.map(({ id, returnType }) => [id.name, typeOf(returnType)]));
  const code = functions.map(
    (own) => written[own.id.name] ?? new FunctionCompiler(own, constants, results).compile(exported),
  );
  return `(module\n(import "tickwise" "memory" (memory 1))\n${code.join("\n")})\n`;
}

/** @returns {Node[]} */
function parse(/** @type {string} */ name, /** @type {string} */ text) {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  return /** @type {any} */ (program.body);
}

/** @returns {"i32" | "f64" | "void"} */
function typeOf(/** @type {Node | null | undefined} */ annotation) {
  const type = annotation?.typeAnnotation;
  if (type?.type === "TSVoidKeyword") return "void";
  return type?.typeName?.name === "Float" ? "f64" : "i32";
}

/** Removes parentheses, and the exclamation mark of `i32[at]!`. */
function bare(/** @type {Node} */ node) {
  let inner = node;
  while (inner.type === "ParenthesizedExpression" || inner.type === "TSNonNullExpression")
    inner = inner.expression;
  return inner;
}

const isNumber = (/** @type {Node} */ node, /** @type {number} */ value) =>
  node.type === "Literal" && node.value === value;

/** Returns x for `x >>> 0`. */
function unsigned(/** @type {Node} */ node) {
  const inner = bare(node);
  return inner.type === "BinaryExpression" && inner.operator === ">>>" && isNumber(inner.right, 0)
    ? inner.left
    : undefined;
}

class FunctionCompiler {
  /** @type {Map<string, { name: string, type: "i32" | "f64" }>[]} */
  #scopes = [new Map()];
  /** @type {string[]} */
  #locals = [];
  #count = 0;

  constructor(
    /** @type {Node} */ own,
    /** @type {Map<string, number>} */ constants,
    /** @type {Map<string, "i32" | "f64" | "void">} */ results,
  ) {
    this.own = own;
    this.constants = constants;
    this.results = results;
  }

  compile(/** @type {readonly string[]} */ exported) {
    const { id, params, body, returnType } = this.own;
    const head = params.map((/** @type {Node} */ { name, typeAnnotation }) => {
      const type = /** @type {"i32" | "f64"} */ (typeOf(typeAnnotation));
      return `(param ${this.#declare(name, type, true)} ${type})`;
    });
    const result = typeOf(returnType);
    const code = this.#block(body);
    const exports = exported.includes(id.name) ? [`(export "${id.name}")`] : [];
    const results = result === "void" ? [] : [`(result ${result})`];
    // Every path returns.
    const end = result === "void" ? "" : "\n(unreachable)";
    return `(func $${id.name} ${[...exports, ...head, ...results, ...this.#locals].join(" ")}\n${code}${end})`;
  }

  #declare(/** @type {string} */ name, /** @type {"i32" | "f64"} */ type, isParameter = false) {
    const unique = `$${name}_${this.#count++}`;
    this.#scopes.at(-1)?.set(name, { name: unique, type });
    if (!isParameter) this.#locals.push(`(local ${unique} ${type})`);
    return unique;
  }

  #find(/** @type {Node} */ node) {
    for (const scope of [...this.#scopes].reverse()) {
      const local = scope.get(node.name);
      if (local) return local;
    }
    return undefined;
  }

  #fail(/** @type {Node} */ node, problem = "is not supported") {
    return new Error(`${this.own.id.name}: ${node.type} at ${node.start} ${problem}`);
  }

  #scoped(/** @type {() => string} */ compile) {
    this.#scopes.push(new Map());
    const code = compile();
    this.#scopes.pop();
    return code;
  }

  #block(/** @type {Node} */ node) {
    return this.#scoped(() =>
      node.body.map((/** @type {Node} */ statement) => this.#statement(statement)).join("\n"),
    );
  }

  /** @returns {string} */
  #statement(/** @type {Node} */ node) {
    switch (node.type) {
      case "BlockStatement":
        return this.#block(node);
      case "ExpressionStatement":
        return this.#effect(node.expression);
      case "VariableDeclaration":
        return node.declarations.map((/** @type {Node} */ each) => this.#variable(each)).join("\n");
      case "ReturnStatement":
        return node.argument ? `(return ${this.#value(node.argument).code})` : "(return)";
      case "IfStatement": {
        const otherwise = node.alternate ? `\n(else ${this.#statement(node.alternate)})` : "";
        return `(if ${this.#condition(node.test)}\n(then ${this.#statement(node.consequent)})${otherwise})`;
      }
      case "WhileStatement":
        return this.#loop(node.test, node.body);
      case "ForStatement":
        return this.#scoped(
          () =>
            `${node.init ? this.#statement(node.init) : ""}\n${this.#loop(node.test, node.body, node.update)}`,
        );
      default:
        throw this.#fail(node);
    }
  }

  #loop(
    /** @type {Node} */ test,
    /** @type {Node} */ body,
    /** @type {Node | undefined} */ update = undefined,
  ) {
    const label = this.#count++;
    const rest = update ? `${this.#effect(update)}\n` : "";
    return `(block $end${label} (loop $next${label}
(br_if $end${label} (i32.eqz ${this.#condition(test)}))
${this.#statement(body)}
${rest}(br $next${label})))`;
  }

  #variable(/** @type {Node} */ { id, init }) {
    const value = this.#value(init);
    const type = id.typeAnnotation ? typeOf(id.typeAnnotation) : value.type;
    if (type !== value.type) throw this.#fail(init, `is ${value.type}, not ${type}`);
    return `(local.set ${this.#declare(id.name, /** @type {"i32" | "f64"} */ (type))} ${value.code})`;
  }

  /** Compiles an expression whose value is not used. */
  #effect(/** @type {Node} */ node) {
    if (node.type === "AssignmentExpression") return this.#assignment(node);
    if (node.type === "UpdateExpression") {
      const { code, type } = this.#value(node.argument);
      const by = node.operator === "++" ? 1 : -1;
      if (type !== "i32") throw this.#fail(node);
      return this.#set(node.argument, `(i32.add ${code} (i32.const ${by}))`);
    }
    const { code, type } = this.#value(node);
    return type === "void" ? code : `(drop ${code})`;
  }

  #assignment(/** @type {Node} */ { left, right, operator }) {
    const value =
      operator === "="
        ? this.#value(right)
        : this.#binary({ type: "BinaryExpression", operator: operator.slice(0, -1), left, right });
    return this.#set(left, value.code);
  }

  #set(/** @type {Node} */ target, /** @type {string} */ code) {
    const node = bare(target);
    if (node.type === "Identifier") {
      const local = this.#find(node);
      if (!local) throw this.#fail(node, `${node.name} is not a variable`);
      return `(local.set ${local.name} ${code})`;
    }
    const { array, address } = this.#address(node);
    return `(${array.store} ${address} ${code})`;
  }

  #address(/** @type {Node} */ node) {
    const array = node.type === "MemberExpression" && node.computed ? ARRAYS[node.object.name] : undefined;
    if (!array) throw this.#fail(node);
    const { rest, offset } = this.#split(bare(node.property));
    const { size } = array;
    const shift = Math.log2(size);
    const base = rest.length === 0 ? "(i32.const 0)" : rest.reduce((sum, each) => `(i32.add ${sum} ${each})`);
    const scaled = shift === 0 || rest.length === 0 ? base : `(i32.shl ${base} (i32.const ${shift}))`;
    // A negative offset has to be part of the sum.
    const address = offset < 0 ? `(i32.add ${scaled} (i32.const ${offset * size}))` : scaled;
    return { array, address: offset > 0 ? `offset=${offset * size} ${address}` : address };
  }

  /** Splits a sum into its constant and the rest. @returns {{ rest: string[], offset: number }} */
  #split(/** @type {Node} */ node) {
    const inner = bare(node);
    if (inner.type === "BinaryExpression" && (inner.operator === "+" || inner.operator === "-")) {
      const left = this.#split(inner.left);
      const right = this.#split(inner.right);
      if (inner.operator === "+")
        return { rest: [...left.rest, ...right.rest], offset: left.offset + right.offset };
      if (right.rest.length === 0) return { rest: left.rest, offset: left.offset - right.offset };
    }
    const { code, value } = this.#value(inner);
    return value === undefined ? { rest: [code], offset: 0 } : { rest: [], offset: value };
  }

  #condition(/** @type {Node} */ node) {
    const { code, type } = this.#value(node);
    if (type !== "i32") throw this.#fail(node, "is not a condition");
    return code;
  }

  /** @returns {Value} */
  #value(/** @type {Node} */ wrapped) {
    const node = bare(wrapped);
    switch (node.type) {
      case "Literal":
        if (node.raw.includes(".")) return { code: `(f64.const ${node.raw})`, type: "f64" };
        return { code: `(i32.const ${node.value | 0})`, type: "i32", value: node.value | 0 };
      case "Identifier": {
        const local = this.#find(node);
        if (local) return { code: `(local.get ${local.name})`, type: local.type };
        const value = this.constants.get(node.name);
        if (value === undefined) throw this.#fail(node, `${node.name} is unknown`);
        return { code: `(i32.const ${value})`, type: "i32", value };
      }
      case "MemberExpression": {
        const { array, address } = this.#address(node);
        return { code: `(${array.load} ${address})`, type: array.type };
      }
      case "UnaryExpression":
        return this.#unary(node);
      case "BinaryExpression":
        return this.#binary(node);
      case "LogicalExpression": {
        const [left, right] = [this.#condition(node.left), this.#condition(node.right)];
        const [yes, no] = node.operator === "&&" ? [right, "(i32.const 0)"] : ["(i32.const 1)", right];
        return { code: `(if (result i32) ${left} (then ${yes}) (else ${no}))`, type: "i32" };
      }
      case "ConditionalExpression":
        return this.#conditional(node);
      case "CallExpression":
        return this.#call(node);
      default:
        throw this.#fail(node);
    }
  }

  /** @returns {Value} */
  #unary(/** @type {Node} */ { operator, argument, ...node }) {
    const { code, type, value } = this.#value(argument);
    if (operator === "-" && value !== undefined)
      return { code: `(i32.const ${-value})`, type, value: -value };
    if (operator === "-" && type === "f64") return { code: `(f64.neg ${code})`, type };
    if (operator === "-") return { code: `(i32.sub (i32.const 0) ${code})`, type };
    if (operator === "~" && type === "i32") return { code: `(i32.xor ${code} (i32.const -1))`, type };
    throw this.#fail(/** @type {Node} */ (/** @type {unknown} */ (node)));
  }

  /** @returns {Value} */
  #binary(/** @type {Node} */ node) {
    const { operator, left, right } = node;
    // Integers wrap by themselves.
    if ((operator === "|" || operator === ">>>") && isNumber(right, 0)) return this.#value(left);
    const bareLeft = unsigned(left);
    const bareRight = unsigned(right) ?? (bare(right).type === "Literal" ? right : undefined);
    // Only for positive results below 2 ** 31, as in `((a >>> 0) / (b >>> 0)) | 0`.
    if (operator === "/" && bareLeft && bareRight)
      return {
        code: `(i32.div_u ${this.#value(bareLeft).code} ${this.#value(bareRight).code})`,
        type: "i32",
      };
    if (operator === "<" && bareLeft && bareRight)
      return { code: `(i32.lt_u ${this.#value(bareLeft).code} ${this.#value(bareRight).code})`, type: "i32" };
    const [a, b] = [this.#value(left), this.#value(right)];
    if (a.type !== b.type) throw this.#fail(node, `mixes ${a.type} and ${b.type}`);
    if (a.value !== undefined && b.value !== undefined) {
      const folded = fold(operator, a.value, b.value);
      if (folded !== undefined) return { code: `(i32.const ${folded})`, type: "i32", value: folded };
    }
    const name = (a.type === "f64" ? FLOAT_OPERATORS : INTEGER_OPERATORS)[operator];
    if (!name) throw this.#fail(node, `has operator ${operator}`);
    return {
      code: `(${a.type}.${name} ${a.code} ${b.code})`,
      type: COMPARISONS.has(operator) ? "i32" : a.type,
    };
  }

  /** @returns {Value} */
  #conditional(/** @type {Node} */ node) {
    const test = this.#condition(node.test);
    const [yes, no] = [this.#value(node.consequent), this.#value(node.alternate)];
    if (yes.type !== no.type) throw this.#fail(node, "has two types");
    // Both sides of a select are evaluated.
    const isSimple = [node.consequent, node.alternate].every((side) =>
      /^(Literal|Identifier)$/.test(bare(side).type),
    );
    if (isSimple) return { code: `(select ${yes.code} ${no.code} ${test})`, type: yes.type };
    return { code: `(if (result ${yes.type}) ${test} (then ${yes.code}) (else ${no.code}))`, type: yes.type };
  }

  /** @returns {Value} */
  #call(/** @type {Node} */ node) {
    const { callee } = node;
    const values = node.arguments.map((/** @type {Node} */ each) => this.#value(each));
    const codes = values.map((/** @type {Value} */ { code }) => code).join(" ");
    const name = callee.type === "MemberExpression" ? `Math.${callee.property.name}` : callee.name;
    if (name === "Math.imul") return { code: `(i32.mul ${codes})`, type: "i32" };
    if (name === "Math.clz32") return { code: `(i32.clz ${codes})`, type: "i32" };
    if (name === "toFloat") return { code: `(f64.convert_i32_s ${codes})`, type: "f64" };
    if (name === "toInt") return { code: `(i32.trunc_sat_f64_s ${codes})`, type: "i32" };
    const float = callee.type === "MemberExpression" && FLOAT_CALLS[callee.property.name];
    if (float) return { code: `(f64.${float} ${codes})`, type: "f64" };
    const type = this.results.get(name);
    if (type === undefined) throw this.#fail(node, `calls ${name}`);
    return { code: `(call $${name} ${codes})`, type };
  }
}

/** @returns {number | undefined} */
function fold(/** @type {string} */ operator, /** @type {number} */ a, /** @type {number} */ b) {
  if (operator === "+") return (a + b) | 0;
  if (operator === "-") return (a - b) | 0;
  if (operator === "*") return Math.imul(a, b);
  return undefined;
}
