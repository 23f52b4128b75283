/** Control characters, line separators, and bidirectional overrides and isolates. They can hide text or reorder the text around it. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Makes control characters visible as U+FFFD. */
export const replaceControlCharacters = (text: string): string => text.replace(CONTROL_CHARACTERS, "\ufffd");

/** Text that a customer or their user chose, such as a filename. It cannot change the direction of the text around it, and browsers do not translate it. */
export function UntrustedText({ text }: { text: string }) {
  return (
    <bdi translate="no" style={{ overflowWrap: "anywhere" }}>
      {replaceControlCharacters(text)}
    </bdi>
  );
}
