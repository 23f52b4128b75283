import { useEffect, useRef } from "react";

/**
 * Calls back when files are dropped on the page, but on no element that takes them. react-dropzone keeps the browser from leaving the
 * page then.
 *
 * Call it before `useFileDropzone`: its listener must see the event first, because react-dropzone marks every drop as handled. With
 * several widgets on a page, the first one is called.
 */
export function useMissedDrop(onMiss: () => void): void {
  const latest = useRef(onMiss);
  useEffect(() => {
    latest.current = onMiss;
  });
  useEffect(() => {
    const onDrop = (event: DragEvent) => {
      const hasFiles = event.dataTransfer?.types.includes("Files") ?? false;
      if (hasFiles && !event.defaultPrevented) latest.current();
    };
    document.addEventListener("drop", onDrop);
    return () => document.removeEventListener("drop", onDrop);
  }, []);
}
