import {
  defaultUploadClient,
  type UploadCommands,
  type UploadItem,
  type UploadMessages,
  type UploadSettings,
  type UploadSnapshot,
} from "@stowage/client";
import {
  addFilesFromEvent,
  addTotals,
  announceResumable,
  browserRuntime,
  createAnnouncer,
  englishFormLabels,
  englishLabels,
  englishResumeLabels,
  focusTarget,
  hintText,
  type ItemView,
  type LastFocus,
  lastFocusAt,
  listView,
  type SharedView,
  storeCacheOf,
} from "@stowage/client/internals";
import { acceptTokens } from "@stowage/schemas/rules";
import {
  css,
  type CSSResult,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  unsafeCSS,
} from "lit";
import { type DragState, DropTarget } from "./drop-target.js";
import type { DropzoneEventMap } from "./dropzone-events.js";
import { type DropzoneSettings, settingDeclarations } from "./dropzone-settings.js";
import { dropzoneStyles } from "./dropzone-styles.js";
import { HeldList } from "./held-list.js";
import { HeldSubmit } from "./held-submit.js";
import { uploadIcon } from "./icons.js";
import { ListView } from "./list-view.js";
import { registeredMessages } from "./registered-locales.js";
import { renderResumable } from "./render-resumable.js";
import { renderAction, renderProgress } from "./render-row.js";

type Labels = typeof englishLabels &
  typeof englishFormLabels &
  typeof englishResumeLabels & { locale: string };

/**
 * Uploads dropped, chosen and pasted files straight to storage: the dropzone of `@stowage/react` without React. It is a form field
 * whose value are the paths of the stored files.
 *
 * @slot - below the hint, such as further text
 * @slot title - replaces the title, also during a drag
 * @slot trigger - the text of the button
 * @slot emblem - the picture above the title
 * @csspart root, area, emblem, title, trigger, hint, list, item, badge, name, size, origin, progress, status, action, summary
 * @fires stowage-uploaded, stowage-failed, stowage-settled, stowage-list, change
 */
