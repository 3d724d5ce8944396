/** Answers what the test asks with `Program.ask`. */
export function answer(functions: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  process.on("message", async ({ id, what, args }: { id: number; what: string; args: never[] }) => {
    try {
      process.send?.({ id, value: await functions[what]!(...args) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
    }
  });
}

/** What the test has passed to `start`. */
export const settingsOf = <T>() => JSON.parse(process.env.SETTINGS!) as T;
