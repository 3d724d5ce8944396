import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import type { Brush } from "./brush.js";
import type { Track } from "./track.js";

/** The text of a chapter. Plain data: it is in the page before any script runs. */
export interface ChapterText {
  /** The folder of its page. */
  readonly id: string;
  readonly title: string;
  /** The problem and the cure in one sentence. */
  readonly sentence: string;
  /** Paragraphs of HTML below the figure. */
  readonly more: readonly string[];
  /** The one control. */
  readonly control: Control;
  /** The names of the two sides of the switch. */
  readonly sides?: { readonly broken: string; readonly fixed: string };
  /** What the code imports: copied with it, and not shown. */
  readonly imports?: { readonly broken?: string; readonly fixed?: string };
  /** 5 to 10 lines each, as a user would write them. A test compiles them. */
  readonly code: { readonly broken: string; readonly fixed: string };
  /** What the picture shows, for those who cannot see it. */
  readonly alt: string;
  /** The keys that the picture takes, in a sentence. Without it, the picture takes none. */
  readonly keys?: string;
  /**
   * What a recorded display replaces: the control, or the simulated frames. `"own"`: nothing, as the display is a part of what the
   * figure simulates. Without it, the figure does not depend on a display.
   */
  readonly display?: "control" | "frames" | "own";
  /** What the strip below the picture shows upwards: "position". */
  readonly strip: string;
  /** Links: a page of the docs, an example, and the page of the lab with all settings. */
  readonly links: { readonly docs: string; readonly example?: string; readonly lab: string };
}

/** Returns the code of a side with its imports. */
export function wholeCode({ code, imports }: ChapterText, side: "broken" | "fixed"): string {
  return imports?.[side] ? `${imports[side]}\n\n${code[side]}` : code[side];
}

/** A slider. */
interface Control {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly initial: number;
  readonly unit: string;
}

/** One figure: at most three are shown. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  /** For verdicts only. */
  readonly isGood?: boolean;
}

/** The size of a picture, in CSS pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What the visitor has picked to play, where a chapter has a choice. */
export interface Picked {
  /** For links: `rk4-60`. */
  readonly code: string;
  /** For those who cannot see it. */
  readonly text: string;
  /** When it was picked, in seconds: the figure restarted then. */
  readonly since: number;
}

/** What happens in a chapter. It has no DOM. The same options, times and pointer moves give the same figures. */
export interface ChapterModel {
  /** Everything that was shown, for the picture and for the strip. */
  readonly track: Track;
  /** Goes on to a time in seconds since the start. */
  advance(seconds: number): void;
  /** Returns at most three figures. */
  figures(): readonly Figure[];
  /** Takes the pointer: 0 to 1 from left to right and from top to bottom. `size` is that of the picture, in CSS pixels. */
  point?(x: number, y: number, isDown: boolean, size: PictureSize): void;
  /** Takes a key of the keyboard, by its code. Returns whether it uses the key. */
  key?(code: string, isDown: boolean): boolean;
  readonly picked?: Picked;
  /** Plays what a link says. Ignores codes that it does not know. */
  choose?(code: string): void;
}

/** How a chapter is simulated and drawn. The default export of its scene.ts. */
export interface ChapterScene<M extends ChapterModel = ChapterModel> {
  /** `last` is the model before a restart, which may keep what the visitor has picked in it. `recording` is the display that it plays on. */
  create(isFixed: boolean, value: number, last?: M, recording?: DisplayRecording): M;
  /** Applies the control without a new start, if that is possible. */
  change?(model: M, value: number): void;
  /** Draws what was shown in a frame. */
  draw(brush: Brush, model: M, picture: Float64Array): void;
  /** The range of what the strip shows. */
  readonly range: readonly [number, number];
}
