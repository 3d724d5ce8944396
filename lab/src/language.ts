// uPlot passes `navigator.language` to Intl when it is loaded. WebKitGTK reports "c" in the locale C: Intl does not know that language and
// throws, and no experiment would start. Import this module before uPlot.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en", configurable: true });
}
export {};
