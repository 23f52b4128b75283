import { createTheme } from "@mantine/core";
import { common } from "./texts/common.js";

/**
 * The Mantine theme. The shades give text the contrast of WCAG AA. Components are configured by name instead of being imported, so
 * that a page loads only the components it shows.
 */
export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Notification: { defaultProps: { closeButtonProps: { "aria-label": common.close } } },
    // Coloured text on the tinted background has too little contrast.
    Alert: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Badge: {
      styles: { root: { textTransform: "none" } },
      vars: (_: unknown, { variant }: { variant?: string }) => ({
        root: variant === "light" ? { "--badge-color": "var(--mantine-color-text)" } : {},
      }),
    },
    // The default background in dark mode is that of a disabled button.
    Card: { defaultProps: { bg: "var(--mantine-color-body)" } },
    // Mantine renders a <header>, which screen readers would announce as a second banner of the page.
    Modal: {
      defaultProps: { attributes: { header: { role: "presentation" } } },
      styles: { title: { fontWeight: 600 } },
    },
  },
});
