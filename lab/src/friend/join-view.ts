import { make } from "../dom.js";
import { button, TextToSend, textField } from "./fields.js";

/** The steps of a guest: take the invitation, and send the answer back. */
export class JoinView {
  readonly element: HTMLElement;
  readonly #title = make("h3");
  readonly #hint = make("p");
  readonly #invitation = textField("offer", "Invitation", "Paste an invitation here");
  readonly #answer = new TextToSend("reply", "Answer for your friend");
  readonly #reply: HTMLElement;

  constructor(onJoin: (invitation: string) => void) {
    const join = () => {
      if (this.#invitation.value.trim() !== "") onJoin(this.#invitation.value);
    };
    this.#invitation.addEventListener("keydown", ({ key }) => key === "Enter" && join());
    this.#reply = make(
      "div",
      "",
      make("p", "", "Send this answer back to your friend, and keep this page open:"),
      this.#answer.element,
    );
    this.element = make(
      "section",
      "card",
      this.#title,
      this.#hint,
      make("div", "line", this.#invitation, make("div", "actions", button("join", "Join", join))),
      this.#reply,
    );
    this.show("Join", "Did a friend send you a link? Paste it here, or open it.");
    this.showAnswer("");
  }

  show(title: string, hint: string): void {
    this.#title.textContent = title;
    this.#hint.textContent = hint;
  }

  set invitation(text: string) {
    this.#invitation.value = text;
  }

  /** Shows the answer to send; "" hides it. */
  showAnswer(answer: string): void {
    this.#reply.hidden = answer === "";
    this.#answer.text = answer;
  }
}
