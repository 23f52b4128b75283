"use client";

import { type UploadItem, isActive } from "@stowage/client";
import { englishAvatarLabels, englishLabels, type UploadAvatarLabels } from "@stowage/client/internals";
import { type ReactNode, useState } from "react";
import { UploadAction } from "../parts/action-button.js";
import { UploadHint } from "../parts/area.js";
import { FilesOnDemand } from "../parts/files-on-demand.js";
import { closeIcon } from "../parts/row-icons.js";
import { FilePreview } from "../parts/preview.js";
import { UploadProgress } from "../parts/progress.js";
import { UploadRoot, type UploadRootProps } from "../parts/root.js";
import { UploadTrigger } from "../parts/trigger.js";
import { useRootView } from "../parts/upload-context.js";
import type { UploadLook } from "../upload-dropzone.js";
import { useFiles } from "../use-files.js";
import { type MaybeImage, mayHaveThumbnail } from "./placeholder.js";
import { RemoteImage } from "./remote-image.js";
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
 * If the upload fails or is cancelled, the previous picture is shown again. Needs `@stowage/react/styles.css` and `@stowage/react/images.css`.
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
  const { changePicture: choose, hint } = { ...englishLabels, ...englishAvatarLabels, ...messages };
  const { endpoint, transport, headers, credentials, route } = root;
  const picture =
    src === undefined ? (
      <StoredPicture {...{ endpoint, transport, headers, credentials, route, alt, variant, fallback }} />
    ) : (
      <GivenPicture src={src} alt={alt} fallback={fallback} />
    );
  return (
    <UploadRoot
      accept="image/*"
      label={alt}
      {...root}
      messages={{
        ...messages,
        choose,
        // A person has one picture, so the number says nothing.
        hint: (parts, locale) => hint({ ...parts, maxFiles: undefined }, locale),
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

/** The picture that is being uploaded or has been uploaded by this component, or else the present one. */
function Face({ alt, children }: { alt: string; children: ReactNode }) {
  // A later file may be refused while this one is uploaded.
  const item = useRootView().upload.items.findLast((file) => isActive(file) || file.status === "done");
  return (
    <span className="stowage-avatar-face">
      {item ? (
        <span className="stowage-frame" data-status="preview">
          <FilePreview
            key={item.id}
            file={item.file}
            className="stowage-image"
            alt={alt}
            fallback={children}
          />
        </span>
      ) : (
        children
      )}
      <UploadProgress className="stowage-avatar-progress" />
    </span>
  );
}

function GivenPicture({ src, alt, fallback }: { src: string | null; alt: string; fallback: ReactNode }) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const isShown = src !== null && src !== brokenSrc;
  return (
    <span className="stowage-frame" data-status={isShown ? "loaded" : "fallback"}>
      {isShown ? (
        <img className="stowage-image" src={src} alt={alt} onError={() => setBrokenSrc(src)} />
      ) : (
        fallback
      )}
    </span>
  );
}

type StoredPictureProps = Omit<PictureProps, "src"> &
  Pick<UploadRootProps, "endpoint" | "transport" | "headers" | "credentials" | "route">;

function StoredPicture({ alt, variant, fallback = null, route, ...backend }: StoredPictureProps) {
  const { files } = useFiles({ ...backend, route, pageSize: 1 });
  const urls = useImageUrls(backend, variant);
  const newest: ((typeof files)[number] & MaybeImage) | undefined = files[0];
  return newest && mayHaveThumbnail(newest) ? (
    <RemoteImage
      key={newest.file_path}
      urls={urls}
      path={newest.file_path}
      placeholder={newest.image?.placeholder}
      alt={alt}
      isWanted
      fallback={fallback}
      beforeLoad={fallback}
    />
  ) : (
    <span className="stowage-frame" data-status="fallback">
      {fallback}
    </span>
  );
}

const isFailed = ({ status }: UploadItem) => status === "failed";
