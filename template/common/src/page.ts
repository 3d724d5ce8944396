// The parts of the page around the picture.
import type { ViewOf } from "tickwise/sim";
import type { game } from "./game.ts";

export const canvas = document.querySelector("canvas")!;
const scores = [...document.querySelectorAll("#score output")];
const message = document.querySelector("#message")!;

/** Shows how many stars each ship has. */
export function showScore({ ships }: ViewOf<typeof game>): void {
  for (const { row, stars } of ships) {
    const score = scores[row]!;
    if (score.textContent !== String(stars)) score.textContent = String(stars);
  }
}

/** Shows a line of text below the score. */
export function say(text: string): void {
  message.textContent = text;
}
