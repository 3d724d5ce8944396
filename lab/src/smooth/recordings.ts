import chromiumIdle from "../../../scenes/traces/chromium_idle_1.json?url";
import chromiumBusy from "../../../scenes/traces/chromium_load2.json?url";
import firefoxIdle from "../../../scenes/traces/firefox_idle.json?url";
import webkitIdle from "../../../scenes/traces/webkitgtk_idle.json?url";
import { TraceError, readTrace, type Trace } from "./trace.js";

const ADDRESSES = {
  "chromium-idle": chromiumIdle,
  "chromium-busy": chromiumBusy,
  "firefox-idle": firefoxIdle,
  "webkit-idle": webkitIdle,
};

export type Recording = keyof typeof ADDRESSES;

/** Fetches a trace that was recorded in a real browser. */
export async function fetchRecording(name: Recording): Promise<Trace> {
  const response = await fetch(ADDRESSES[name]).catch(() => undefined);
  if (!response?.ok) throw new TraceError("it could not be fetched", "Check your network connection.");
  return readTrace(await response.text());
}
