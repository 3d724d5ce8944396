// The comparison can fail: it finds what differs, between real engines and in one bit.
import { expect, test } from "vitest";
import { SHELLS } from "../../scripts/shells.mjs";
import { differences } from "./compare.js";
import { bundle, quickJs, shell, type Place } from "./places.js";
import { answer, type Question } from "./script.js";

const here: Place = { name: "here", ask: async (questions) => questions.map(answer) };

test("engines that agree have no differences, however few they were asked for", async () => {
  const expected = await here.ask([{ subject: "sin", count: 3000 }]);
  expect(expected[0]).toHaveLength(3);
  expect(await differences(here, expected, here, [{ subject: "sin", count: 2000 }])).toEqual([]);
});

test("one bit of one result is found, with its argument", async () => {
  const questions: Question[] = [
    { subject: "cos", count: 5000 },
    { subject: "atan2", count: 5000 },
  ];
  // Result 3210 of atan2.
  const off: Place = {
    name: "off",
    ask: async (asked) =>
      asked.map((question) => {
        const answers = answer(question);
        if (question.subject !== "atan2") return answers;
        if (question.valuesFrom === undefined)
          return answers.map((digest, i) => (i < 3 ? digest : `not ${digest}`));
        answers[3210 - question.valuesFrom] = "0123456789abcdef";
        return answers;
      }),
  };
  const told = await differences(here, await here.ask(questions), off, questions);
  expect(told).toMatchInlineSnapshot(`
    [
      "atan2(3.5261452199527085e-59, 1.8877351546691376e-83): off 0123456789abcdef, here 3ff921fb54442d18 (argument 3210; 1 of 1000 differ from 3000 on)",
    ]
  `);
});

test("an engine's own sin, pow, exp and hypot in place of ours are caught, with the argument and both results", async () => {
  const script = await bundle();
  const node = shell("Node", [process.execPath], script);
  const others = [await quickJs(script)];
  const jsc = SHELLS.jsc.start();
  if (jsc) others.push(shell("jsc", jsc, script));
  const fromMath = ["sin", "pow", "exp", "hypot"];
  const questions = ["cos", ...fromMath].map((subject): Question => ({ subject, count: 20_000, fromMath }));
  const expected = await node.ask(questions);
  const told = [];
  for (const other of others) told.push(...(await differences(node, expected, other, questions)));
  // Not each of them in each: newer engines have become more alike.
  expect(new Set(told.map((line) => line.split("(")[0]))).toEqual(new Set(fromMath));
  for (const line of told)
    expect(line).toMatch(/^\w+\([-\d.e+, ]+\): (jsc|QuickJS) [\da-f]{16}, Node [\da-f]{16} \(argument \d+; /);
});
