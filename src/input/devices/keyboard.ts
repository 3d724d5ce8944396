import { requireType } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, onAway, targetOf, viewOf } from "./listen.js";
import type { InputTarget } from "./target.js";

// prettier-ignore
type Letter = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R"
  | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z";
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A key by its place, whatever is printed on it: what `KeyboardEvent.code` tells. */
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

/** The same, as a program sees it. */
const KEY =
  /^(Key[A-Z]|Digit\d|Arrow(Up|Down|Left|Right)|(Shift|Control|Alt|Meta|Bracket)(Left|Right)|Numpad(\d|Add|Subtract|Multiply|Divide|Decimal|Enter|Equal|Comma)|F([1-9]|1\d|2[0-4])|(Caps|Num|Scroll)Lock|Intl(Backslash|Ro|Yen)|Lang[1-5]|Page(Up|Down)|Space|Enter|Tab|Escape|Backspace|Insert|Delete|Home|End|Pause|Backquote|Minus|Equal|Backslash|Semicolon|Quote|Comma|Period|Slash|ContextMenu|PrintScreen|Convert|NonConvert|KanaMode)$/;

/** Options of `keyboard`. */
export interface KeyboardOptions {
  /**
   * Whether the page does nothing of its own with keys that are mapped, such as to scroll. Shortcuts with Ctrl, Alt or Meta
   * are left alone. Default false.
   */
  readonly preventDefault?: boolean | undefined;
}

/**
 * The keys of a keyboard, by their places: "KeyW" is where W is on an American one. Not while a text is typed, nor
 * what presses a button that has the focus. All are released when the focus goes, or the page is hidden. Default target: the window.
 */
export function keyboard(target?: InputTarget, options: KeyboardOptions = {}): InputDevice<KeyControl> {
  const place = targetOf("keyboard", target);
  requireType("keyboard: options", options, "object", "{ preventDefault: true }");
  const { preventDefault = false } = options;
  requireType("keyboard: preventDefault", preventDefault, "boolean", true);
  return {
    name: "keyboard",
    has: (control): control is KeyControl => KEY.test(control),
    start(tell, wanted) {
      const down = new Set<string>();
      const release = (code: string, timestamp: number) => {
        if (down.delete(code)) tell(code, 0, timestamp);
      };
      const releaseAll = (timestamp: number) => {
        for (const code of down) release(code, timestamp);
      };
      const onDown = (event: KeyboardEvent) => {
        const { code } = event;
        if (!wanted.has(code) || event.isComposing || isOfPage(event)) return;
        const isShortcut = event.ctrlKey || event.altKey || event.metaKey;
        if (preventDefault && (!isShortcut || /^(Control|Alt|Meta)/.test(code))) event.preventDefault();
        // It may repeat by itself, also after it was released here as the focus went.
        if (event.repeat || down.has(code)) return;
        down.add(code);
        tell(code, 1, event.timeStamp);
      };
      const onUp = ({ code, timeStamp }: KeyboardEvent) => {
        // A Mac does not tell of keys that go up while Meta is down.
        if (code.startsWith("Meta")) releaseAll(timeStamp);
        else release(code, timeStamp);
      };
      const ends = [
        listen(place, ["keydown"], onDown),
        // Wherever the focus is by then.
        listen(viewOf(place), ["keyup"], onUp, { capture: true }),
        onAway(place, releaseAll),
      ];
      return { stop: () => ends.forEach((end) => end()) };
    },
  };
}

/** Whether a key is meant for what has the focus: a text that is typed, or a button that it presses. */
function isOfPage(event: KeyboardEvent): boolean {
  // The path, as it may lie in a shadow root.
  const target = event.composedPath()[0] as Partial<HTMLElement> | undefined;
  const tag = target?.tagName ?? "";
  if (target?.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(tag)) return true;
  return /^(Space|Enter|NumpadEnter)$/.test(event.code) && /^(BUTTON|SUMMARY|A)$/.test(tag);
}
