import type { ImageUrls } from "@stowage/client/internals";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { placeholderUrl } from "./placeholder.js";
import { useCrossOrigin } from "./use-cross-origin.js";
import { useImageUrl } from "./use-image-urls.js";

export interface RemoteImageProps {
  urls: ImageUrls;
  path: string;
  /** A ThumbHash, shown until the image is there. */
  placeholder: string | undefined;
  alt: string;
  /** False shows only the placeholder's colour, and asks for nothing. */
  isWanted: boolean;
  /** Shown if there is no image to show. */
  fallback: ReactNode;
  /** Shown until the image is loaded, if it has no placeholder. */
  beforeLoad?: ReactNode;
  /** The image is visible. */
  onLoad?: () => void;
  /** There is no image to show, for now or for good. Called again for another function. */
  onBroken?: (path: string) => void;
}

/** An image that fills its frame: the placeholder first, then the variant. The frame has its size before anything is loaded. */
export function RemoteImage({
  urls,
  path,
  placeholder,
  alt,
  isWanted,
  fallback,
  beforeLoad,
  onLoad,
  onBroken,
}: RemoteImageProps) {
  const image = useImageUrl(urls, path, isWanted);
  const [loadedUrl, setLoadedUrl] = useState<string>();
  // Decoding takes a fraction of a millisecond, but a list may have thousands of images.
  const blurred = useMemo(
    () => (isWanted ? placeholderUrl(placeholder) : undefined),
    [placeholder, isWanted],
  );
  const { status } = image;
  const url = isWanted && image.status === "ready" ? image.url : undefined;
  const { key, ...cross } = useCrossOrigin(url, () => urls.reportBroken(path));
  const isBroken = status === "missing" || status === "failed";
  useEffect(() => {
    if (isBroken) onBroken?.(path);
  }, [isBroken, onBroken, path]);
  if (isBroken) {
    return (
      <span className="stowage-frame" data-status={status}>
        {fallback}
      </span>
    );
  }
  const isLoaded = url !== undefined && url === loadedUrl;
  return (
    <span
      className="stowage-frame"
      data-status={isLoaded ? "loaded" : "loading"}
      style={blurred ? { backgroundImage: `url(${blurred})` } : undefined}
    >
      {!isLoaded && !blurred && <span>{beforeLoad}</span>}
      {image.status === "ready" && url !== undefined && (
        <img
          key={`${image.version} ${key}`}
          className="stowage-image"
          {...cross}
          src={url}
          alt={alt}
          loading="lazy"
          decoding="async"
          onLoad={() => {
            urls.reportLoaded(path);
            setLoadedUrl(url);
            onLoad?.();
          }}
        />
      )}
    </span>
  );
}
