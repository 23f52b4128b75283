import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { trpc } from "../../trpc.js";
import { useProjectRef } from "../use-project.js";
import type { ListedFile } from "./listed-file.js";

type Urls = ReadonlyMap<number, string>;

const none: Urls = new Map();
const ThumbnailUrls = createContext(none);

/**
 * Provides the thumbnails of the images, PDFs and videos among the files of one page of a list. They are requested in one call, once for each file.
 * The URLs give access to the files, so they stay in this component and are in no cache.
 */
export function Thumbnails({ files, children }: { files: ListedFile[]; children: ReactNode }) {
  const projectRef = useProjectRef();
  const [urls, setUrls] = useState(none);
  const requested = useRef(new Set<number>());
  const { mutate } = trpc.files.thumbnails.useMutation({
    onSuccess: (thumbnails) =>
      setUrls((before) => {
        const shown = [...before].filter(([id]) => requested.current.has(id));
        return new Map([...shown, ...thumbnails.map(({ fileId, url }) => [fileId, url] as const)]);
      }),
  });
  const ids = savesData()
    ? ""
    : files
        .filter(mayHaveThumbnail)
        .map(({ id }) => id)
        .join();
  useEffect(() => {
    const shown = ids === "" ? [] : ids.split(",").map(Number);
    const fileIds = shown.filter((id) => !requested.current.has(id));
    // Forgets the files of the previous page.
    requested.current = new Set(shown);
    if (fileIds.length > 0) mutate({ projectRef, fileIds });
  }, [ids, mutate, projectRef]);
  return <ThumbnailUrls value={urls}>{children}</ThumbnailUrls>;
}

/** The URL of a file's thumbnail, or undefined if it has none or if it is not loaded yet. */
export function useThumbnailUrl(file: ListedFile): string | undefined {
  return useContext(ThumbnailUrls).get(file.id);
}

/** The service decides, also about large images: they may have a variant. This only avoids calls for lists without pictures. */
function mayHaveThumbnail({ status, contentType }: ListedFile): boolean {
  return status === "stored" && /^(image\/|video\/|application\/pdf)/i.test(contentType);
}

/** Whether the person asked the browser to load less. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
