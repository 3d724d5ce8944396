interface Stepped {
  readonly pace: number;
  readonly simulation: { readonly rate: readonly [number, number] };
}

/** Returns the alpha of a picture, from the milliseconds since the session's last step. */
export function alphaAfter({ pace, simulation: { rate } }: Stepped, milliseconds: number): number {
  const tick = (1000 * rate[1]) / rate[0];
  return Math.min(1, Math.max(0, (milliseconds * pace) / tick));
}