export class StowageDropzone extends LitElement implements DropzoneSettings {
  static readonly formAssociated = true;
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
    `,
  ];
  static override readonly properties: PropertyDeclarations = {
    ...settingDeclarations,
    name: { reflect: true, converter: { toAttribute: (name: string) => name || null } },
    required: { type: Boolean, reflect: true },
    disabled: { type: Boolean, reflect: true },
  };
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, "lang"];
  }

  // Lit defines the accessors of these.
  declare endpoint: DropzoneSettings["endpoint"];
  declare transport: DropzoneSettings["transport"];
  declare headers: DropzoneSettings["headers"];
  declare credentials: DropzoneSettings["credentials"];
  declare route: DropzoneSettings["route"];
  declare input: DropzoneSettings["input"];
  declare accept: DropzoneSettings["accept"];
  declare maxSize: DropzoneSettings["maxSize"];
  declare minSize: DropzoneSettings["minSize"];
  declare maxFiles: DropzoneSettings["maxFiles"];
  declare maxTotalSize: DropzoneSettings["maxTotalSize"];
  declare validate: DropzoneSettings["validate"];
  declare duplicates: DropzoneSettings["duplicates"];
  declare transform: DropzoneSettings["transform"];
  declare concurrency: DropzoneSettings["concurrency"];
  declare autoStart: DropzoneSettings["autoStart"];
  declare deleteOnRemove: DropzoneSettings["deleteOnRemove"];
  declare leaveGuard: DropzoneSettings["leaveGuard"];
  declare resumable: DropzoneSettings["resumable"];
  declare listKey: DropzoneSettings["listKey"];
  declare label: DropzoneSettings["label"];
  declare paste: DropzoneSettings["paste"];
  declare theme: DropzoneSettings["theme"];
  declare messages: DropzoneSettings["messages"];
  declare client: DropzoneSettings["client"];
  declare name: string | null;
  declare required: boolean;
  declare disabled: boolean;

  readonly #internals = this.attachInternals();
  readonly #list = new HeldList(() => this.#onListChange());
  readonly #rows = new ListView(() => this.requestUpdate());
  readonly #dropTarget = new DropTarget(this, {
    limits: () => this.#snapshot?.limits ?? {},
    isDisabled: () => this.#isDisabled,
    acceptsPaste: () => this.paste !== false,
    add: (files) => this.add(files),
    onDrag: (state) => this.#setDrag(state),
    onEmpty: () => this.#notify(this.#labels.emptyFolder),
    onMiss: () => this.#notify(this.#labels.dropMissed),
  });
  readonly #submit = new HeldSubmit({
    form: () => this.form,
    totals: () => this.#snapshot?.totals,
    onHold: () => {
      this.#notify(this.#labels.held);
      this.#list.store?.start();
    },
    onFail: () => {
      this.#notify(this.#labels.heldFailed);
      this.#root?.querySelector<HTMLElement>("[data-status=failed]")?.focus();
    },
    onRelease: () => this.#setNotice(""),
  });
  #announcer: ReturnType<typeof createAnnouncer> | undefined;
  #drag: DragState = "none";
  #notice = "";
  #isFieldsetDisabled = false;
  #isRendering = false;
  #lastFocus: LastFocus | undefined;
  #lastPaths: readonly string[] = [];
  #lastResumable: UploadSnapshot["resumable"] = [];
  /** The unfinished upload whose file the open picker asks for. */
  #chosenFor = "";
  #shared: { key: readonly unknown[]; view: SharedView } | undefined;

  constructor() {
    super();
    this.name = null;
    this.required = false;
    this.disabled = false;
    this.addEventListener("invalid", this.#onInvalid);
  }

  /** The form that the element belongs to. */
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  /** The paths of the stored files: what the form sends under `name`. */
  get value(): readonly string[] {
    return this.items.flatMap((item) => (item.status === "done" ? [item.result.file_path] : []));
  }

  get items(): readonly UploadItem[] {
    return this.#snapshot?.items ?? [];
  }

  /** The list, with its totals, limits and connection. Undefined before the element is in a page and has a backend. */
  get snapshot(): UploadSnapshot | undefined {
    return this.#snapshot;
  }

  /** The commands of the list, such as `pauseAll`. Undefined before the element is in a page and has a backend. */
  get commands(): UploadCommands | undefined {
    return this.#list.store;
  }

  get validity(): ValidityState {
    return this.#internals.validity;
  }

  get validationMessage(): string {
    return this.#internals.validationMessage;
  }

  get willValidate(): boolean {
    return this.#internals.willValidate;
  }

  checkValidity(): boolean {
    this.#updateField();
    return this.#internals.checkValidity();
  }

  reportValidity(): boolean {
    this.#updateField();
    return this.#internals.reportValidity();
  }

  /** Adds files, as if a person had chosen them. */
  add(files: Iterable<File>): void {
    this.#list.store?.add(files);
  }

  /** Focuses the button that opens the file picker. */
  override focus(options?: FocusOptions): void {
    this.#root?.querySelector<HTMLElement>("[data-part=trigger]")?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#dropTarget.connect();
    this.#submit.connect();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#dropTarget.disconnect();
    // The files of a form that was sent must not be part of the next one.
    if (this.#submit.wasSent) {
      this.#list.store?.reset();
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

  formDisabledCallback(isDisabled: boolean): void {
    this.#isFieldsetDisabled = isDisabled;
    this.requestUpdate();
  }

  formResetCallback(): void {
    this.#submit.drop();
    this.#list.store?.reset();
    this.#setNotice("");
  }

  protected override update(changed: PropertyValues): void {
    if (this.isConnected) {
      const cache = storeCacheOf(this.client ?? defaultUploadClient);
      this.#list.hold(cache, this.listKey ?? undefined, this.#settings());
    }
    // Chrome fires `focusout` for a button that the rendering removes. The focus is restored after it.
    this.#isRendering = true;
    super.update(changed);
    this.#isRendering = false;
  }

  protected override updated(): void {
    this.#announceChanges();
    this.#restoreFocus();
    this.#updateField();
    this.#submit.update();
  }

  protected override render() {
    const snapshot = this.#snapshot ?? EMPTY;
    const labels = this.#labels;
    const { state, title } = this.#dropState(snapshot, labels);
    const shared = this.#sharedView(snapshot, labels);
    const hint = this.#notice || hintText(snapshot.limits, labels);
    return html`
      <div
        class="stowage stowage-dropzone"
        part="root"
        role="group"
        aria-label=${this.label || labels.label}
        data-upload
        data-state=${state}
        data-theme=${this.theme ?? nothing}
        ?data-disabled=${this.#isDisabled}
        ?data-offline=${snapshot.connection === "offline"}
        ?data-unreachable=${snapshot.connection === "unreachable"}
        @focusin=${this.#onFocusIn}
        @focusout=${this.#onFocusOut}
      >
        <input
          class="hidden"
          type="file"
          data-picker="files"
          accept=${acceptTokens(snapshot.limits.accept).join(",")}
          ?multiple=${snapshot.limits.maxFiles !== 1}
          tabindex="-1"
          aria-hidden="true"
          @change=${this.#onChoose}
        />
        <input
          class="hidden"
          type="file"
          data-picker="resume"
          tabindex="-1"
          aria-hidden="true"
          @change=${this.#onChooseAgain}
        />
        <div class="stowage-area" part="area" data-state=${state}>
          <span class="stowage-emblem" part="emblem"><slot name="emblem">${uploadIcon}</slot></span>
          <p class="stowage-title" part="title"><slot name="title">${title}</slot></p>
          <button
            type="button"
            class="stowage-trigger"
            part="trigger"
            data-part="trigger"
            ?disabled=${this.#isDisabled}
            aria-describedby=${hint ? "hint" : nothing}
            @click=${() => this.#openPicker("files")}
          >
            <slot name="trigger">${labels.choose}</slot>
          </button>
          ${
            hint
              ? html`<p id="hint" class="stowage-hint" part="hint" ?data-notice=${this.#notice !== ""}>
                  ${hint}
                </p>`
              : nothing
          }
          <slot></slot>
        </div>
        ${renderResumable(snapshot.resumable, labels, {
          onContinue: ({ path, canContinueWithoutChoosing }) => {
            this.#chosenFor = path;
            if (canContinueWithoutChoosing) {
              this.commands?.continueUpload(path);
            } else {
              this.#openPicker("resume");
            }
          },
          onDiscard: ({ path }) => this.commands?.discardResumable(path),
        })}
        ${this.#rows.render(snapshot.items, shared)} ${this.#renderFooter(snapshot, shared)}
        <div class="hidden" role="status"></div>
      </div>
    `;
  }

  #renderFooter(snapshot: UploadSnapshot, shared: SharedView) {
    const { store } = this.#list;
    const { files } = snapshot.totals;
    const isWaitingForStart = this.autoStart === false && files > 0;
    if (!store || !(files > 1 || snapshot.connection !== "online" || isWaitingForStart)) {
      return nothing;
    }
    const view: ItemView = listView({ ...store, ...snapshot }, this.autoStart, shared);
    const link = (action: Parameters<typeof renderAction>[1]) => renderAction(view, action, "stowage-link");
    return html`<div class="stowage-summary" part="summary">
      ${renderProgress(view, "stowage-total")}
      <span class="stowage-summary-text" part="summary-text">${view.statusText}</span>
      <div class="stowage-summary-actions">
        ${link(view.actions.pauseAll ? "pauseAll" : "resumeAll")} ${link("start")} ${link("retryAll")}
        ${link("cancelAll")} ${link("clear")}
      </div>
    </div>`;
  }

  get #root(): HTMLElement | null {
    return this.renderRoot?.querySelector<HTMLElement>("[data-upload]") ?? null;
  }

  get #snapshot(): UploadSnapshot | undefined {
    return this.#list.store?.getSnapshot();
  }

  get #isDisabled(): boolean {
    return this.disabled || this.#isFieldsetDisabled;
  }

  /** The language around the element decides, so a page sets it once. */
  get #messages(): UploadMessages | undefined {
    return this.messages ?? registeredMessages(this.#lang);
  }

  get #lang(): string {
    return this.closest("[lang]")?.getAttribute("lang") || "en";
  }

  get #labels(): Labels {
    const messages = this.#messages;
    const locale = messages?.locale ?? (messages ? this.#lang : "en");
    return { ...englishLabels, ...englishFormLabels, ...englishResumeLabels, ...messages, locale };
  }

  #settings(): UploadSettings {
    const messages = this.#messages;
    return {
      ...definedOnly({
        endpoint: this.endpoint,
        transport: this.transport,
        headers: this.headers,
        credentials: this.credentials,
        route: this.route,
        input: this.input,
        accept: this.accept,
        maxSize: this.maxSize,
        minSize: this.minSize,
        maxFiles: this.maxFiles,
        maxTotalSize: this.maxTotalSize,
        validate: this.validate,
        duplicates: this.duplicates,
        transform: this.transform,
        concurrency: this.concurrency,
        autoStart: this.autoStart,
        deleteOnRemove: this.deleteOnRemove,
        leaveGuard: this.leaveGuard,
        resumable: this.resumable,
      } satisfies Partial<Record<keyof UploadSettings, unknown>>),
      errorMessages: messages?.errors,
      locale: this.#labels.locale,
      onUploaded: (file, item) => this.#dispatch("stowage-uploaded", { file, item }),
      onFailed: (failure, item) => this.#dispatch("stowage-failed", { failure, item }),
      onSettled: (snapshot) => this.#dispatch("stowage-settled", snapshot),
    };
  }

  /** What all rows share. The same object until it changes, so that unchanged rows are not rendered again. */
  #sharedView({ connection }: UploadSnapshot, labels: Labels): SharedView {
    const { store } = this.#list;
    const key = [this.#messages, labels.locale, connection, store];
    if (!store || !this.#shared || this.#shared.key.some((value, index) => value !== key[index])) {
      const { cancel, pause, resume, retry, remove, discardUnfinished } = store ?? NO_COMMANDS;
      this.#shared = {
        key,
        view: { labels, connection, cancel, pause, resume, retry, remove, discardUnfinished },
      };
    }
    return this.#shared.view;
  }

  #dropState({ totals }: UploadSnapshot, labels: Labels): { state: string; title: string } {
    if (this.#drag !== "none") {
      return this.#drag === "accept"
        ? { state: "drag-over", title: labels.dropNow }
        : { state: "drag-reject", title: labels.dropRefused };
    }
    return { state: totals.active > totals.paused ? "uploading" : "idle", title: labels.title };
  }

  #setDrag(state: DragState): void {
    if (state === this.#drag) {
      return;
    }
    this.#drag = state;
    // The notice was about an earlier drop. A notice of a form stays.
    if (this.#notice === this.#labels.emptyFolder || this.#notice === this.#labels.dropMissed) {
      this.#notice = "";
    }
    this.requestUpdate();
  }

  #setNotice(notice: string): void {
    this.#notice = notice;
    this.requestUpdate();
  }

  /** Shows a notice in place of the hint, and announces it. */
  #notify(notice: string): void {
    this.#setNotice(notice);
    this.#announcer?.announce(notice);
  }

  #openPicker(picker: "files" | "resume"): void {
    const input = this.#root?.querySelector<HTMLInputElement>(`[data-picker=${picker}]`);
    if (input) {
      // Without this, no change event follows when the same file is chosen twice in a row.
      input.value = "";
      input.click();
    }
  }

  readonly #onChoose = (event: Event) => {
    // The element has a `change` event of its own.
    event.stopPropagation();
    void addFilesFromEvent(
      event,
      (files) => this.add(files),
      () => this.#notify(this.#labels.emptyFolder),
    );
  };

  readonly #onChooseAgain = (event: Event) => {
    event.stopPropagation();
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) {
      this.commands?.continueUpload(this.#chosenFor, file);
    }
  };

  #onListChange(): void {
    if (this.#snapshot && this.#snapshot.totals.active > 0) {
      // The notice was about earlier files, unless a submit waits for these.
      if (this.#notice === this.#labels.required || this.#notice === this.#labels.heldFailed) {
        this.#notice = "";
      }
    }
    this.requestUpdate();
    if (this.#snapshot) {
      this.#dispatch("stowage-list", this.#snapshot);
    }
  }

  #dispatch<Type extends keyof DropzoneEventMap>(type: Type, detail: DropzoneEventMap[Type]["detail"]): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #announceChanges(): void {
    const snapshot = this.#snapshot;
    if (!snapshot) {
      return;
    }
    const labels = this.#labels;
    // replaceChildren creates a new text node, so the same sentence is read again.
    const speak = (text: string) => this.#root?.querySelector("[role=status]")?.replaceChildren(text);
    this.#announcer ??= createAnnouncer(browserRuntime, snapshot, speak);
    this.#announcer.update(snapshot, labels);
    announceResumable(this.#lastResumable, snapshot.resumable, labels, this.#announcer.announce);
    this.#lastResumable = snapshot.resumable;
  }

  readonly #onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) {
      this.#lastFocus = lastFocusAt(target, this.#root);
    }
  };

  readonly #onFocusOut = () => {
    if (!this.#isRendering) {
      this.#lastFocus = undefined;
    }
  };

  /** Keeps the focus inside when the focused button disappears, because its file was removed, cancelled or finished. */
  #restoreFocus(): void {
    const root = this.#root;
    const lost = this.#lastFocus;
    if (!root || !lost || lost.element.isConnected) {
      return;
    }
    this.#lastFocus = undefined;
    // Another element of the page may have taken the focus.
    if (document.activeElement !== document.body) {
      return;
    }
    const row = lost.row?.isConnected ? lost.row : undefined;
    const answer = row?.querySelector<HTMLElement>("[data-part=keep], [data-part=ask-discard]");
    const target = lost.element.matches("[data-part=keep], [data-part=ask-discard]") ? answer : undefined;
    (target ?? focusTarget(root, lost)).focus();
  }

  #updateField(): void {
    const paths = this.value;
    const data = new FormData();
    for (const path of paths) {
      data.append(this.name ?? "", path);
    }
    this.#internals.setFormValue(this.name && paths.length > 0 ? data : null);
    const isMissing = this.required && paths.length === 0 && !this.#snapshot?.totals.active;
    const trigger = this.#root?.querySelector<HTMLElement>("[data-part=trigger]") ?? undefined;
    this.#internals.setValidity(
      isMissing ? { valueMissing: true } : {},
      isMissing ? this.#labels.required : undefined,
      trigger,
    );
    const isSame =
      paths.length === this.#lastPaths.length &&
      paths.every((path, index) => path === this.#lastPaths[index]);
    if (!isSame) {
      this.#lastPaths = paths;
      this.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  readonly #onInvalid = (event: Event) => {
    // The browser would show its message at this element, in its own words and place.
    event.preventDefault();
    this.#notify(this.#labels.required);
    const fields = Array.from(this.form?.elements ?? []) as HTMLInputElement[];
    if (fields.find(({ validity }) => validity && !validity.valid) === (this as unknown)) {
      this.focus();
    }
  };
}

/** An attribute that was removed leaves null behind, which no setting accepts. */
function definedOnly(settings: UploadSettings): UploadSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null),
  );
}

const ignore = () => {};
const NO_COMMANDS = {
  cancel: ignore,
  pause: ignore,
  resume: ignore,
  retry: ignore,
  remove: ignore,
  discardUnfinished: ignore,
};

/** The list before the element has a backend. */
const EMPTY: UploadSnapshot = {
  items: [],
  totals: addTotals([]),
  isOffline: false,
  connection: "online",
  limits: {},
  resumable: [],
};
