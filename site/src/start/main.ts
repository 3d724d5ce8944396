import { browserDriver, Loop } from "tickwise";
import { setUpSearch } from "../search/set-up.js";
import { Hero } from "./hero.js";

/** The addresses of the lab when it was the start page. */
const LAB = /^#(five-loops|spiral|smooth|3d|engines|determinism|time|game|network|server|thread|friend)\b/;
if (LAB.test(location.hash)) location.replace(new URL(`lab/${location.hash}`, document.baseURI));

setUpSearch();
const hero = new Hero(document.querySelector<HTMLElement>(".hero")!);
new Loop({
  rate: 60,
  maxFrameTime: 0.1,
  driver: browserDriver(),
  render: ({ delta }) => hero.frame(delta),
}).start();

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]"))
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(button.dataset["copy"]!).then(() => {
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  });
