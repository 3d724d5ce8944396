/**
 * What a device tells: where a control is from a time on. A button is at 0 or 1, a stick from -1 to 1; 0 is at rest. The
 * time is in milliseconds of the clock that the loop's driver has.
 */
export type TellControl = (control: string, value: number, timestamp: number) => void;

/** Something with controls: a keyboard, a gamepad, one of your own. It does nothing before it is bound. */
export interface InputDevice<C extends string = string> {
  /** For errors. */
  readonly name: string;
  /** Whether there is a control of that name. */
  has(control: string): control is C;
  /** Tells of the wanted controls from now on, until `stop`. `poll` is called once a frame. */
  start(tell: TellControl, wanted: ReadonlySet<string>): { poll?(): void; stop(): void };
}
