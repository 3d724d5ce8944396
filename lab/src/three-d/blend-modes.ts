/** A way to draw a body between two steps. */
export interface BlendMode {
  readonly id: "slerp" | "nlerp" | "none";
  readonly name: string;
  /** The blend kind passed to `smooth`, or the field that is drawn as is. */
  readonly code: string;
}

export const BLEND_MODES: readonly BlendMode[] = [
  { id: "slerp", name: "Slerp", code: "rotation" },
  { id: "nlerp", name: "Nlerp", code: "rotation.nlerp" },
  { id: "none", name: "None", code: "body.turn" },
];
