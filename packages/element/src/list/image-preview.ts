import { canPreview } from "@stowage/client/internals/list";
import { html } from "lit";
import { AsyncDirective } from "lit/async-directive.js";
import { directive, type PartInfo } from "lit/directive.js";

/** Shows an image file. It holds an object URL while the row is in the page, and gives it back afterwards. */
class ImagePreview extends AsyncDirective {
  #file: File | undefined;
  #fallback: unknown;
  #url: string | undefined;
  #isBroken = false;

  // oxlint-disable-next-line no-useless-constructor -- a directive has this signature
  constructor(part: PartInfo) {
    super(part);
  }

  render(file: File, fallback: unknown): unknown {
    if (file !== this.#file) {
      this.disconnected();
      this.#file = file;
      this.#isBroken = false;
    }
    this.#fallback = fallback;
    return this.#view();
  }

  protected override disconnected(): void {
    if (this.#url !== undefined) {
      URL.revokeObjectURL(this.#url);
      this.#url = undefined;
    }
  }

  protected override reconnected(): void {
    this.setValue(this.#view());
  }

  #view(): unknown {
    if (!this.isConnected || this.#isBroken || !this.#file || !canPreview(this.#file)) {
      return this.#fallback;
    }
    this.#url ??= URL.createObjectURL(this.#file);
    // Empty, because the name is beside it.
    return html`<img
      class="stowage-preview"
      part="preview"
      alt=""
      loading="lazy"
      decoding="async"
      src=${this.#url}
      @error=${this.#onError}
    />`;
  }

  readonly #onError = () => {
    this.#isBroken = true;
    this.setValue(this.#view());
  };
}

/** A preview of this file, loaded when it scrolls into view; the fallback for other files, and if the browser cannot display it. */
export const imagePreview = directive(ImagePreview);
