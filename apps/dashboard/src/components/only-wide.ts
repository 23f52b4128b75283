/** Of a column that a phone has no room for: another one must say the same there. */
export const onlyWide = { visibleMediaQuery: "(min-width: 48em)" };
