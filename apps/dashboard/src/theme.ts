import { createTheme } from "@mantine/core";
import { common } from "./texts/common.js";

/*
 * Components are named, not imported: a page that shows no dialog loads none.
 */

/** The looks of every page. Shades are picked so that text on them has the contrast that WCAG AA asks for. */
export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Notification: { defaultProps: { closeButtonProps: { "aria-label": common.close } } },
    // On its tint the colour itself is too faint for words.
    Alert: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Badge: {
      styles: { root: { textTransform: "none" } },
      vars: (_: unknown, { variant }: { variant?: string }) => ({
        root: variant === "light" ? { "--badge-color": "var(--mantine-color-text)" } : {},
      }),
    },
    // As every other part of a page; in the dark its own colour is that of a button that cannot be pressed.
    Card: { defaultProps: { bg: "var(--mantine-color-body)" } },
    // A dialog's <header> would be a second banner of the page.
    Modal: {
      defaultProps: { attributes: { header: { role: "presentation" } } },
      styles: { title: { fontWeight: 600 } },
    },
  },
});
