/**
 * Reports the position of a control. A button is at 0 or 1, a stick from -1 to 1; 0 is at rest. The timestamp is in
 * milliseconds of the driver's clock (`event.timeStamp` in a browser).
 */
export type ReportControl = (control: string, value: number, timestamp: number) => void;

/** A device with controls: a keyboard, a gamepad, or your own. It does nothing until it is bound. */
export interface InputDevice<C extends string = string> {
  /** Shown in errors. */
  readonly name: string;
  /** Whether the device has a control of that name. */
  has(control: string): control is C;
  /** Reports the wanted controls until `stop` is called. `poll` is called once per frame. */
  start(report: ReportControl, wanted: ReadonlySet<string>): { poll?(): void; stop(): void };
}
