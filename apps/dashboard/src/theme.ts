import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { common } from "./components/common-texts.js";

/*
 * The design tokens: colours, type scale, spacing, radii, shadows and motion. Components use them through Mantine's props and
 * variables, and through the variables of `cssVariables`. No other file names a colour.
 */

/** The only accent: links, primary actions, selection and charts. Shade 7 carries white text in both schemes. */
const accent: MantineColorsTuple = [
  "#f0f3ff",
  "#e0e7ff",
  "#c3d0ff",
  "#9cb1ff",
  "#7d97ff",
  "#5b7af7",
  "#4363ea",
  "#3350d4",
  "#2a42b0",
  "#22368c",
];

/** Neutrals of the light scheme, from page to text. */
const gray: MantineColorsTuple = [
  "#fafafb",
  "#f4f5f7",
  "#ebecef",
  "#e1e3e8",
  "#cdd0d8",
  "#a1a6b2",
  "#7b818f",
  "#565c69",
  "#363b46",
  "#16181d",
];

/** Neutrals of the dark scheme, from text to page. Mantine paints the page with shade 7 and borders with shade 4. */
const dark: MantineColorsTuple = [
  "#e8e9ed",
  "#b8bbc4",
  "#9a9ea9",
  "#6a6e7a",
  "#2c2f37",
  "#22252b",
  "#1a1c21",
  "#121317",
  "#0c0d10",
  "#07080a",
];

const green: MantineColorsTuple = [
  "#ecfdf3",
  "#d1fadf",
  "#a6f4c5",
  "#6ce9a6",
  "#32d583",
  "#17b26a",
  "#079455",
  "#067647",
  "#085d3a",
  "#074d31",
];

const amber: MantineColorsTuple = [
  "#fffaeb",
  "#fef0c7",
  "#fedf89",
  "#fec84b",
  "#fdb022",
  "#f79009",
  "#dc6803",
  "#b54708",
  "#93370d",
  "#7a2e0e",
];

const red: MantineColorsTuple = [
  "#fef3f2",
  "#fee4e2",
  "#fecdca",
  "#fda29b",
  "#f97066",
  "#f04438",
  "#d92d20",
  "#b42318",
  "#912018",
  "#7a271a",
];

const FONT = `"Inter Variable", "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
const MONOSPACE = `ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace`;

/** Milliseconds of every transition. Long enough to show where something comes from, short enough never to wait for it. */
const MOTION_MS = 120;
const fade = { transitionProps: { transition: "fade" as const, duration: MOTION_MS } };

/** Components are configured by name instead of being imported, so that a page loads only the components it shows. */
export const theme = createTheme({
  colors: { accent, blue: accent, gray, dark, green, teal: green, yellow: amber, orange: amber, red },
  primaryColor: "accent",
  primaryShade: 7,
  black: gray[9]!,
  autoContrast: true,
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: FONT,
  fontFamilyMonospace: MONOSPACE,
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.25rem", lineHeight: "1.3" },
      h3: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h4: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "10px", xl: "2rem" },
  defaultRadius: "md",
  shadows: {
    xs: "0 1px 2px rgb(0 0 0 / 5%)",
    sm: "0 1px 3px rgb(0 0 0 / 8%), 0 1px 2px rgb(0 0 0 / 4%)",
    md: "0 4px 12px rgb(0 0 0 / 10%), 0 1px 3px rgb(0 0 0 / 6%)",
    lg: "0 12px 28px rgb(0 0 0 / 14%), 0 2px 6px rgb(0 0 0 / 6%)",
    xl: "0 20px 44px rgb(0 0 0 / 18%), 0 4px 10px rgb(0 0 0 / 8%)",
  },
  components: {
    Notification: { defaultProps: { closeButtonProps: { "aria-label": common.close } } },
    // Coloured text on the tinted background has too little contrast.
    Alert: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Badge: {
      defaultProps: { radius: "sm" },
      styles: { root: { textTransform: "none", fontWeight: 500, letterSpacing: 0 } },
      vars: (_: unknown, { variant, color }: { variant?: string; color?: string }) => ({
        root: {
          ...(variant === "light" && { "--badge-color": "var(--mantine-color-text)" }),
          // The shade of text is too dark for a dot, above all in the dark scheme.
          ...(variant === "dot" &&
            color !== undefined && {
              "--badge-dot-color": `var(--mantine-color-${color.includes(".") ? color.replace(".", "-") : `${color}-5`})`,
            }),
        },
      }),
    },
    // In dark mode, the default background looks like a disabled button.
    Card: { defaultProps: { bg: "var(--mantine-color-body)" } },
    Checkbox: { defaultProps: { size: "xs", radius: "sm" } },
    Code: { defaultProps: { translate: "no" } },
    Combobox: { defaultProps: fade },
    Kbd: { defaultProps: { translate: "no" } },
    Menu: { defaultProps: { ...fade, shadow: "md" } },
    // Mantine renders a <header>, which screen readers would announce as a second banner of the page.
    Modal: {
      defaultProps: {
        attributes: { header: { role: "presentation" } },
        overlayProps: { backgroundOpacity: 0.45 },
        radius: "lg",
        shadow: "xl",
        ...fade,
      },
      styles: { title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)" } },
    },
    Popover: { defaultProps: fade },
    SegmentedControl: { defaultProps: { size: "xs", transitionDuration: MOTION_MS } },
    Table: { defaultProps: { verticalSpacing: 7, fz: "sm" } },
    Tooltip: { defaultProps: { ...fade, fz: "xs" } },
  },
});

/** The variables that Mantine lacks, and those whose default has less contrast than WCAG AA requires. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {
    "--motion": `${MOTION_MS}ms ease-out`,
    "--row-height": "2.25rem",
  },
  light: {
    "--surface-sunken": colors["gray"]![0]!,
    "--line": colors["gray"]![2]!,
    "--focus-ring": colors["accent"]![6]!,
    "--chart-bar": colors["accent"]![6]!,
    "--mantine-color-text": colors["gray"]![9]!,
    "--mantine-color-dimmed": colors["gray"]![7]!,
    "--mantine-color-placeholder": colors["gray"]![7]!,
    "--mantine-color-error": colors["red"]![7]!,
    "--mantine-color-default-border": colors["gray"]![3]!,
    "--mantine-color-default-hover": colors["gray"]![1]!,
    "--mantine-color-anchor": colors["accent"]![7]!,
  },
  dark: {
    "--surface-sunken": colors["dark"]![8]!,
    "--line": colors["dark"]![5]!,
    "--focus-ring": colors["accent"]![4]!,
    "--chart-bar": colors["accent"]![5]!,
    "--mantine-color-text": colors["dark"]![0]!,
    "--mantine-color-dimmed": colors["dark"]![2]!,
    "--mantine-color-placeholder": colors["dark"]![2]!,
    "--mantine-color-error": colors["red"]![4]!,
    "--mantine-color-default": colors["dark"]![6]!,
    "--mantine-color-default-border": colors["dark"]![4]!,
    "--mantine-color-default-hover": colors["dark"]![5]!,
    "--mantine-color-anchor": colors["accent"]![3]!,
  },
});
