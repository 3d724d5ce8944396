/** Returns the id of a heading, as GitHub makes it, without regard to other headings. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .replaceAll(" ", "-");

/** Returns a function that makes the ids of one page: a repeated heading gets a number, as on GitHub. */
export function anchorMaker(): (heading: string) => string {
  const uses = new Map<string, number>();
  return (heading) => {
    const slug = slugOf(heading);
    let anchor = slug;
    while (uses.has(anchor)) {
      const count = uses.get(slug)! + 1;
      uses.set(slug, count);
      anchor = `${slug}-${count}`;
    }
    uses.set(anchor, 0);
    return anchor;
  };
}
