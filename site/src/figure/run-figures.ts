import { pulse } from "../../../lab/src/pulse.js";
import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { onDisplay } from "../display/visit-display.js";
import type { ChapterScene, ChapterText } from "./chapter.js";
import { FigureView } from "./figure-view.js";

/** How a chapter is loaded. */
export interface LoadableChapter {
  readonly text: ChapterText;
  readonly scene: () => Promise<{ readonly default: ChapterScene }>;
}

/** Runs the figures of a page: each is loaded when it comes near the screen, and runs while it is on it. */
export function runFigures(chapters: readonly LoadableChapter[]): void {
  let display: DisplayRecording | undefined;
  const views = new Map<Element, FigureView>();
  const visible = new Set<Element>();
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        void load(target as HTMLElement);
      }
    },
    { rootMargin: "400px" },
  );
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
  });

  async function load(section: HTMLElement): Promise<void> {
    const chapter = chapters.find(({ text }) => text.id === section.dataset["chapter"])!;
    const { default: scene } = await chapter.scene();
    const view = new FigureView(section, chapter.text, scene);
    views.set(section, view);
    if (display && !view.isAtMoment) view.setDisplay(display);
    seen.observe(section);
  }

  onDisplay((recording) => {
    display = recording;
    for (const view of views.values()) view.setDisplay(recording);
  });
  for (const section of document.querySelectorAll("[data-chapter]")) near.observe(section);
  pulse((seconds) => {
    for (const section of visible) views.get(section)?.frame(seconds);
  });
}
