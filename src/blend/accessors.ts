/** The path of a number or a held value in an object: a field, or a key of a field. */
export type Path = readonly [name: string] | readonly [name: string, key: string | number];

/** Copies numbers and held values from an object, or to it. */
type Copy = (object: object, numbers: Float64Array, held: unknown[]) => void;

export interface Accessors {
  readonly read: Copy;
  readonly write: Copy;
}

/**
 * Returns functions that read and write objects of one shape. They are compiled, which is five times faster than a loop over
 * names, and creates no garbage: in such a loop, engines box each fraction. Falls back to the loop if the page's content
 * security policy forbids `new Function`.
 */
export function accessors(numbers: readonly Path[], held: readonly Path[]): Accessors {
  try {
    return compiled(numbers, held);
  } catch {
    return interpreted(numbers, held);
  }
}

export function compiled(numbers: readonly Path[], held: readonly Path[]): Accessors {
  const at = (path: Path) => `o${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
  const reads = numbers.map((path, i) => `n[${i}]=${at(path)};`);
  // Storing a fraction allocates, so store only changes.
  const takes = held.map((path, i) => `if(h[${i}]!==${at(path)})h[${i}]=${at(path)};`);
  const writes = numbers.map((path, i) => `${at(path)}=n[${i}];`);
  const gives = held.map((path, i) => `${at(path)}=h[${i}];`);
  const make = (lines: string[]) => new Function("o", "n", "h", lines.join("")) as Copy;
  return { read: make([...reads, ...takes]), write: make([...writes, ...gives]) };
}

type Tree = Record<string | number, unknown>;
const get = (object: object, [name, key]: Path) => {
  const value = (object as Tree)[name];
  return key === undefined ? value : (value as Tree)[key];
};
const set = (object: object, [name, key]: Path, value: unknown) => {
  if (key === undefined) (object as Tree)[name] = value;
  else ((object as Tree)[name] as Tree)[key] = value;
};

export function interpreted(numbers: readonly Path[], held: readonly Path[]): Accessors {
  return {
    read(object, n, h) {
      for (let i = 0; i < numbers.length; i++) n[i] = get(object, numbers[i]!) as number;
      for (let i = 0; i < held.length; i++) h[i] = get(object, held[i]!);
    },
    write(object, n, h) {
      for (let i = 0; i < numbers.length; i++) set(object, numbers[i]!, n[i]);
      for (let i = 0; i < held.length; i++) set(object, held[i]!, h[i]);
    },
  };
}
