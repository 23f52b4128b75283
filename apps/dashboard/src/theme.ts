import { Alert, Badge, createTheme, Modal } from "@mantine/core";
import { common } from "./texts/common.js";

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
    Alert: Alert.extend({ styles: { label: { color: "var(--mantine-color-text)" } } }),
    Badge: Badge.extend({
      vars: (_, { variant }) => ({
        root: variant === "light" ? { "--badge-color": "var(--mantine-color-text)" } : {},
      }),
    }),
    // A dialog's <header> would be a second banner of the page.
    Modal: Modal.extend({
      defaultProps: { attributes: { header: { role: "presentation" } } },
      styles: { title: { fontWeight: 600 } },
    }),
  },
});
