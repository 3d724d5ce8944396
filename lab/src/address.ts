/** A numeric setting. */
interface Range {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly initial: number;
}

/** A choice from a list. `choices` maps names in the address to labels. */
interface Choice<Name extends string = string> {
  readonly label: string;
  readonly choices: Readonly<Record<Name, string>>;
  readonly initial: NoInfer<Name>;
}

export type Settings = Readonly<Record<string, Range | Choice>>;
export type Values<S extends Settings> = {
  -readonly [K in keyof S]: S[K] extends Choice<infer Name> ? Name : number;
};
type AnyValues = Readonly<Record<string, number | string>>;

/** A parsed address: `#five-loops?rate=40&fps=60&at=120s80`. */
export interface Address {
  readonly experiment: string;
  readonly query: URLSearchParams;
}

export function readAddress(hash: string): Address {
  const [experiment = "", query = ""] = hash.replace(/^#/, "").split("?");
  return { experiment, query: new URLSearchParams(query) };
}

/** Reads the settings from a query. Missing or invalid ones get their initial value. */
export function readValues<S extends Settings>(settings: S, query: URLSearchParams): Values<S> {
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = (query.get(name) ?? "").trim();
    return [name, "choices" in setting ? readChoice(setting, text) : readNumber(setting, text)];
  });
  return Object.fromEntries(values) as Values<S>;
}

const readChoice = ({ choices, initial }: Choice, text: string) =>
  Object.hasOwn(choices, text) ? text : initial;

function readNumber({ min, max, step, initial }: Range, text: string): number {
  const number = text === "" ? NaN : Number(text);
  // Rounded to the control's step, so that the panel and the experiment agree.
  const onGrid = min + Math.round((number - min) / step) * step;
  return Number.isFinite(number) ? tidy(Math.min(max, Math.max(min, onGrid))) : initial;
}

/** Returns the address of an experiment with these settings, and the moment `at`, if given. */
export function writeAddress(experiment: string, values: AnyValues, at = ""): string {
  const parts = Object.entries(values).map(
    ([name, value]) => `${name}=${typeof value === "number" ? tidy(value) : value}`,
  );
  if (at) parts.push(`at=${at}`);
  return `#${experiment}?${parts.join("&")}`;
}

/** Removes rounding noise, as in 0.1 + 0.2. */
const tidy = (value: number) => Number(value.toFixed(6));
