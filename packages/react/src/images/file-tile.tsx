import type { ListedFile } from "@stowage/client";
import type { ImageUrls } from "@stowage/client/internals";
import { type CSSProperties, memo, type ReactNode, useRef, useState } from "react";
import { type Nearness, useIsNear } from "./nearness.js";
import { type MaybeImage, mayHaveThumbnail } from "./placeholder.js";
import { RemoteImage } from "./remote-image.js";

export interface FileTileProps {
  file: ListedFile & MaybeImage;
  urls: ImageUrls;
  /** Whether `urls` are those of variants. */
  hasVariants: boolean;
  nearness: Nearness;
  /** Without it, and without `onOpen`, the file cannot be opened. */
  href: string | undefined;
  onOpen: ((file: ListedFile) => void) | undefined;
  actions: ((file: ListedFile) => ReactNode) | undefined;
}

/** One file of the grid. A tile is rendered again only if its file has changed. */
export const FileTile = memo(function FileTile({
  file,
  urls,
  hasVariants,
  nearness,
  href,
  onOpen,
  actions,
}: FileTileProps) {
  const { file_path: path, filename: name, image } = file;
  const tile = useRef<HTMLLIElement>(null);
  const isNear = useIsNear(tile, nearness);
  // Facts that come later must not move the other tiles.
  const [ratio] = useState(() => ratioOf(image));
  const icon = <FileIcon name={name} />;
  const content = (
    <>
      {mayHaveThumbnail(file, hasVariants) ? (
        <RemoteImage
          urls={urls}
          path={path}
          placeholder={image?.placeholder}
          // The name of the file follows.
          alt=""
          isWanted={isNear}
          fallback={icon}
        />
      ) : (
        <span className="stowage-frame" data-status="icon">
          {icon}
        </span>
      )}
      <span className="stowage-tile-name" translate="no">
        {name}
      </span>
    </>
  );
  return (
    <li ref={tile} className="stowage-tile" data-path={path} style={{ "--ratio": ratio } as CSSProperties}>
      <Opener file={file} href={href} onOpen={onOpen}>
        {content}
      </Opener>
      {actions && <span className="stowage-tile-actions">{actions(file)}</span>}
    </li>
  );
});

function Opener({
  file,
  href,
  onOpen,
  children,
}: Pick<FileTileProps, "file" | "href" | "onOpen"> & { children: ReactNode }) {
  if (onOpen) {
    return (
      <button type="button" className="stowage-tile-open" onClick={() => onOpen(file)}>
        {children}
      </button>
    );
  }
  return href === undefined ? (
    <span className="stowage-tile-open">{children}</span>
  ) : (
    <a className="stowage-tile-open" href={href}>
      {children}
    </a>
  );
}

/** The extension of the file on a sheet. The name of the file is beside it, so it is hidden from screen readers. */
export function FileIcon({ name }: { name: string }) {
  const extension = /\.([a-z0-9]{1,4})$/i.exec(name)?.[1] ?? "";
  return (
    <span className="stowage-sheet" aria-hidden="true">
      {extension}
    </span>
  );
}

/** Very wide and very high images would break the rows. */
const ratioOf = (image: MaybeImage["image"]): number =>
  image && image.height > 0 ? Math.min(Math.max(image.width / image.height, 0.5), 2.5) : 1;
