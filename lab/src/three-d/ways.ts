/** A way to draw a body between two steps. */
export interface Way {
  readonly id: "slerp" | "nlerp" | "none";
  readonly name: string;
  readonly code: string;
}

export const WAYS: readonly Way[] = [
  { id: "slerp", name: "Slerp", code: "quat" },
  { id: "nlerp", name: "Nlerp", code: "quat.nlerp" },
  { id: "none", name: "None", code: "body.turn" },
];
