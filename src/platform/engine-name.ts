/** Returns what runs this program, for reports: the user agent of a browser, or the version of Node, Deno or Bun. */
export function engineName(): string {
  const { process, navigator } = globalThis as {
    process?: {
      readonly versions?: Readonly<Record<string, string>>;
      readonly platform?: string;
      readonly arch?: string;
    };
    navigator?: { readonly userAgent?: string };
  };
  const versions = process?.versions;
  if (versions?.["node"] === undefined) return navigator?.userAgent ?? "unknown";
  const name = ["bun", "deno", "node"].find((engine) => versions[engine] !== undefined)!;
  const v8 = versions["v8"] === undefined ? "" : `, V8 ${versions["v8"]}`;
  return `${name} ${versions[name]}${v8}, ${process?.platform} ${process?.arch}`;
}
