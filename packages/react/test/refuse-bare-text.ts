/**
 * Makes React throw when it renders a text beside other nodes. A browser that translates the page puts an element in the place of each
 * text. React then cannot remove such a text, insert an element before it, or change it. A text that is the only child of its element is
 * safe: React replaces all that is in the element.
 *
 * React makes a node for the first kind of text only, so this sees each of them, in every state that a test brings about.
 */
export function refuseBareText(): void {
  const { createTextNode } = Document.prototype;
  Document.prototype.createTextNode = function (text) {
    // Translators leave white space alone.
    const isRendering = text.trim() !== "" && new Error("The stack").stack?.includes("react-dom");
    if (isRendering)
      throw new Error(`React renders the text "${text}" beside other nodes: wrap it into an element`);
    return createTextNode.call(this, text);
  };
}
