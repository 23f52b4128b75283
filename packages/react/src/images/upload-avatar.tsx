"use client";

import { isActive, UploadError, type UploadItem } from "@stowage/client";
import { englishAvatarLabels, englishLabels, type UploadAvatarLabels } from "@stowage/client/internals";
import { canPreview } from "@stowage/client/internals/list";
import type { BrowserFile } from "@stowage/schemas";
import { convertedImageTypes, shownImageTypes } from "@stowage/schemas/page-rules";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { UploadAction } from "../parts/action-button.js";
import { UploadHint } from "../parts/area.js";
import { FilesOnDemand } from "../parts/files-on-demand.js";
import { closeIcon } from "../parts/row-icons.js";
import { UploadProgress } from "../parts/progress.js";
import { UploadRoot, type UploadRootProps } from "../parts/root.js";
import { UploadTrigger } from "../parts/trigger.js";
import { useRootView } from "../parts/upload-context.js";
import type { UploadLook } from "../upload-dropzone.js";
import { useFiles } from "../use-files.js";
import { type MaybeImage, mayHaveThumbnail } from "./placeholder.js";
import { RemoteImage } from "./remote-image.js";
import { useCrossOrigin } from "./use-cross-origin.js";
import { useImageUrls } from "./use-image-urls.js";

interface PictureProps {
  /** Says whose picture it is, such as the name of the user. */
  alt: string;
  /** Name of the image preset of the picture. Without it, the file itself is shown. */
  variant?: string | undefined;
  /**
   * Address of the present picture, such as a `public_url`; null for none. Without it, the newest image of `route` is shown. The
   * helper then needs `allowList` and `allowDownload`.
   */
  src?: string | null | undefined;
  /** Shown while there is no picture, such as initials. */
  fallback?: ReactNode;
}

/** Props of `UploadAvatar`: the current picture, and the settings of its upload. */
export type UploadAvatarProps<Data = unknown> = Omit<UploadRootProps<Data>, "maxFiles" | "messages"> &
  Pick<UploadLook, "theme"> &
  PictureProps & {
    /** The texts, such as a locale. The text of the button is `changePicture`, not `choose`. */
    messages?: (NonNullable<UploadRootProps["messages"]> & Partial<UploadAvatarLabels>) | undefined;
  };

/**
 * Shows the picture of the signed-in user, and uploads another one that is chosen, dropped or pasted. The new picture is shown at once.
 * If the upload fails or is cancelled, the previous picture is shown again. A picture that the browser should show and cannot is refused. Needs `@stowage/react/styles.css` and `@stowage/react/images.css`.
 *
 * @example <UploadAvatar endpoint="/api/upload" route="avatar" variant="avatar" alt={user.name} fallback={initials} />
 */
export function UploadAvatar<Data = unknown>({
  className = "",
  theme,
  alt,
  variant,
  src,
  fallback = null,
  messages,
  children,
  ...props
}: UploadAvatarProps<Data>) {
  const root = props as UploadRootProps;
  const { changePicture: choose, hint, kinds } = { ...englishLabels, ...englishAvatarLabels, ...messages };
  const { endpoint, transport, headers, credentials, route, transform, validate } = root;
  const picture =
    src === undefined ? (
      <StoredPicture {...{ endpoint, transport, headers, credentials, route, alt, variant, fallback }} />
    ) : (
      <GivenPicture src={src} alt={alt} fallback={fallback} />
    );
  return (
    <UploadRoot
      label={alt}
      {...root}
      accept={root.accept ?? acceptedTypes(variant)}
      validate={async (file, options) => {
        const refusal = await validate?.(file, options);
        // `transform` may read what the browser cannot show.
        if (!refusal && !transform && !(await canBeShown(file))) throw new UploadError("image_unreadable");
        return refusal;
      }}
      messages={{
        ...messages,
        choose,
        // A person has one picture, so the number says nothing, and the names of all formats are too long.
        hint: (parts, locale) => {
          const kind = root.accept === undefined ? kinds["image/*"] : undefined;
          return hint({ ...parts, kinds: kind ?? parts.kinds, maxFiles: undefined }, locale);
        },
      }}
      maxFiles={1}
      className={`stowage stowage-avatar ${className}`}
      data-theme={theme}
    >
      <Face alt={alt}>{picture}</Face>
      <div className="stowage-avatar-side">
        <div className="stowage-avatar-bar">
          <UploadTrigger className="stowage-trigger" />
          <UploadAction action="cancelAll" className="stowage-action">
            {closeIcon}
          </UploadAction>
        </div>
        <UploadHint className="stowage-hint" />
        {children}
      </div>
      <FilesOnDemand filter={isFailed} />
    </UploadRoot>
  );
}

