import type { ResumableUpload, UploadSnapshot } from "@stowage/client";
import {
  extensionOf,
  formatDateTime,
  formatPercent,
  lostText,
  resumableText,
  type ResumeLabels,
} from "@stowage/client/internals/list";
import { formatBytes } from "@stowage/schemas/page-rules";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";
import { liveText } from "../texts/live-text.js";

interface ResumableCommands {
  onContinue(upload: ResumableUpload): void;
  onDiscard(upload: ResumableUpload): void;
}

/** The uploads that another page has left unfinished, and the files that were lost with it. */
export function renderResumable(
  { resumable, lost }: Pick<UploadSnapshot, "resumable" | "lost">,
  labels: ResumeLabels,
  commands: ResumableCommands,
) {
  const lostSentence = lostText(lost, labels);
  const notice = lostSentence
    ? html`<p class="stowage-hint" part="lost" data-part="lost" data-notice>${liveText(lostSentence)}</p>`
    : nothing;
  return resumable.length === 0
    ? notice
    : html`${notice}
        <ul role="list" class="stowage-list" part="resumable" aria-label=${labels.resumable}>
          ${repeat(
            resumable,
            ({ path }) => path,
            (upload) => renderUpload(upload, labels, commands),
          )}
        </ul>`;
}

function renderUpload(upload: ResumableUpload, labels: ResumeLabels, commands: ResumableCommands) {
  const { path, name, size, storedBytes, progress, expiresAt, status, error } = upload;
  const { locale } = labels;
  const stored = labels.sent(formatBytes(storedBytes, locale), formatBytes(size, locale));
  const percent = formatPercent(progress, locale);
  const text = resumableText(upload, labels);
  return html`<li
    class="stowage-item"
    part="item"
    data-id=${path}
    data-status="resumable"
    ?data-error=${error !== null}
    aria-busy=${status === "waiting" ? nothing : "true"}
    tabindex="-1"
  >
    <span class="stowage-badge" part="badge" aria-hidden="true">${extensionOf(name) ?? nothing}</span>
    <div class="stowage-item-body">
      <div class="stowage-item-head">
        <bdi class="stowage-name" part="name" title=${name} translate="no">${name}</bdi>
        <span class="stowage-size" part="size">${liveText(percent)}</span>
      </div>
      <div
        role="progressbar"
        class="stowage-progress"
        part="progress"
        aria-label=${name}
        aria-valuenow=${Math.floor(progress * 100)}
        aria-valuetext=${percent}
        style=${styleMap({ "--progress": `${progress * 100}%` })}
      ></div>
      <span class="stowage-size">
        ${liveText(`${stored} · ${labels.expires(formatDateTime(Date.parse(expiresAt), locale))}`)}
      </span>
      ${text ? html`<span class="stowage-item-status stowage-resume-text">${liveText(text)}</span>` : nothing}
      <div class="stowage-resume-actions">
        <button
          type="button"
          class="stowage-link"
          part="action continue"
          data-part="continue"
          aria-label=${labels.resumeFile(name)}
          @click=${() => commands.onContinue(upload)}
        >
          ${labels.resume}
        </button>
        <button
          type="button"
          class="stowage-link"
          part="action discard"
          data-part="discard"
          aria-label=${labels.discardFile(name)}
          @click=${() => commands.onDiscard(upload)}
        >
          ${labels.discardUpload}
        </button>
      </div>
    </div>
  </li>`;
}
