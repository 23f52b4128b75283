/** The sections of the style sheet between these comments are for components that the element does not have. */
const OTHER_COMPONENTS = /\/\* The button\. \*\/[\s\S]*?(?=@media \(pointer: coarse\))/;

/** Turns the style sheet of the widget into the module with the styles of the element. */
export function renderStyles(sheet) {
  if (!OTHER_COMPONENTS.test(sheet)) {
    throw new Error("styles.css has no sections 'The button.' and '@media (pointer: coarse)'");
  }
  const css = sheet
    .replace(OTHER_COMPONENTS, "")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};]) ?/g, "$1")
    .trim();
  return `// Written by \`npx pnpm --filter @stowage/element run styles\` from packages/react/styles.css. Change that file instead.
export const dropzoneStyles =
  ${JSON.stringify(css)};
`;
}
