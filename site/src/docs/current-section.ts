import { keepInView } from "./keep-in-view.js";

/** Marks the section that is being read in the list of the page's sections. */
export function markCurrentSection(): void {
  const list = document.querySelector<HTMLElement>(".docs-sections");
  if (!list) return;
  const links = new Map(
    [...list.querySelectorAll("a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    // The last heading in the upper third of the screen, or above it.
    const line = innerHeight / 3;
    const heading = headings.filter((each) => each.getBoundingClientRect().top < line).at(-1);
    const link = links.get(heading?.id ?? "");
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    current = link;
    if (link) keepInView(list, link);
  };
  let isDue = false;
  const markSoon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mark();
    });
  };
  addEventListener("scroll", markSoon, { passive: true });
  addEventListener("resize", markSoon);
  mark();
}
