import type { UploadMessages } from "@stowage/client";
import { englishFormLabels, englishLabels, englishTriggerLabels } from "@stowage/client/internals";
import { englishResumeLabels } from "@stowage/client/internals/list";
import { registeredMessages } from "./registered-locales.js";

const english = { ...englishLabels, ...englishFormLabels, ...englishResumeLabels, ...englishTriggerLabels };

/** Every text of the element in one language, with its tag. */
export type Labels = typeof english & { locale: string };

/** The texts of an element: its own, else the texts of the language around it, else English. */
export class Texts {
  readonly #element: Element;
  #messages: UploadMessages | undefined;
  #labels: Labels = { ...english, locale: "en" };

  constructor(element: Element) {
    this.#element = element;
  }

  /** The messages that the page gave or registered; undefined for plain English. */
  get messages(): UploadMessages | undefined {
    return this.#messages;
  }

  /** The same object until a text changes, so that unchanged rows are not rendered again. */
  get labels(): Labels {
    return this.#labels;
  }

  /** Looks at the language around the element again. */
  update(own: UploadMessages | undefined): void {
    const lang = this.#element.closest("[lang]")?.getAttribute("lang") || "en";
    const messages = own ?? registeredMessages(lang);
    const locale = messages?.locale ?? (messages ? lang : "en");
    if (messages !== this.#messages || locale !== this.#labels.locale) {
      this.#messages = messages;
      this.#labels = { ...english, ...messages, locale };
    }
  }
}
