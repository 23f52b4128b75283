"use client";

import type { ResumableUpload } from "@stowage/client";
import {
  type ActiveLabels,
  announceResumable,
  englishResumeLabels,
  extensionOf,
  formatDateTime,
  formatPercent,
  lostText,
  resumableText,
  type ResumeLabels,
} from "@stowage/client/internals/list";
import { formatBytes } from "@stowage/schemas/page-rules";
import { type CSSProperties, type HTMLAttributes, type RefObject, useEffect, useRef } from "react";
import type { UseUploadResult } from "../use-upload.js";
import { visuallyHidden } from "./visually-hidden.js";

export interface ResumableRowsProps extends Omit<HTMLAttributes<HTMLUListElement>, "children"> {
  upload: Pick<UseUploadResult, "resumable" | "lost" | "continueUpload" | "discardResumable">;
  labels: ActiveLabels;
  /** Announces a sentence in the live region. */
  announce(this: void, sentence: string): void;
}

/** The rows of the uploads that can be continued, with one picker for all of them. */
export function ResumableRows({ upload, labels: given, announce, ...props }: ResumableRowsProps) {
  const { resumable, lost, continueUpload, discardResumable } = upload;
  const labels = { ...englishResumeLabels, ...given };
  const input = useRef<HTMLInputElement>(null);
  const chosenFor = useRef("");
  const lostSentence = lostText(lost, labels);
  useAnnouncements(resumable, labels, announce);
  useAnnouncement(lostSentence, announce);
  const notice = lostSentence && (
    <p className="stowage-hint" data-part="lost" data-notice="">
      {lostSentence}
    </p>
  );
  if (resumable.length === 0) {
    return notice || null;
  }

  function onContinue({ path, canContinueWithoutChoosing }: ResumableUpload) {
    if (canContinueWithoutChoosing) {
      continueUpload(path);
    } else {
      chosenFor.current = path;
      openPicker(input);
    }
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        style={visuallyHidden}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) {
            continueUpload(chosenFor.current, file);
          }
        }}
      />
      {notice}
      {/* Safari removes the list role from a list without markers, so it is set explicitly. */}
      <ul role="list" aria-label={labels.resumable} {...props}>
        {resumable.map((upload) => (
          <ResumableRow
            key={upload.path}
            upload={upload}
            labels={labels}
            onContinue={() => onContinue(upload)}
            onDiscard={() => discardResumable(upload.path)}
          />
        ))}
      </ul>
    </>
  );
}

interface ResumableRowProps {
  upload: ResumableUpload;
  labels: ResumeLabels;
  onContinue(): void;
  onDiscard(): void;
}

function ResumableRow({ upload, labels, onContinue, onDiscard }: ResumableRowProps) {
  const { path, name, size, storedBytes, progress, expiresAt, status, error } = upload;
  const { locale } = labels;
  const stored = labels.sent(formatBytes(storedBytes, locale), formatBytes(size, locale));
  const percent = formatPercent(progress, locale);
  const text = resumableText(upload, labels);
  return (
    <li
      className="stowage-item"
      data-id={path}
      data-status="resumable"
      data-error={error ? "" : undefined}
      aria-busy={status === "waiting" ? undefined : true}
      tabIndex={-1}
    >
      <span className="stowage-badge" aria-hidden="true" translate="no">
        {extensionOf(name)}
      </span>
      <div className="stowage-item-body">
        <div className="stowage-item-head">
          <bdi className="stowage-name" title={name} translate="no">
            {name}
          </bdi>
          <span className="stowage-size">{percent}</span>
        </div>
        <div
          role="progressbar"
          className="stowage-progress"
          aria-label={name}
          aria-valuenow={Math.floor(progress * 100)}
          aria-valuetext={percent}
          style={{ "--progress": `${progress * 100}%` } as CSSProperties}
        />
        <span className="stowage-size">
          {`${stored} · ${labels.expires(formatDateTime(Date.parse(expiresAt), locale))}`}
        </span>
        {text && <span className="stowage-item-status stowage-resume-text">{text}</span>}
        <div className="stowage-resume-actions">
          <button
            type="button"
            data-part="continue"
            className="stowage-link"
            aria-label={labels.resumeFile(name)}
            onClick={onContinue}
          >
            {labels.resume}
          </button>
          <button
            type="button"
            data-part="discard"
            className="stowage-link"
            aria-label={labels.discardFile(name)}
            onClick={onDiscard}
          >
            {labels.discardUpload}
          </button>
        </div>
      </div>
    </li>
  );
}

function openPicker({ current: input }: RefObject<HTMLInputElement | null>) {
  if (input) {
    // Without this, no change event follows when the same file is chosen twice in a row.
    input.value = "";
    input.click();
  }
}

/** Announces what changed since the last render. */
function useAnnouncements(
  resumable: readonly ResumableUpload[],
  labels: ResumeLabels,
  announce: (sentence: string) => void,
) {
  const last = useRef<readonly ResumableUpload[]>([]);
  useEffect(() => {
    announceResumable(last.current, resumable, labels, announce);
    last.current = resumable;
  });
}

/** Announces a sentence once. */
function useAnnouncement(sentence: string, announce: (sentence: string) => void) {
  const last = useRef("");
  useEffect(() => {
    // It gets shorter when a person adds one of the files again.
    if (sentence !== "" && last.current === "") {
      announce(sentence);
    }
    last.current = sentence;
  });
}

export const codeName = "resumable-rows";
