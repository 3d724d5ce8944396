/** Scrolls a list so that a link in it can be seen. `scrollIntoView` would scroll the page, too. */
export function keepInView(list: HTMLElement, link: HTMLElement): void {
  const top = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (top < 40 || top > list.clientHeight - 60) list.scrollTop += top - list.clientHeight / 2;
}
