// A link to a moment leads to what the figure showed, also if its control was changed while it ran.
import { expect, test } from "vitest";
import { CHAPTER_TEXTS } from "../../site/src/chapters/texts.js";
import type { ChapterScene } from "../../site/src/figure/chapter.js";
import { addressOfMoment, modelAt, readMoment } from "../../site/src/figure/moment.js";

const SITE = "https://example.org/tickwise/";

const scenes = await Promise.all(
  CHAPTER_TEXTS.map(async (text) => {
    const { default: scene } = (await import(`../../site/src/chapters/${text.id}/scene.ts`)) as {
      default: ChapterScene;
    };
    return { text, scene };
  }),
);

test.each(scenes.filter(({ scene }) => scene.change).map((each) => [each.text.id, each] as const))(
  "%s: a link holds the turns of the control",
  (_, { text, scene }) => {
    const { min, max, initial } = text.control;
    const live = scene.create(true, initial);
    live.advance(1.25);
    scene.change!(live, max);
    live.advance(2.000001);
    scene.change!(live, min);
    live.advance(3.5);
    const turns = [
      { value: initial, until: 1.25 },
      { value: max, until: 2.000001 },
    ];
    const moment = { isFixed: true, value: min, turns, at: 3.5 };
    const read = readMoment(text, new URL(addressOfMoment(`${SITE}${text.id}/`, moment)));
    expect(read).toEqual({ ...moment, pick: undefined });

    const opened = modelAt(scene, read);
    expect(opened.figures()).toEqual(live.figures());
    const pictureOf = ({ track }: typeof live) => [...track.pictureOf(track.frames - 1)];
    expect(pictureOf(opened)).toEqual(pictureOf(live));
    expect(opened.track.frames).toBe(live.track.frames);
  },
);

test.each(["turns=1_3", "turns=1", "turns=9_1", "turns=x_1", "turns=_1", "turns=1_1.5~1_1"])(
  "%s: turns that are wrong are none",
  (query) => {
    const { text } = scenes.find(({ text: { id } }) => id === "time")!;
    const moment = readMoment(text, new URL(`${SITE}time/?at=2&value=0.5&${query}`));
    expect(moment).toMatchObject({ value: 0.5, at: 2, turns: [] });
  },
);
