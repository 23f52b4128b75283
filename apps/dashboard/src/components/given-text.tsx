/** Characters that are not seen, and turn or break the text around them: overrides, isolates and controls. */
const UNSEEN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** A text that somebody else has chosen, with nothing hidden in it. */
export const unhide = (text: string): string => text.replace(UNSEEN, "\ufffd");

/** The same inside of other text, which keeps its direction: names of files, IDs of tenants. */
export function GivenText({ text }: { text: string }) {
  return <bdi style={{ overflowWrap: "anywhere" }}>{unhide(text)}</bdi>;
}
