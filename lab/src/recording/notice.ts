import "./notice.css";

/** Shows a message at the bottom of the page, until the visitor closes it or another one replaces it. An unseen one is only announced. */
export function notice(text: string, kind: "news" | "problem" | "unseen"): void {
  document.querySelector(".notice")?.remove();
  const element = document.createElement("div");
  element.className = kind === "unseen" ? "notice visually-hidden" : "notice";
  element.dataset["kind"] = kind;
  element.setAttribute("role", kind === "problem" ? "alert" : "status");
  document.body.append(element);
  // Assistive technology announces what changes in an element, not what it comes with.
  element.append(Object.assign(document.createElement("p"), { textContent: text }));
  if (kind === "unseen") return;
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => element.remove());
  element.append(close);
}
