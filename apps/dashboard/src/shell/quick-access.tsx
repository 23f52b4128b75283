import { Group, Kbd, Text, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { loadChunk } from "../load-chunk.js";
import { shell } from "../components/shell-texts.js";
import styles from "./quick-access.module.css";
import { paletteKeys, useShortcuts } from "./shortcuts.js";

const loadPalette = async () => (await loadChunk(() => import("./command-palette.js"))).CommandPalette;
/** Used if the palette is opened before it was loaded. React shows a lazy component a moment after it is loaded. */
const LazyPalette = lazy(async () => ({ default: await loadPalette() }));
type Palette = Awaited<ReturnType<typeof loadPalette>> | typeof LazyPalette;
const ShortcutsDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./shortcuts-dialog.js"))).ShortcutsDialog,
}));

const PRELOAD_DELAY_MS = 1000;

/** The button of the command palette, and what the keyboard shortcuts open. */
export function QuickAccess({ isAdmin }: { isAdmin: boolean }) {
  const [opened, setOpened] = useState<"palette" | "help" | null>(null);
  const [Palette, setPalette] = useState<Palette>(() => LazyPalette);
  const opener = useRef<HTMLElement | null>(null);
  const open = (what: "palette" | "help") => {
    opener.current = document.activeElement as HTMLElement | null;
    // Until the dialog has the focus, letters must not change a field of the page.
    opener.current?.blur();
    setOpened(what);
  };
  // Mantine returns the focus only from a dialog that was mounted before it opened. A page that was just opened gets the focus.
  const close = (hasMoved: boolean) => {
    setOpened(null);
    const target = hasMoved ? document.getElementById("content") : opener.current;
    setTimeout(() => target?.focus({ preventScroll: true }));
  };
  // Loaded when the page has settled: what an operator types right after Ctrl+K must reach the palette and not the page.
  useEffect(() => {
    if (opened !== null) return;
    let isWanted = true;
    const preload = async () => {
      const loaded = await loadPalette();
      // Another component would forget what was typed.
      if (isWanted) setPalette(() => loaded);
    };
    // The lazy component reports an error when the palette is opened.
    const timer = setTimeout(() => void preload().catch(() => undefined), PRELOAD_DELAY_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [opened]);
  useShortcuts({ palette: () => open("palette"), help: () => open("help") });
  return (
    <>
      <UnstyledButton
        className={styles["button"] ?? ""}
        onClick={() => open("palette")}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} aria-hidden />
        <Text span size="sm" c="dimmed" className={styles["text"] ?? ""}>
          {shell.search}
        </Text>
        <Group gap={2} wrap="nowrap" visibleFrom="sm">
          {paletteKeys().map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </Group>
      </UnstyledButton>
      <Suspense>
        {opened === "palette" && <Palette isAdmin={isAdmin} onClose={close} />}
        {opened === "help" && <ShortcutsDialog onClose={() => close(false)} />}
      </Suspense>
    </>
  );
}
