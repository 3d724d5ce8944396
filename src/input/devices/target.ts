/** A window, a document or an element. Declared here, as a program without the DOM library has no types for them. */
export interface InputTarget {
  addEventListener(type: string, listener: (event: object) => void, options?: boolean | object): void;
  removeEventListener(type: string, listener: (event: object) => void, options?: boolean | object): void;
}
