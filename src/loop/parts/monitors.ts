import { badValue, misuse, requireFunction, showValue } from "../../errors/index.js";

/** What a monitor shows: a number, a text, or yes and no. */
export type MonitorValue = number | string | boolean;

/** Figures of your own, by name. They are read only when the HUD, the table or the JSON is made. */
export class Monitors {
  readonly #reads = new Map<string, () => MonitorValue>();

  /** Adds a figure. Returns the function that removes it. */
  add(name: string, read: () => MonitorValue): () => void {
    if (typeof name !== "string" || name === "")
      badValue("Measurements.monitor: name", "a text that is not empty", name, '"enemies"');
    requireFunction("Measurements.monitor: read", read, "() => enemies.length");
    if (this.#reads.has(name))
      misuse(
        "in-use",
        "Measurements.monitor",
        `there is a monitor ${JSON.stringify(name)} already`,
        "Choose another name, or remove the other one first",
      );
    this.#reads.set(name, read);
    return () => {
      if (this.#reads.get(name) === read) this.#reads.delete(name);
    };
  }

  /** Reads all figures. */
  get values(): Record<string, MonitorValue> {
    return Object.fromEntries([...this.#reads].map(([name, read]) => [name, valueOf(read())]));
  }
}

/** Returns what can be shown as it is, and a text about any other value, as JSON and tables cannot hold all of them. */
function valueOf(value: unknown): MonitorValue {
  const isKnown = typeof value === "number" || typeof value === "string" || typeof value === "boolean";
  return isKnown ? value : typeof value === "bigint" ? String(value) : showValue(value);
}
