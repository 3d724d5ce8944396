/** The address of a session of WebKit's driver. */
export type WebKitSession = string;

/** Time limit for an answer, in milliseconds. */
const TIMEOUT = 240_000;

/** A command of WebDriver, to its server or to a session of it. */
export async function webDriver<T>(
  address: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(address + path, {
    method,
    body: method === "POST" ? JSON.stringify(body ?? {}) : null,
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const { value } = (await response.json()) as { value: never };
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value;
}
