import { expect, test } from "vitest";
import { layoutChanges } from "./describe-layout.js";

test("escapes line breaks in names", () => {
  const changes = layoutChanges([["x\nok  fake.twr", "f64"]], [["y", "f64"]]);
  expect(changes).toBe("x\\nok  fake.twr (f64) was removed; y (f64) was added");
});
