import type { UploadItem } from "@stowage/client";
import type { ActionName, ItemView } from "@stowage/client/internals";
import {
  extensionOf,
  failureOf,
  formatDateTime,
  formatPercent,
  isShownInPercent,
  pendingRetryOf,
} from "@stowage/client/internals/list";
import { formatBytes } from "@stowage/schemas/page-rules";
import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import { alertIcon, checkIcon, closeIcon, pauseIcon, resumeIcon, retryIcon } from "../icons.js";
import { imagePreview } from "./image-preview.js";
import { liveText } from "../texts/live-text.js";

/** Whether a row asks before it discards the user's unfinished uploads. */
export interface DiscardQuestion {
  isAsked: boolean;
  ask(isAsked: boolean): void;
}

interface RowOptions {
  /** Among all rows, if only some of them are rendered. */
  position: readonly [index: number, count: number] | undefined;
  hasPreview: boolean;
  question: DiscardQuestion;
}

/** The row of one file. Names of files are text, never HTML. */
export function renderRow(
  view: ItemView,
  item: UploadItem,
  { position, hasPreview, question }: RowOptions,
): TemplateResult {
  const { labels, name: uniqueName } = view;
  const { status, name, path, size, progress, file } = item;
  const folder = path.slice(0, path.lastIndexOf("/"));
  const isNumbered = uniqueName !== (path || name);
  const origin = folder
    ? html`<bdi translate="no">${folder}</bdi>`
    : formatDateTime(file.lastModified, labels.locale);
  return html`
    <li
      class="stowage-item"
      part="item"
      data-id=${item.id}
      data-status=${status}
      ?data-error=${failureOf(item) !== null}
      ?data-retrying=${pendingRetryOf(item) !== null}
      data-index=${position?.[0] ?? nothing}
      aria-posinset=${position ? position[0] + 1 : nothing}
      aria-setsize=${position?.[1] ?? nothing}
      tabindex="-1"
    >
      <span class="stowage-badge" part="badge" aria-hidden="true">
        ${hasPreview && status !== "failed" ? imagePreview(file, badgeOf(item)) : badgeOf(item)}
      </span>
      <div class="stowage-item-body">
        <div class="stowage-item-head">
          <bdi class="stowage-name" part="name" title=${path || name} translate="no">
            ${liveText(uniqueName.slice(folder === "" ? 0 : folder.length + 1))}
          </bdi>
          <span class="stowage-size" part="size">
            ${liveText(
              isShownInPercent(item)
                ? formatPercent(progress, labels.locale)
                : formatBytes(size, labels.locale),
            )}
          </span>
        </div>
        ${folder || isNumbered ? html`<div class="stowage-origin" part="origin">${origin}</div>` : nothing}
        ${renderProgress(view)}
        <span class="stowage-item-status" part="status">${liveText(view.statusText)}</span>
        ${failureOf(item)?.heldBytes === undefined ? nothing : renderDiscard(view, item, question)}
      </div>
      <div class="stowage-item-actions">
        ${
          view.actions.resume
            ? renderAction(view, "resume", "stowage-action", resumeIcon)
            : renderAction(view, "pause", "stowage-action", pauseIcon)
        }
        ${renderAction(view, "retry", "stowage-action", retryIcon)}
        ${renderAction(view, "cancel", "stowage-action", closeIcon)}
        ${renderAction(view, "remove", "stowage-action", closeIcon)}
      </div>
    </li>
  `;
}

/** A progress bar, rendered only while something is in progress. */
export function renderProgress({ name, share, progressText }: ItemView, extraClass = "") {
  if (!progressText) {
    return nothing;
  }
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return html`<div
    role="progressbar"
    class="stowage-progress ${extraClass}"
    part="progress"
    aria-label=${name}
    aria-valuenow=${percent ?? nothing}
    aria-valuetext=${progressText}
    style=${styleMap({ "--progress": `${percent ?? 0}%` })}
  ></div>`;
}

/** A button for one action, rendered only while the action is possible. With an icon, the label is its accessible name. */
export function renderAction(
  { actions, labels, name }: ItemView,
  action: ActionName,
  className: string,
  icon?: TemplateResult,
) {
  const run = actions[action];
  if (!run) {
    return nothing;
  }
  // The label `resume` belongs to uploads of another page.
  const label = labels[action === "resume" ? "resumePaused" : action];
  const text = typeof label === "string" ? label : label(name);
  const accessibleName = icon ? text : nothing;
  return html`<button
    type="button"
    class="${className} stowage-${action}"
    part="action ${action}"
    data-part=${action}
    aria-label=${accessibleName}
    title=${accessibleName}
    @click=${run}
  >
    ${icon ?? liveText(text)}
  </button>`;
}

/** Offers to end the user's unfinished uploads, which hold the quota that the file needs. Asks first. */
function renderDiscard(
  { labels, discardUnfinished }: ItemView,
  { id }: UploadItem,
  question: DiscardQuestion,
) {
  if (!question.isAsked) {
    return html`<button
      type="button"
      class="stowage-link"
      part="action ask-discard"
      data-part="ask-discard"
      @click=${() => question.ask(true)}
    >
      ${labels.discard}
    </button>`;
  }
  const warningId = `discard-${id}`;
  return html`<span role="group" aria-labelledby=${warningId}>
    <span id=${warningId}>${labels.discardWarning}</span>
    <button
      type="button"
      class="stowage-link"
      part="action discard"
      data-part="discard"
      @click=${() => discardUnfinished(id)}
    >
      ${labels.discardNow}
    </button>
    <button
      type="button"
      class="stowage-link"
      part="action keep"
      data-part="keep"
      aria-describedby=${warningId}
      @click=${() => question.ask(false)}
    >
      ${labels.discardNot}
    </button>
  </span>`;
}

/** An icon for a file that is done or failed, else the file's extension. */
function badgeOf({ status, name }: UploadItem) {
  if (status === "done") {
    return checkIcon;
  }
  if (status === "failed") {
    return alertIcon;
  }
  return extensionOf(name) ?? nothing;
}
