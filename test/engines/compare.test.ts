// Checks that the comparison can fail: it finds differences of a single bit, and those between real engines.
import { expect, test } from "vitest";
import { SHELLS } from "../../scripts/shells.mjs";
import { differences } from "./compare.js";
import { bundle, quickJs, shell, type Runtime } from "./runtimes.js";
import { answer, type Question } from "./script.js";
import { SCENE_BLOCK, sceneSubject } from "./scenes.js";
import { callText } from "./subjects.js";

const here: Runtime = { name: "here", ask: async (questions) => questions.map(answer) };

test("finds no differences between equal engines, also for fewer numbers", async () => {
  const expected = await here.ask([{ subject: "sin", count: 3000 }]);
  expect(expected[0]).toHaveLength(3);
  expect(await differences(here, expected, here, [{ subject: "sin", count: 2000 }])).toEqual([]);
});

test("throws if an engine returns too few digests", async () => {
  const questions: Question[] = [{ subject: "sin", count: 3000 }];
  const expected = await here.ask(questions);
  const lazy = (answers: string[][]): Runtime => ({ name: "lazy", ask: async () => answers });
  for (const [answers, message] of [
    [[expected[0]!.slice(0, 2)], "lazy gave 2 digests of sin, not 3."],
    [[[]], "lazy gave 0 digests of sin, not 3."],
    [[], "lazy gave 0 digests of sin, not 3."],
  ] as const)
    await expect(
      differences(here, expected, lazy(answers as unknown as string[][]), questions),
    ).rejects.toThrow(message);
});

test("names an engine that hangs, fails or prints nothing", async () => {
  const ask = (script: string, timeout?: number) =>
    shell("Node", [process.execPath], script, timeout).ask([]);
  await expect(ask("for (;;);", 1000)).rejects.toThrow("Node gave no answer within 1 s.");
  await expect(ask("throw new Error('no engine');")).rejects.toThrow(/^Node failed: [^]*no engine/);
  await expect(ask("process.exit(0);")).rejects.toThrow('Node answered "".');
});

test("shows the sign of a zero", () => {
  const textOf = (x: number) => callText("atan2", [x, 0]);
  expect([textOf(0), textOf(-0)]).toEqual(["atan2(0, 0)", "atan2(-0, 0)"]);
});

test("finds a single different result, with its argument", async () => {
  const questions: Question[] = [
    { subject: "cos", count: 5000 },
    { subject: "atan2", count: 5000 },
  ];
  // Changes result 3210 of atan2.
  const off: Runtime = {
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
  const lines = await differences(here, await here.ask(questions), off, questions);
  expect(lines).toMatchInlineSnapshot(`
    [
      "atan2(3.5261452199527085e-59, 1.8877351546691376e-83): off 0123456789abcdef, here 3ff921fb54442d18 (argument 3210; 1 of 1000 differ from 3000 on)",
    ]
  `);
});

test("finds an engine's own sin, pow, exp and hypot instead of ours, with the argument and both results", async () => {
  const script = await bundle();
  const node = shell("Node", [process.execPath], script);
  const others = [await quickJs(script)];
  const jsc = SHELLS.jsc.start();
  if (jsc) others.push(shell("jsc", jsc, script));
  const fromMath = ["sin", "pow", "exp", "hypot"];
  const questions = ["cos", ...fromMath].map((subject): Question => ({ subject, count: 20_000, fromMath }));
  const expected = await node.ask(questions);
  const lines = [];
  for (const other of others) lines.push(...(await differences(node, expected, other, questions)));
  // Not every function differs in every engine, as newer engines agree more often.
  expect(new Set(lines.map((line) => line.split("(")[0]))).toEqual(new Set(fromMath));
  for (const line of lines)
    expect(line).toMatch(/^\w+\([-\d.e+, ]+\): (jsc|QuickJS) [\da-f]{16}, Node [\da-f]{16} \(argument \d+; /);
});

test("finds the first state of a scene that differs", async () => {
  const question: Question = { subject: sceneSubject("spring", "js"), count: 4 * SCENE_BLOCK };
  const expected = await here.ask([question]);
  expect(expected[0]).toHaveLength(2);
  // Changes the first word of the hash of state 651.
  const off: Runtime = {
    name: "off",
    ask: async ([asked]) => {
      const answers = answer(asked!);
      if (asked!.valuesFrom === undefined) answers[1] = "other";
      else answers[1300 - asked!.valuesFrom] = "0123456789abcdef";
      return [answers];
    },
  };
  const [said] = await differences(here, expected, off, [question]);
  expect(said).toMatch(
    /^spring with js kernels, word 0 of the hash of state 651: off 0123456789abcdef, here [\da-f]{16} \(argument 1300; 1 of 1200 differ from 1200 on\)$/,
  );
});
