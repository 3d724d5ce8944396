/** A number that the visitor may set. */
interface Range {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly initial: number;
}

export type Ranges = Readonly<Record<string, Range>>;
export type Values<R extends Ranges> = { [K in keyof R]: number };

/** What an address asks for: `#five-loops?rate=40&fps=60&at=120s80`. */
export interface Address {
  readonly experiment: string;
  readonly query: URLSearchParams;
}

export function readAddress(hash: string): Address {
  const [experiment = "", query = ""] = hash.replace(/^#/, "").split("?");
  return { experiment, query: new URLSearchParams(query) };
}

/** The settings that a query holds; what is missing or no number is as it is at first. */
export function readValues<R extends Ranges>(ranges: R, query: URLSearchParams): Values<R> {
  const values = Object.entries(ranges).map(([name, { min, max, step, initial }]) => {
    const text = query.get(name) ?? "";
    const number = text.trim() === "" ? NaN : Number(text);
    // On the control's own grid, so that the panel and the experiment cannot differ.
    const onGrid = min + Math.round((number - min) / step) * step;
    return [name, Number.isFinite(number) ? tidy(Math.min(max, Math.max(min, onGrid))) : initial];
  });
  return Object.fromEntries(values) as Values<R>;
}

/** The address of an experiment with these settings, and the moment `at`, if there is one. */
export function writeAddress(experiment: string, values: Readonly<Record<string, number>>, at = ""): string {
  const parts = Object.entries(values).map(([name, value]) => `${name}=${tidy(value)}`);
  if (at) parts.push(`at=${at}`);
  return `#${experiment}?${parts.join("&")}`;
}

/** Without the tail of a sum like 0.1 + 0.2. */
const tidy = (value: number) => Number(value.toFixed(6));
