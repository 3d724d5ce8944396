import { CHAPTER_TEXTS } from "../src/chapters/texts.js";
import type { ChapterText } from "../src/figure/chapter.js";
import { displayLine, OPEN_RECORDING, playsRecordings, RECORD_LINKS } from "./display.js";
import { highlight } from "./highlight.js";
import { escapeHtml, type SitePage } from "./page.js";

const SCRIPT = "/src/article/main.ts";

/** Returns the figure of a chapter: everything that its script needs is in the page. */
function figureOf({ id, control, sides, alt, keys, strip, display }: ChapterText): string {
  const { label, min, max, step, initial, unit } = control;
  const { broken = "Broken", fixed = "Fixed" } = sides ?? {};
  const side = (value: string, name: string, checked: string) =>
    `<label><input type="radio" name="side-${id}" value="${value}"${checked} /><span>${name}</span></label>`;
  return `
<div class="figure">
  <div class="stage">
    <canvas class="picture" role="img"${keys === undefined ? "" : ' tabindex="0"'} aria-label="${escapeHtml(keys === undefined ? alt : `${alt} ${keys}`)}"></canvas>
    <dl class="numbers" aria-live="off"></dl>
    <p class="visually-hidden" role="status" data-status></p>
  </div>
  <canvas class="strip" tabindex="0" role="img" aria-label="The last moments, time to the right, ${escapeHtml(strip)} upwards: a dot per drawn frame, a tick per step, an amber line for the truth. The arrow keys look back frame by frame, Escape returns."></canvas>
  <div class="bar">
    <fieldset class="switch"><legend class="visually-hidden">Version</legend>${side("broken", broken, " checked")}${side("fixed", fixed, "")}</fieldset>
    <label class="dial"><span>${escapeHtml(label)}</span><input type="range" min="${min}" max="${max}" step="${step}" value="${initial}" /><output>${initial} ${escapeHtml(unit)}</output></label>
    ${displayLine(display ?? "none")}
    <span class="buttons"><button type="button" data-pause>Pause</button><button type="button" data-restart>Restart</button></span>
  </div>
</div>`;
}

async function codeOf({ code }: ChapterText): Promise<string> {
  const [broken, fixed] = await Promise.all([highlight(code.broken, "ts"), highlight(code.fixed, "ts")]);
  return `
<div class="code">
  <div data-code="broken">${broken}</div>
  <div data-code="fixed" hidden>${fixed}</div>
  <button type="button" data-copy-code>Copy</button>
</div>`;
}

const dataOf = ({ id }: ChapterText): string =>
  `class="chapter" id="${id}" data-chapter="${id}" data-side="broken"`;

/** Returns the section of a chapter. `level` is that of its heading. */
async function sectionOf(chapter: ChapterText, number: number, level: 1 | 2): Promise<string> {
  const { id, title, sentence, more, links } = chapter;
  const heading = `<h${level}><span class="number">${number}</span> ${level === 1 ? title : `<a href="/${id}/">${title}</a>`}</h${level}>`;
  const link = (href: string | undefined, text: string) =>
    href === undefined ? "" : `<a href="${href}">${text}</a>`;
  return `
<section ${dataOf(chapter)}>
  <div class="words">${heading}<p class="sentence">${sentence}</p></div>
  ${figureOf(chapter)}
  <div class="words">
    ${await codeOf(chapter)}
    ${more.map((paragraph) => `<p>${paragraph}</p>`).join("\n")}
    <p class="links">${link(links.docs, "Docs")}${link(links.example, "Example")}${link(links.lab, "All settings")}<button type="button" data-copy-link>Copy link to this moment</button><button type="button" data-copy-embed>Copy embed</button>${playsRecordings(chapter) ? RECORD_LINKS : ""}</p>
  </div>
</section>`;
}

/** Links of a section lead from the folder of the page that it is on. */
const withPages = (html: string, id: string, up: string): string =>
  html.replace(
    `data-chapter="${id}"`,
    `data-chapter="${id}" data-page="${up}${id}/" data-embed="${up}embed/${id}/"`,
  );

function pager(index: number): string {
  const link = (chapter: ChapterText | undefined, textOf: (title: string) => string) =>
    chapter ? `<a href="/${chapter.id}/">${textOf(chapter.title)}</a>` : "<span></span>";
  return `<nav class="pager" aria-label="Chapters">${link(CHAPTER_TEXTS[index - 1], (title) => `← ${title}`)}<a href="/article/">All chapters</a>${link(CHAPTER_TEXTS[index + 1], (title) => `${title} →`)}</nav>`;
}

const plain = (html: string): string => html.replace(/<[^>]*>/g, "");

/** The article, a page for each chapter, and a page for each figure alone. */
export function chapterPages(): readonly SitePage[] {
  const article: SitePage = {
    path: "article",
    title: "Game time, explained · Tickwise",
    description:
      "Every problem with time in games, and its cure: see it happen, move one slider, copy the lines that fix it.",
    kind: "article",
    script: SCRIPT,
    async main() {
      const sections = await Promise.all(
        CHAPTER_TEXTS.map(async (chapter, i) =>
          withPages(await sectionOf(chapter, i + 1, 2), chapter.id, "../"),
        ),
      );
      return `<div class="words intro"><h1>Game time, explained</h1><p class="sentence">Each chapter shows a problem first. Switch to the cure, move the slider, and copy the lines.</p></div>${sections.join("\n")}`;
    },
  };
  const singles = CHAPTER_TEXTS.flatMap((chapter, i): readonly SitePage[] => [
    {
      path: chapter.id,
      title: `${chapter.title} · Tickwise`,
      description: plain(chapter.sentence),
      kind: "article",
      script: SCRIPT,
      main: async () => withPages(await sectionOf(chapter, i + 1, 1), chapter.id, "../") + pager(i),
    },
    {
      path: `embed/${chapter.id}`,
      title: chapter.title,
      description: plain(chapter.sentence),
      kind: "embed",
      script: SCRIPT,
      main: () =>
        `<section ${dataOf(chapter)} data-page="../../${chapter.id}/" data-embed="./">${figureOf(chapter)}<p class="credit"><a href="/${chapter.id}/" target="_top">${chapter.title} · Tickwise</a>${playsRecordings(chapter) ? OPEN_RECORDING : ""}</p></section>`,
    },
  ]);
  return [article, ...singles];
}
