import type { UploadSnapshot, UploadStore } from "@stowage/client";
import { listView, type SharedView } from "@stowage/client/internals/list";
import { html, nothing, type TemplateResult } from "lit";
import { renderAction, renderProgress } from "./render-row.js";
import { liveText } from "../texts/live-text.js";

/** The state of the whole list and the buttons for all files. Shown from two files on, without a connection, and before a start. */
export function renderSummary(
  store: UploadStore,
  snapshot: UploadSnapshot,
  autoStart: boolean | undefined,
  shared: SharedView,
): TemplateResult | typeof nothing {
  const { files } = snapshot.totals;
  const isWaitingForStart = autoStart === false && files > 0;
  if (!(files > 1 || snapshot.connection !== "online" || isWaitingForStart)) {
    return nothing;
  }
  const view = listView({ ...store, ...snapshot }, autoStart, shared);
  const link = (action: Parameters<typeof renderAction>[1]) => renderAction(view, action, "stowage-link");
  return html`<div class="stowage-summary" part="summary">
    ${renderProgress(view, "stowage-total")}
    <span class="stowage-summary-text" part="summary-text">${liveText(view.statusText)}</span>
    <div class="stowage-summary-actions">
      ${link(view.actions.pauseAll ? "pauseAll" : "resumeAll")} ${link("start")} ${link("retryAll")}
      ${link("cancelAll")} ${link("clear")}
    </div>
  </div>`;
}
