import { createTheme } from "@mantine/core";

/** The looks of every page. Shades are picked so that text on them has the contrast that WCAG AA asks for. */
export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
});
