/** Makes code and tables that are wider than the page focusable, so that arrow keys can scroll them. */
export function makeScrollersFocusable(): void {
  const scrollers = document.querySelectorAll<HTMLElement>(".docs-article pre, .docs-article .table");
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWider = target.scrollWidth > target.clientWidth;
      if (isWider) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const scroller of scrollers) observer.observe(scroller);
}
