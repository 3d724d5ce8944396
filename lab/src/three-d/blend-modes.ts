/** A mode to draw a body between two steps. */
export interface BlendMode {
  readonly id: "slerp" | "nlerp" | "none";
  readonly name: string;
  readonly code: string;
}

export const BLEND_MODES: readonly BlendMode[] = [
  { id: "slerp", name: "Slerp", code: "quat" },
  { id: "nlerp", name: "Nlerp", code: "quat.nlerp" },
  { id: "none", name: "None", code: "body.turn" },
];
