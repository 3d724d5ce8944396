import { readdirSync, readFileSync } from "node:fs";
import type { FileGroup, SiteFile } from "../files.js";
import type { Doc } from "./parse.js";
import { runnableModule } from "./runnable.js";
import { RUN_FOLDER, runtimeFiles } from "./runtime.js";
import { searchIndex } from "./search-index.js";
import { REPOSITORY } from "./sources.js";

const PICTURES = "docs/pictures";

function pictures(): SiteFile[] {
  const folder = REPOSITORY + PICTURES;
  return readdirSync(folder).map((name) => ({
    path: `${PICTURES}/${name}`,
    content: readFileSync(`${folder}/${name}`),
  }));
}

const runnableFiles = (docs: readonly Doc[]): Promise<SiteFile[]> =>
  Promise.all(
    docs
      .flatMap(({ blocks }) => blocks)
      .map(async ({ name, code }) => ({
        path: `${RUN_FOLDER}/${name}.js`,
        content: await runnableModule(code),
      })),
  );

/** Returns the files that pages of the documentation load: pictures, code to run, and the index of the search. */
export const docsFiles = (docs: readonly Doc[]): FileGroup[] => [
  { paths: /^docs\/pictures\//, files: pictures },
  { paths: /^run\//, files: async () => [...(await runtimeFiles()), ...(await runnableFiles(docs))] },
  { paths: /^search\.json$/, files: () => [{ path: "search.json", content: searchIndex(docs) }] },
];
