/** Shows a message at the bottom of the page, until the visitor closes it or another one replaces it. */
export function notice(text: string, isProblem: boolean): void {
  document.querySelector(".notice")?.remove();
  const element = document.createElement("div");
  element.className = "notice";
  element.dataset["kind"] = isProblem ? "problem" : "news";
  element.setAttribute("role", isProblem ? "alert" : "status");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => element.remove());
  document.body.append(element);
  // Assistive technology announces what changes in an element, not what it comes with.
  element.append(Object.assign(document.createElement("p"), { textContent: text }), close);
}
