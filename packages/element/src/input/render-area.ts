import type { DragState } from "@stowage/client/internals";
import { html, nothing, type TemplateResult } from "lit";
import { uploadIcon } from "../icons.js";
import type { Labels } from "../texts/labels.js";
import type { PickerSource } from "./file-pickers.js";
import { liveText } from "../texts/live-text.js";

export type DropzoneState = "idle" | "uploading" | "drag-over" | "drag-reject";

export interface AreaView {
  state: DropzoneState;
  labels: Labels;
  /** The title while nothing is dragged. */
  idleTitle: string;
  /** Which files are accepted, or a notice in its place. */
  hint: string;
  isNotice: boolean;
  /** Says how many system files the last gesture contained; empty without one. */
  leftOut: string;
  isDisabled: boolean;
  sources: readonly PickerSource[];
  open(picker: "files" | PickerSource): void;
}

/** What the element shows of a drag, and otherwise of its uploads. */
export function dropzoneState(drag: DragState, isUploading: boolean): DropzoneState {
  switch (drag) {
    case "accept":
      return "drag-over";
    case "reject":
      return "drag-reject";
    default:
      return isUploading ? "uploading" : "idle";
  }
}

/** The area that asks for files. */
export function renderArea({
  state,
  labels,
  idleTitle,
  hint,
  isNotice,
  leftOut,
  ...view
}: AreaView): TemplateResult {
  return html`<div class="stowage-area" part="area" data-state=${state}>
    <span class="stowage-emblem" part="emblem"><slot name="emblem">${uploadIcon}</slot></span>
    <p class="stowage-title" part="title">
      <slot name="title">${liveText(titleOf(state, labels, idleTitle))}</slot>
    </p>
    <button
      type="button"
      class="stowage-trigger"
      part="trigger"
      data-part="trigger"
      ?disabled=${view.isDisabled}
      aria-describedby=${hint || leftOut ? "hint" : nothing}
      @click=${() => view.open("files")}
    >
      <slot name="trigger">${liveText(labels.choose)}</slot>
    </button>
    ${
      hint || leftOut
        ? html`<p id="hint" class="stowage-hint" part="hint" ?data-notice=${isNotice}>
            ${liveText(hint)}${hint && leftOut ? html`<br />` : nothing}${
              leftOut ? html`<span>${liveText(leftOut)}</span>` : nothing
            }
          </p>`
        : nothing
    }
    ${view.sources.map(
      (source) =>
        html`<button
          type="button"
          part="trigger source-${source}"
          data-part="trigger"
          data-source=${source}
          ?disabled=${view.isDisabled}
          @click=${() => view.open(source)}
        >
          ${liveText(source === "folder" ? labels.chooseFolder : labels.useCamera)}
        </button>`,
    )}
    <slot></slot>
  </div>`;
}

/** Says what to do here. During a drag it says what a drop would do. */
function titleOf(state: DropzoneState, labels: Labels, idleTitle: string): string {
  switch (state) {
    case "drag-over":
      return labels.dropNow;
    case "drag-reject":
      return labels.dropRefused;
    default:
      return idleTitle;
  }
}
