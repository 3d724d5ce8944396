import type { Conditions } from "../../src/net/index.js";
import type { Values } from "./address.js";

/** Returns sliders for the conditions of a simulated network. They take effect without a restart. */
export const conditionSettings = (latency: number, jitter: number) =>
  ({
    latency: { label: "Latency (ms)", min: 0, max: 400, step: 5, initial: latency },
    jitter: { label: "Jitter (± ms)", min: 0, max: 150, step: 5, initial: jitter },
    loss: { label: "Loss (%)", min: 0, max: 50, step: 1, initial: 5 },
    burst: { label: "Lost in a row", min: 1, max: 20, step: 1, initial: 1 },
  }) as const;

type ConditionSettings = ReturnType<typeof conditionSettings>;

/** Whether a setting is one of the network's conditions. */
export const isCondition = (setting: string): boolean => Object.hasOwn(conditionSettings(0, 0), setting);

/** Returns the conditions of each direction of each link. */
export const conditionsOf = ({ latency, jitter, loss, burst }: Values<ConditionSettings>): Conditions => ({
  latency,
  jitter,
  loss: loss / 100,
  burst,
});
