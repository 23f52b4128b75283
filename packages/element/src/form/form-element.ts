import { isFirstInvalid } from "@stowage/client/internals";
import { LitElement } from "lit";

/** An element that is a field of a form, like an `<input>`. Its value is a list of texts. Each text is an entry of the form. */
export abstract class FormElement extends LitElement {
  static readonly formAssociated = true;

  declare name: string | null;
  declare required: boolean;
  declare disabled: boolean;

  readonly #internals = this.attachInternals();
  #isFieldsetDisabled = false;
  #lastValue: readonly string[] = [];

  constructor() {
    super();
    this.name = null;
    this.required = false;
    this.disabled = false;
    this.addEventListener("invalid", this.#onCheck);
  }

  /** What the form sends under `name`. */
  abstract get value(): readonly string[];

  /** Why the field is invalid; undefined while it is valid. */
  protected abstract get problem(): string | undefined;

  /** The form was checked, and the field is invalid. */
  protected abstract onInvalid(): void;

  /** The form that the element belongs to. */
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  /** As of an `<input>`. */
  get validity(): ValidityState {
    return this.#internals.validity;
  }

  /** As of an `<input>`. */
  get validationMessage(): string {
    return this.#internals.validationMessage;
  }

  /** As of an `<input>`. */
  get willValidate(): boolean {
    return this.#internals.willValidate;
  }

  /** As of an `<input>`. */
  checkValidity(): boolean {
    this.updateField();
    return this.#internals.checkValidity();
  }

  /** As of an `<input>`. */
  reportValidity(): boolean {
    this.updateField();
    return this.#internals.reportValidity();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isFieldsetDisabled = isDisabled;
    this.requestUpdate();
  }

  /** Whether the element or the fieldset around it is disabled. */
  protected get isDisabled(): boolean {
    return this.disabled || this.#isFieldsetDisabled;
  }

  /**
   * Tells the form the value and the validity. Fires `change` if the value is another one. Call it after each rendering.
   *
   * @param anchor where the browser would show the problem
   */
  protected updateField(anchor?: HTMLElement): void {
    const { name, value, problem } = this;
    const data = new FormData();
    for (const entry of value) {
      data.append(name ?? "", entry);
    }
    this.#internals.setFormValue(name && value.length > 0 ? data : null);
    this.#internals.setValidity(problem === undefined ? {} : { valueMissing: true }, problem, anchor);
    const last = this.#lastValue;
    if (value.length !== last.length || value.some((entry, index) => entry !== last[index])) {
      this.#lastValue = value;
      this.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  readonly #onCheck = (event: Event) => {
    // The browser would show its message at this element, in its own words and place.
    event.preventDefault();
    this.onInvalid();
    if (isFirstInvalid(this, this.form)) {
      this.focus();
    }
  };
}