/** Tells whether the browser can decode an image of a type that it shows. Files of other types are left to the service. */
async function canBeShown(file: File): Promise<boolean> {
  const image = new Image();
  // Simulated pages of tests decode nothing.
  if (!canPreview(file) || !("decode" in image)) return true;
  const url = URL.createObjectURL(file);
  try {
    image.src = url;
    await image.decode();
    return true;
  } catch {
    return false;
  } finally {
    URL.revokeObjectURL(url);
  }
}

const acceptedTypes = (variant: string | undefined) =>
  variant === undefined ? shownImageTypes : [...shownImageTypes, ...convertedImageTypes];

/** The picture that is being uploaded or has been uploaded by this component as soon as it can be shown, or else the present one. */
function Face({ alt, children }: { alt: string; children: ReactNode }) {
  const [shownId, setShownId] = useState<string>();
  // A later file may be refused while this one is uploaded.
  const item = useRootView().upload.items.findLast((file) => isActive(file) || file.status === "done");
  const isShown = item !== undefined && item.id === shownId;
  return (
    <span className="stowage-avatar-face">
      {item && canPreview(item.file) && (
        <span
          className={isShown ? "stowage-frame" : "stowage-frame stowage-avatar-next"}
          data-status="preview"
        >
          <ChosenPicture key={item.id} file={item.file} alt={alt} onLoad={() => setShownId(item.id)} />
        </span>
      )}
      <span className="stowage-avatar-present" hidden={isShown}>
        {children}
      </span>
      <UploadProgress className="stowage-avatar-progress" />
    </span>
  );
}

function ChosenPicture({ file, alt, onLoad }: { file: File; alt: string; onLoad: () => void }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return <img ref={image} className="stowage-image" alt={alt} onLoad={onLoad} />;
}

function GivenPicture({ src, alt, fallback }: { src: string | null; alt: string; fallback: ReactNode }) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const { key, ...cross } = useCrossOrigin(src ?? undefined, () => setBrokenSrc(src ?? undefined));
  const isShown = src !== null && src !== brokenSrc;
  return (
    <span className="stowage-frame" data-status={isShown ? "loaded" : "fallback"}>
      {isShown ? <img key={key} className="stowage-image" {...cross} src={src} alt={alt} /> : fallback}
    </span>
  );
}

/** A file that is not the newest is shown only if no newer one can be, so a few are enough. */
const STORED_PICTURES = 5;

type StoredPictureProps = Omit<PictureProps, "src"> &
  Pick<UploadRootProps, "endpoint" | "transport" | "headers" | "credentials" | "route">;

/** The newest picture of the route that can be shown. A newer one replaces it as soon as it is loaded. */
function StoredPicture({ alt, variant, fallback = null, route, ...backend }: StoredPictureProps) {
  const { files } = useFiles({ ...backend, route, pageSize: STORED_PICTURES });
  const urls = useImageUrls(backend, variant);
  const [shown, setShown] = useState<Picture>();
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const addBroken = useCallback((path: string) => setBroken((paths) => new Set([...paths, path])), []);
  const pictures: Picture[] = files.filter((file) => mayHaveThumbnail(file, false));
  const first = pictures.findIndex(({ file_path: path }) => !broken.has(path));
  // The broken ones stay, because they may work when the network is back.
  const layers = pictures.slice(0, first === -1 ? pictures.length : first + 1);
  if (layers.length === 0) {
    return (
      <span className="stowage-frame" data-status="fallback">
        {fallback}
      </span>
    );
  }
  if (shown && !layers.some(({ file_path: path }) => path === shown.file_path)) layers.push(shown);
  const visiblePath = (shown ?? layers.at(-1)!).file_path;
  return layers.map((picture) => {
    const { file_path: path, image } = picture;
    return (
      <span key={path} className={path === visiblePath ? "stowage-avatar-present" : "stowage-avatar-next"}>
        <RemoteImage
          urls={urls}
          path={path}
          placeholder={image?.placeholder}
          alt={alt}
          isWanted
          fallback={fallback}
          beforeLoad={fallback}
          onLoad={() => setShown(picture)}
          onBroken={addBroken}
        />
      </span>
    );
  });
}

type Picture = BrowserFile & MaybeImage;

const isFailed = ({ status }: UploadItem) => status === "failed";
