import {
  defaultUploadClient,
  type UploadCommands,
  type UploadItem,
  type UploadSettings,
  type UploadSnapshot,
} from "@stowage/client";
import {
  addTotals,
  createDropTarget,
  type DragState,
  type FilesNotice,
  hintText,
  isTouched,
  storeCacheOf,
} from "@stowage/client/internals";
import {
  css,
  type CSSResult,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  unsafeCSS,
} from "lit";
import type { DropzoneEventMap } from "./dropzone-events.js";
import { declarations, type DropzoneSettings, listSettingsOf } from "./dropzone-settings.js";
import { dropzoneStyles } from "./dropzone-styles.js";
import { FormElement } from "./form/form-element.js";
import { HeldSubmit } from "./form/held-submit.js";
import { FilePickers, pickerSources } from "./input/file-pickers.js";
import { dropzoneState, renderArea } from "./input/render-area.js";
import { KeptFocus } from "./kept-focus.js";
import { HeldList } from "./list/held-list.js";
import { ListPanel } from "./list/list-panel.js";
import { Announcements } from "./texts/announcements.js";
import { Texts } from "./texts/labels.js";

const dropMissed: FilesNotice = (labels) => labels.dropMissed;

/** The label of a form that takes the place of the hint. */
type FormNotice = "required" | "held" | "heldFailed";

// Lit defines an accessor for each of these.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the type of `declarations` requires each of them
export interface StowageDropzone extends DropzoneSettings {}

/**
 * Uploads dropped, chosen and pasted files straight to storage: the dropzone of `@stowage/react` without React. It is a form field
 * whose value are the paths of the stored files.
 *
 * @slot - further content below the hint
 * @slot emblem - replaces the picture above the title
 * @slot title - replaces the title, also during a drag
 * @slot trigger - replaces the text of the button
 *
 * @csspart root - the whole element
 * @csspart area - the area that asks for files
 * @csspart emblem - the picture above the title
 * @csspart title - what to do here
 * @csspart trigger - the button that opens the file picker, and those of `sources`
 * @csspart source-folder - the button for a folder
 * @csspart source-user - the button for the front camera
 * @csspart source-environment - the button for the back camera
 * @csspart hint - which files are accepted, or a notice
 * @csspart resumable - the list of unfinished uploads
 * @csspart lost - the names of files that were lost with the last page
 * @csspart list - the list of files
 * @csspart item - a row of either list
 * @csspart badge - the box at the start of a row
 * @csspart preview - the image in that box
 * @csspart name - the name of a file
 * @csspart size - the size of a file, or its progress in percent
 * @csspart origin - the folder of a file, or its date if another file has the same name
 * @csspart progress - a progress bar
 * @csspart status - the state of a file
 * @csspart action - every button of a row, and of the summary
 * @csspart cancel - a button that cancels a file
 * @csspart pause - a button that pauses a file
 * @csspart resume - a button that lets a paused file continue
 * @csspart retry - a button that starts a failed file again
 * @csspart remove - a button that removes a file from the list
 * @csspart continue - a button that continues an unfinished upload
 * @csspart discard - a button that discards an unfinished upload, or all of them
 * @csspart ask-discard - the button that offers to discard unfinished uploads, because they hold the quota
 * @csspart keep - the button that keeps them
 * @csspart summary - the state of the whole list, below it
 * @csspart summary-text - the sentence in it
 * @csspart start - the button that starts the waiting files
 * @csspart pauseAll - the button that pauses all files
 * @csspart resumeAll - the button that lets all files continue
 * @csspart retryAll - the button that starts all failed files again
 * @csspart cancelAll - the button that cancels all files
 * @csspart clear - the button that removes all ended files from the list
 *
 * @cssprop --stowage-accent - buttons, progress and the border during a drag
 * @cssprop --stowage-surface - the background
 * @cssprop --stowage-text - texts
 * @cssprop --stowage-muted - secondary texts and icons
 * @cssprop --stowage-line - borders
 * @cssprop --stowage-success - a file that is stored
 * @cssprop --stowage-danger - a file that failed, and a refused drag
 * @cssprop --stowage-radius - the radius of the corners
 * @cssprop --stowage-font - the font family
 * @cssprop --stowage-list-height - the largest height of the list, which scrolls then
 */
