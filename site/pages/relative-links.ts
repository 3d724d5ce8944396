/** Makes links to other pages relative. Vite does that for scripts and styles. */
export function relativeLinks(html: string, path: string): string {
  const up = path === "" ? "./" : "../".repeat(path.split("/").length);
  return (
    html
      .replace(/(<a [^>]*?href=")\/(?!\/)/g, `$1${up}`)
      .replace(/(<iframe [^>]*?src=")\/(?!\/)/g, `$1${up}`)
      // Other sites need the whole address.
      .replace(
        /(property="og:image" content=")\//,
        `$1${process.env.SITE_ORIGIN?.replace(/\/?$/, "/") ?? up}`,
      )
  );
}
