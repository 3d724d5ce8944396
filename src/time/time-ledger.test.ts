import { expect, test } from "vitest";
import { TimeLedger } from "./time-ledger.js";

const SECOND = 1e9;

function booksWith(bound: number, surplus: number): TimeLedger {
  const ledger = new TimeLedger([60, 1]);
  ledger.setBound(bound);
  ledger.surplus.add(surplus);
  return ledger;
}

test("loses surplus if no debt is allowed", () => {
  const ledger = booksWith(0, 3 * SECOND);
  expect(ledger.settle()).toBe(3);
  expect([ledger.debt.seconds, ledger.lost.seconds, ledger.owing]).toEqual([0, 3, false]);
});

test("turns surplus into debt up to the bound", () => {
  const ledger = booksWith(SECOND, 3 * SECOND);
  expect(ledger.settle()).toBe(2);
  expect([ledger.debt.seconds, ledger.lost.seconds, ledger.owing]).toEqual([1, 2, true]);
});

test("pays debt back in parts of any length", () => {
  const ledger = booksWith(SECOND, SECOND / 2);
  ledger.settle();
  let steps = 0;
  for (let i = 0; i < 50; i++) {
    ledger.repaid.clear();
    ledger.repay(SECOND / 100);
    steps += ledger.overstep.takeSteps();
  }
  expect([steps, ledger.overstep.rest, ledger.owing]).toEqual([30, 0, false]);
  ledger.repaid.clear();
  ledger.repay(SECOND);
  expect(ledger.overstep.takeSteps()).toBe(0);
});

test("a lower bound loses the debt beyond it", () => {
  const ledger = booksWith(SECOND, SECOND);
  ledger.settle();
  expect(ledger.setBound(SECOND / 4)).toBe(0.75);
  expect([ledger.debt.seconds, ledger.lost.seconds, ledger.surplus.isEmpty]).toEqual([0.25, 0.75, true]);
});

test("revert restores debt and overstep", () => {
  const ledger = booksWith(SECOND, SECOND / 2);
  ledger.settle();
  ledger.overstep.add(1e6);
  const { rest } = ledger.overstep;
  ledger.overstep.add(SECOND / 50);
  ledger.repay(SECOND / 7);
  ledger.overstep.takeSteps();
  ledger.surplus.add(5);
  ledger.revert(rest);
  expect([ledger.debt.seconds, ledger.overstep.rest, ledger.surplus.isEmpty]).toEqual([0.5, rest, true]);
});
