import type { UploadMessages } from "@stowage/client";

const registered = new Map<string, UploadMessages & { locale: string }>();

/**
 * Makes languages available to all dropzones of the page. Each shows the language of its `lang`, or of the `lang` around it.
 *
 * @example
 * import { de } from "@stowage/client/locales/de";
 * registerLocales(de);
 */
export function registerLocales(...locales: (UploadMessages & { locale: string })[]): void {
  for (const messages of locales) {
    registered.set(messages.locale.toLowerCase(), messages);
  }
}

/** The texts of a language tag: for `de-AT` the texts of `de-AT`, else of `de`. Undefined for a language that is not registered. */
export function registeredMessages(lang: string): UploadMessages | undefined {
  const parts = lang.toLowerCase().split("-");
  for (let length = parts.length; length > 0; length--) {
    const messages = registered.get(parts.slice(0, length).join("-"));
    if (messages) {
      return messages;
    }
  }
  return undefined;
}
