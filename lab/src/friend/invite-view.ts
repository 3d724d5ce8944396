import { make } from "../dom.js";
import { button, TextToSend, textField } from "./fields.js";

/** The steps of a host: send a link, and paste the answer. */
export class InviteView {
  readonly element: HTMLElement;
  readonly #stun = make("input");
  readonly #link = new TextToSend("invitation", "Link for your friend");
  readonly #answer = textField("answer", "Your friend’s answer", "Paste the answer here");
  readonly #steps: HTMLElement;
  readonly #invite: HTMLButtonElement;

  constructor(onInvite: () => void, onAnswer: (answer: string) => void) {
    this.#stun.type = "checkbox";
    this.#stun.id = "stun";
    this.#invite = button("invite", "Invite a friend", onInvite);
    const connect = () => {
      const answer = this.#answer.value;
      // Makes room for another, if this one is wrong.
      this.#answer.value = "";
      if (answer.trim() !== "") onAnswer(answer);
    };
    this.#answer.addEventListener("keydown", ({ key }) => key === "Enter" && connect());
    this.#steps = make(
      "ol",
      "steps",
      make("li", "", "Send this link to your friend.", this.#link.element),
      make(
        "li",
        "",
        "Your friend opens it, and sends an answer back. Paste it within half a minute.",
        make("div", "line", this.#answer, make("div", "actions", button("connect", "Connect", connect))),
      ),
    );
    const stunLabel = make(
      "label",
      "check",
      this.#stun,
      make(
        "span",
        "",
        "over the internet: asks a public server (STUN, of Google) for the address of each of you",
      ),
    );
    this.element = make(
      "section",
      "card",
      make("h3", "", "Invite"),
      make("div", "actions", this.#invite),
      stunLabel,
      this.#steps,
    );
    this.showLink("");
  }

  get usesStun(): boolean {
    return this.#stun.checked;
  }

  /** Shows the link to send, and the field for the answer; "" hides them. */
  showLink(link: string): void {
    this.#steps.hidden = link === "";
    this.#link.text = link;
    this.#answer.value = "";
  }

  setLabel(label: string, isEnabled: boolean): void {
    this.#invite.firstElementChild!.textContent = label;
    this.#invite.disabled = !isEnabled;
  }
}
