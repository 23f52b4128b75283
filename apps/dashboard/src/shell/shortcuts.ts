import { useEffect, useEffectEvent } from "react";

/** The keys that open the command palette, as the keyboards of the platform name them. */
export const paletteKeys = () => (isApple() ? ["⌘", "K"] : ["Ctrl", "K"]);
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether `/` and `?` work in this browser. WCAG 2.1.4 asks for a way to turn shortcuts of a single character off. */
export const singleKeys = {
  isOn: (): boolean => localStorage.getItem(SINGLE_KEYS) !== "off",
  turn: (isOn: boolean): void => localStorage.setItem(SINGLE_KEYS, isOn ? "on" : "off"),
};
const SINGLE_KEYS = "stowage-single-keys";

/** Opens the command palette by Ctrl+K or Cmd+K, focuses the search of the page by `/`, and opens the help by `?`. */
export function useShortcuts(open: { palette: () => void; help: () => void }): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.isComposing || isInDialog()) return;
    const action = actionOf(event, !isTyping(event.target) && singleKeys.isOn());
    if (action === null) return;
    event.preventDefault();
    if (action === "help") open.help();
    else if (action === "palette" || !focusSearch()) open.palette();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

type Action = "palette" | "search" | "help";

/** By the character and not by the key's place, because layouts have `/` and `?` on different keys. */
function actionOf(event: KeyboardEvent, mayBeSingleKey: boolean): Action | null {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() === "k" && (isApple() ? metaKey : ctrlKey) && !altKey) return "palette";
  if (!mayBeSingleKey || ctrlKey || metaKey || altKey) return null;
  return key === "/" ? "search" : key === "?" ? "help" : null;
}

/** A dialog keeps its keys: the palette over a half-filled form would lose it. */
function isInDialog(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** @returns whether the page has a search field */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#content input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select, [role=textbox]");
}
