import type { UploadLimits } from "@stowage/client";
import { addFilesFromEvent, type FilesNotice } from "@stowage/client/internals";
import { acceptTokens } from "@stowage/schemas/page-rules";
import { html, nothing, type TemplateResult } from "lit";

/** What a further button offers: a whole folder, or the front (`user`) or back (`environment`) camera of a phone. */
export type PickerSource = "folder" | "user" | "environment";

const SOURCES: readonly string[] = ["folder", "user", "environment"] satisfies PickerSource[];

/** The known names, each once. Names that are separated by spaces count too, as in an attribute. */
export function pickerSources(sources: readonly string[] | string | null | undefined): PickerSource[] {
  const names = new Set([sources ?? []].flat().flatMap((source) => source.split(/\s+/)));
  return [...names].filter((name): name is PickerSource => SOURCES.includes(name));
}

export interface FilePickerOptions {
  root(): ParentNode | null;
  add(files: File[]): void;
  /** A person should know something about what was chosen. */
  onNotice(notice: FilesNotice): void;
  /** The file of this unfinished upload was chosen again. */
  onChosenAgain(path: string, file: File): void;
}

/** The browser's pickers for files, folders and photos. Each has an input of its own, whose attributes do not change while it is open. */
export class FilePickers {
  readonly #options: FilePickerOptions;
  /** The unfinished upload whose file the open picker asks for. */
  #chosenFor = "";

  constructor(options: FilePickerOptions) {
    this.#options = options;
  }

  open(picker: "files" | "resume" | PickerSource): void {
    const input = this.#options.root()?.querySelector<HTMLInputElement>(`[data-picker=${picker}]`);
    if (input) {
      // Without this, no change event follows when the same file is chosen twice in a row.
      input.value = "";
      input.click();
    }
  }

  /** Asks for the file of an unfinished upload. */
  openFor(path: string): void {
    this.#chosenFor = path;
    this.open("resume");
  }

  /** The hidden inputs. */
  render(limits: UploadLimits, sources: readonly PickerSource[]): TemplateResult {
    return html`${(["files", ...sources] as const).map((picker) => this.#renderInput(picker, limits))}
      <input
        class="hidden"
        type="file"
        data-picker="resume"
        tabindex="-1"
        aria-hidden="true"
        @change=${this.#onChosenAgain}
      />`;
  }

  #renderInput(picker: "files" | PickerSource, { accept, maxFiles }: UploadLimits): TemplateResult {
    const isCamera = picker === "user" || picker === "environment";
    return html`<input
      class="hidden"
      type="file"
      data-picker=${picker}
      accept=${acceptTokens(accept).join(",")}
      ?multiple=${maxFiles !== 1}
      ?webkitdirectory=${picker === "folder"}
      capture=${isCamera ? picker : nothing}
      tabindex="-1"
      aria-hidden="true"
      @change=${this.#onChosen}
    />`;
  }

  readonly #onChosen = (event: Event) => {
    // The element has a `change` event of its own.
    event.stopPropagation();
    void addFilesFromEvent(event, this.#options.add, this.#options.onNotice);
  };

  readonly #onChosenAgain = (event: Event) => {
    event.stopPropagation();
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) {
      this.#options.onChosenAgain(this.#chosenFor, file);
    }
  };
}
