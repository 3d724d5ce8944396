/** A window, a document or an element. Said so, as a program without a page has no types of one. */
export interface InputTarget {
  addEventListener(type: string, listener: (event: object) => void, options?: boolean | object): void;
  removeEventListener(type: string, listener: (event: object) => void, options?: boolean | object): void;
}
