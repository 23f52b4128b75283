const NAME = "stowage-uploads";

/**
 * Tells whether this browser may remember an upload, or this tab files that were lost (`lost-files.ts`). It is synchronous and small, so that a page without uploads loads neither
 * the code for continuing them nor a list from the backend.
 */
export function hasResumeMarker(): boolean {
  try {
    return (localStorage.getItem(NAME) ?? sessionStorage.getItem(NAME)) !== null;
  } catch {
    // A server, or a browser that allows this page no storage.
    return false;
  }
}

export function setResumeMarker(isNeeded: boolean): void {
  try {
    if (isNeeded) localStorage.setItem(NAME, "1");
    else localStorage.removeItem(NAME);
  } catch {
    // The browser allows this page no storage, or the storage is full.
  }
}
