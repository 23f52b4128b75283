import { createStowage } from "@stowage/server";
import { expectTypeOf } from "vitest";
import { createImageParts } from "../src/images/index.js";
import { createUploader, type RouteData, type RouteName } from "../src/index.js";

const options = {
  apiKey: `stow_live_${"Zq9".repeat(16)}x`,
  baseUrl: "http://127.0.0.1",
  tenant: () => "ada",
};
const stowage = createStowage({
  ...options,
  routes: {
    avatar: { accept: "image/*", onComplete: () => ({ id: 7, at: new Date(0) }) },
    document: {
      input: {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: (value: unknown) => ({ value: value as { album: number } }),
          types: undefined as { input: { album: number }; output: { album: number } } | undefined,
        },
      },
    },
  },
});
const withoutRoutes = createStowage(options);

const { UploadDropzone, useUpload } = createUploader<typeof stowage>({ endpoint: "/api/upload" });
const { UploadDropzone: BareDropzone } = createUploader<typeof withoutRoutes>({ endpoint: "/api/upload" });

const { UploadAvatar, FileGrid } = createImageParts<typeof stowage>({ endpoint: "/api/upload" });

/** The compiler alone checks this component. No test renders it. */
export function Typed() {
  useUpload({ route: "avatar" });
  return (
    <>
      <UploadDropzone
        route="avatar"
        onUploaded={(_, item) => expectTypeOf(item.data).toEqualTypeOf<{ id: number; at: string }>()}
      />
      <UploadDropzone route="document" input={{ album: 1 }} />
      <BareDropzone />
      <UploadAvatar
        route="avatar"
        alt="Ada"
        onUploaded={(_, item) => expectTypeOf(item.data).toEqualTypeOf<{ id: number; at: string }>()}
      />
      <FileGrid route="document" variant="thumb" />
      {/* @ts-expect-error: there is no such route */}
      <FileGrid route="photos" />
      {/* @ts-expect-error: there is no such route */}
      <UploadAvatar route="avatars" alt="Ada" />
      {/* @ts-expect-error: there is no such route */}
      <UploadDropzone route="avatars" />
      {/* @ts-expect-error: the input is missing */}
      <UploadDropzone route="document" />
      {/* @ts-expect-error: the album is a number */}
      <UploadDropzone route="document" input={{ album: "1" }} />
      {/* @ts-expect-error: this helper has no routes */}
      <BareDropzone route="avatar" />
    </>
  );
}

expectTypeOf<RouteName<typeof stowage>>().toEqualTypeOf<"avatar" | "document">();
expectTypeOf<RouteName<typeof withoutRoutes>>().toBeNever();
expectTypeOf<RouteData<typeof stowage, "avatar">>().toEqualTypeOf<{ id: number; at: string }>();
