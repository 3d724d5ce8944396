import { requireArguments, requireOptions, requireType } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, whenLeft, targetOf, viewOf } from "./listen.js";
import type { InputTarget } from "./target.js";

// prettier-ignore
type Letter = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R"
  | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z";
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A physical key, whatever is printed on it: `KeyboardEvent.code`. */
export type KeyControl =
  | `Key${Letter}`
  | `Digit${Digit}`
  | `Arrow${"Up" | "Down" | "Left" | "Right"}`
  | `${"Shift" | "Control" | "Alt" | "Meta" | "Bracket"}${"Left" | "Right"}`
  | `Numpad${Digit | "Add" | "Subtract" | "Multiply" | "Divide" | "Decimal" | "Enter" | "Equal" | "Comma"}`
  | `F${Exclude<Digit, 0> | `1${Digit}` | 20 | 21 | 22 | 23 | 24}`
  | `${"Caps" | "Num" | "Scroll"}Lock`
  | `Intl${"Backslash" | "Ro" | "Yen"}`
  | `Lang${1 | 2 | 3 | 4 | 5}`
  | `Page${"Up" | "Down"}`
  | ("Space" | "Enter" | "Tab" | "Escape" | "Backspace" | "Insert" | "Delete" | "Home" | "End" | "Pause")
  | ("Backquote" | "Minus" | "Equal" | "Backslash" | "Semicolon" | "Quote" | "Comma" | "Period" | "Slash")
  | ("ContextMenu" | "PrintScreen" | "Convert" | "NonConvert" | "KanaMode");

/** Matches the same names as `KeyControl`. */
const KEY =
  /^(Key[A-Z]|Digit\d|Arrow(Up|Down|Left|Right)|(Shift|Control|Alt|Meta|Bracket)(Left|Right)|Numpad(\d|Add|Subtract|Multiply|Divide|Decimal|Enter|Equal|Comma)|F([1-9]|1\d|2[0-4])|(Caps|Num|Scroll)Lock|Intl(Backslash|Ro|Yen)|Lang[1-5]|Page(Up|Down)|Space|Enter|Tab|Escape|Backspace|Insert|Delete|Home|End|Pause|Backquote|Minus|Equal|Backslash|Semicolon|Quote|Comma|Period|Slash|ContextMenu|PrintScreen|Convert|NonConvert|KanaMode)$/;

/** Options of `keyboard`. */
export interface KeyboardOptions {
  /**
   * Whether to prevent the page's default action for mapped keys, such as scrolling. Shortcuts with Ctrl, Alt or Meta
   * keep theirs. Default: false.
   */
  readonly preventDefault?: boolean | undefined;
}

const OPTIONS = Object.keys({ preventDefault: 1 } satisfies Record<keyof KeyboardOptions, 1>);

/**
 * Reads the keyboard. Keys are physical: "KeyW" is where W is on a US keyboard. Ignores keys that are typed into a text
 * field or that activate a focused button. Releases all keys when the focus is lost or the page is hidden. Default
 * target: the window.
 */
export function keyboard(target?: InputTarget, options: KeyboardOptions = {}): InputDevice<KeyControl> {
  requireArguments("keyboard", arguments.length, 2);
  const eventTarget = targetOf("keyboard", target);
  requireOptions("keyboard", options, OPTIONS, "{ preventDefault: true }");
  const { preventDefault = false } = options;
  requireType("keyboard: preventDefault", preventDefault, "boolean", true);
  return {
    name: "keyboard",
    has: (control): control is KeyControl => KEY.test(control),
    start(report, wanted) {
      const down = new Set<string>();
      const release = (code: string, timestamp: number) => {
        if (down.delete(code)) report(code, 0, timestamp);
      };
      const releaseAll = (timestamp: number) => {
        for (const code of down) release(code, timestamp);
      };
      const onDown = (event: KeyboardEvent) => {
        const { code } = event;
        if (!wanted.has(code) || event.isComposing || isForPage(event)) return;
        const isShortcut = event.ctrlKey || event.altKey || event.metaKey;
        if (preventDefault && (!isShortcut || /^(Control|Alt|Meta)/.test(code))) event.preventDefault();
        // A held key repeats, even after it was released here because the focus was lost.
        if (event.repeat || down.has(code)) return;
        down.add(code);
        report(code, 1, event.timeStamp);
      };
      const onUp = ({ code, timeStamp }: KeyboardEvent) => {
        // macOS sends no keyup for keys that are released while Meta is down.
        if (code.startsWith("Meta")) releaseAll(timeStamp);
        else release(code, timeStamp);
      };
      const removers = [
        listen(eventTarget, ["keydown"], onDown),
        // On the window, as the focus may have moved since the keydown.
        listen(viewOf(eventTarget), ["keyup"], onUp, { capture: true }),
        whenLeft(eventTarget, releaseAll),
      ];
      return { stop: () => removers.forEach((remove) => remove()) };
    },
  };
}

/** Whether a key is meant for the focused element: it types text, or activates a button or link. */
function isForPage(event: KeyboardEvent): boolean {
  // Not event.target, as the element may be inside a shadow root.
  const target = event.composedPath()[0] as Partial<HTMLElement> | undefined;
  const tag = target?.tagName ?? "";
  if (target?.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(tag)) return true;
  return /^(Space|Enter|NumpadEnter)$/.test(event.code) && /^(BUTTON|SUMMARY|A)$/.test(tag);
}
