import { keyed } from "lit/directives/keyed.js";

/**
 * A text that changes while the element is shown. A browser that translates the page puts an element in the place of the text, so each
 * change makes a new one: Lit would write into the old one, which nobody sees.
 */
export const liveText = (text: string) => keyed(text, text);