export class StowageDropzone extends FormElement {
  static override readonly styles: CSSResult[] = [
    unsafeCSS(dropzoneStyles),
    css`
      :host {
        display: block;
      }
      :host([hidden]) {
        display: none;
      }
      .hidden {
        position: absolute;
        inset: 0;
        overflow: hidden;
        clip-path: inset(50%);
      }
      /* Only the rows move a long list: the browser's own scroll anchoring would move it a second time. */
      .windowed {
        overflow-anchor: none;
      }
    `,
  ];
  static override readonly properties: PropertyDeclarations = declarations;
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, "lang"];
  }

  readonly #texts = new Texts(this);
  readonly #list = new HeldList(() => this.#onListChange());
  readonly #panel = new ListPanel({
    onChange: () => this.requestUpdate(),
    askForFile: (path) => this.#pickers.openFor(path),
  });
  readonly #announcements = new Announcements(() => this.#root?.querySelector("[role=status]"));
  readonly #focus = new KeptFocus(() => this.#root);
  readonly #dropTarget = createDropTarget({
    limits: () => this.#snapshot.limits,
    isDisabled: () => this.isDisabled,
    acceptsPaste: () => this.paste !== false,
    add: (files) => this.add(files),
    onDrag: (drag) => this.#onDrag(drag),
    onNotice: (notice) => this.#onFilesNotice(notice),
    onMiss: (isMissed) => this.#onMiss(isMissed),
  });
  readonly #pickers = new FilePickers({
    root: () => this.#root,
    add: (files) => this.add(files),
    onNotice: (notice) => this.#onFilesNotice(notice),
    onChosenAgain: (path, file) => this.commands?.continueUpload(path, file),
  });
  readonly #submit = new HeldSubmit({
    form: () => this.form,
    totals: () => this.snapshot?.totals,
    onHold: () => {
      this.#notify("held");
      this.commands?.start();
    },
    onFail: () => {
      this.#notify("heldFailed");
      this.#root?.querySelector<HTMLElement>("[data-status=failed]")?.focus();
    },
    onRelease: () => this.#setNotice(undefined),
  });
  #unwatchPage = () => {};
  #drag: DragState = "none";
  #notice: FormNotice | undefined;
  /** What a person should know about the last gesture. */
  #filesNotice: FilesNotice | undefined;

  /** The paths of the stored files: what the form sends under `name`. */
  override get value(): readonly string[] {
    return this.items.flatMap((item) => (item.status === "done" ? [item.result.file_path] : []));
  }

  /** The files of the list. */
  get items(): readonly UploadItem[] {
    return this.#snapshot.items;
  }

  /** The list, with its totals, limits and connection. Undefined before the element is in a page and has a backend. */
  get snapshot(): UploadSnapshot | undefined {
    return this.#list.store?.getSnapshot();
  }

  /** The commands of the list, such as `pauseAll`. Undefined before the element is in a page and has a backend. */
  get commands(): UploadCommands | undefined {
    return this.#list.store;
  }

  /** Adds files, as if a person had chosen them. Does nothing before the element is in a page and has a backend. */
  add(files: Iterable<File>): void {
    this.#filesNotice = undefined;
    this.requestUpdate();
    this.commands?.add(files);
  }

  /** Focuses the button that opens the file picker. */
  override focus(options?: FocusOptions): void {
    this.#trigger?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { dragenter, dragover, dragleave, drop, paste } = this.#dropTarget.listeners;
    // A listener that is added again stays a single one.
    this.addEventListener("dragenter", dragenter);
    this.addEventListener("dragover", dragover);
    this.addEventListener("dragleave", dragleave);
    this.addEventListener("drop", drop);
    this.addEventListener("paste", paste);
    this.#unwatchPage = this.#dropTarget.watchPage();
    this.#submit.connect();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatchPage();
    // The files of a form that was sent must not be part of the next one.
    if (this.#submit.wasSent) {
      this.commands?.reset();
    }
    this.#submit.disconnect();
    this.#list.release();
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (name === "lang") {
      this.requestUpdate();
    }
  }

  formResetCallback(): void {
    this.#submit.drop();
    this.commands?.reset();
    this.#setNotice(undefined);
  }

  protected override update(changed: PropertyValues): void {
    this.#texts.update(this.messages);
    if (this.isConnected) {
      const cache = storeCacheOf(this.client ?? defaultUploadClient);
      this.#list.hold(cache, this.listKey ?? undefined, this.#listSettings());
    }
    this.#focus.whileRendering(() => super.update(changed));
  }

  protected override updated(): void {
    const { store } = this.#list;
    if (store) {
      this.#announcements.update(store, store.getSnapshot(), this.#texts.labels);
    }
    this.#panel.rendered();
    this.#focus.restore();
    this.updateField(this.#trigger);
    this.#submit.update();
  }

  protected override render() {
    const { labels } = this.#texts;
    const { store } = this.#list;
    const { limits, totals, connection, leftOut } = this.#snapshot;
    const notice = this.#notice ? labels[this.#notice] : this.#filesNotice?.(labels);
    const state = dropzoneState(this.#drag, totals.active > totals.paused);
    const sources = pickerSources(this.sources);
    const name = this.label || labels.label;
    return html`
      <div
        class="stowage stowage-dropzone"
        part="root"
        role="group"
        aria-label=${name}
        data-upload
        data-state=${state}
        data-theme=${this.theme ?? nothing}
        ?data-disabled=${this.isDisabled}
        ?data-offline=${connection === "offline"}
        ?data-unreachable=${connection === "unreachable"}
        @focusin=${this.#focus.onFocusIn}
        @focusout=${this.#focus.onFocusOut}
      >
        ${this.#pickers.render(limits, sources)}
        ${renderArea({
          state,
          labels,
          idleTitle: isTouched() ? name : labels.title,
          sources,
          hint: notice ?? hintText(limits, labels),
          isNotice: notice !== undefined,
          leftOut: leftOut.length > 0 ? labels.leftOut(leftOut.length, labels.locale) : "",
          isDisabled: this.isDisabled,
          open: (picker) => this.#pickers.open(picker),
        })}
        ${store && this.#panel.render(store, labels, { autoStart: this.autoStart, hasPreviews: this.preview === true })}
        <div class="hidden" role="status"></div>
      </div>
    `;
  }

  get #root(): HTMLElement | null {
    return this.renderRoot?.querySelector<HTMLElement>("[data-upload]") ?? null;
  }

  get #trigger(): HTMLElement | undefined {
    return this.#root?.querySelector<HTMLElement>("[data-part=trigger]") ?? undefined;
  }

  get #snapshot(): UploadSnapshot {
    return this.snapshot ?? EMPTY;
  }

  protected override get problem(): string | undefined {
    const isMissing = this.required && this.value.length === 0 && this.#snapshot.totals.active === 0;
    return isMissing ? this.#texts.labels.required : undefined;
  }

  protected override onInvalid(): void {
    this.#notify("required");
  }

  #listSettings(): UploadSettings {
    const { messages, labels } = this.#texts;
    return {
      ...listSettingsOf(this),
      errorMessages: messages?.errors,
      locale: labels.locale,
      onUploaded: (file, item) => this.#dispatch("stowage-uploaded", { file, item }),
      onFailed: (failure, item) => this.#dispatch("stowage-failed", { failure, item }),
      onSettled: (snapshot) => this.#dispatch("stowage-settled", snapshot),
    };
  }

  #onDrag(drag: DragState): void {
    if (drag === this.#drag) {
      return;
    }
    this.#drag = drag;
    this.#filesNotice = undefined;
    this.requestUpdate();
  }

  #onListChange(): void {
    const { snapshot } = this;
    if (!snapshot) {
      return;
    }
    // The notice was about earlier files, unless a submit waits for these.
    if (snapshot.totals.active > 0 && (this.#notice === "required" || this.#notice === "heldFailed")) {
      this.#notice = undefined;
    }
    this.requestUpdate();
    this.#dispatch("stowage-list", snapshot);
  }

  #onMiss(isMissed: boolean): void {
    if (isMissed) {
      this.#onFilesNotice(dropMissed);
    } else if (this.#filesNotice === dropMissed) {
      this.#filesNotice = undefined;
      this.requestUpdate();
    }
  }

  #onFilesNotice(notice: FilesNotice): void {
    this.#filesNotice = notice;
    this.#announcements.announce(notice(this.#texts.labels));
    this.requestUpdate();
  }

  /** Shows a notice of the form in place of the hint, and announces it. */
  #notify(notice: FormNotice): void {
    this.#setNotice(notice);
    this.#announcements.announce(this.#texts.labels[notice]);
  }

  #setNotice(notice: FormNotice | undefined): void {
    this.#notice = notice;
    this.requestUpdate();
  }

  #dispatch<Type extends keyof DropzoneEventMap>(type: Type, detail: DropzoneEventMap[Type]["detail"]): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/** The list before the element has a backend. */
const EMPTY: UploadSnapshot = {
  items: [],
  totals: addTotals([]),
  isOffline: false,
  connection: "online",
  limits: {},
  resumable: [],
  lost: [],
  leftOut: [],
};
