import { copyOnClick } from "../copy.js";
import { runBlock } from "./run.js";

/** Adds "Copy" to each block of code, and "Run" to those that can run. */
export function addCodeButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".docs-article .code")) {
    const buttons = document.createElement("div");
    buttons.className = "code-buttons";
    if (block.dataset["run"]) buttons.append(runButton(block, block.dataset["run"]));
    buttons.append(copyButton(block));
    // Before the code, so that the keyboard reaches them first.
    block.prepend(buttons);
  }
}

function buttonOf(text: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  return button;
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const button = buttonOf("Copy");
  copyOnClick(button, () => block.querySelector("code")!.textContent);
  return button;
}

function runButton(block: HTMLElement, module: string): HTMLButtonElement {
  const button = buttonOf("Run");
  button.className = "run";
  button.addEventListener("click", async () => {
    // Not `disabled`, which would take the focus away.
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    await runBlock(new URL(module, document.baseURI).href, outputOf(block));
    button.ariaBusy = "false";
    button.textContent = "Run again";
  });
  return button;
}

/** Returns the output below a block, emptied. */
function outputOf(block: HTMLElement): HTMLOutputElement {
  let output = block.querySelector("output");
  if (!output) {
    output = document.createElement("output");
    output.setAttribute("aria-label", "Output");
    block.append(output);
  }
  output.replaceChildren();
  return output;
}
