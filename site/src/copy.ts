/** Copies a text when a button is pressed. The button says whether that was allowed. */
export function copyOnClick(button: HTMLButtonElement, text: () => string): void {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const hasCopied = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    button.textContent = hasCopied ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = label), 1500);
  });
}
