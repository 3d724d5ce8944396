import { requireFunction } from "../errors/index.js";

/** Returns a method, or undefined. Throws if the property is anything else. */
export function optionalMethod<T, K extends keyof T & string>(call: string, owner: T, name: K): T[K] {
  const method = owner[name];
  if (method !== undefined) requireFunction(`${call}: ${name}`, method);
  return method;
}
