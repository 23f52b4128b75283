// @vitest-environment happy-dom
import type { BrowserFile, TypedRoutes } from "@stowage/schemas";
import { cleanup, render, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, expectTypeOf, test } from "vitest";
import { createUploader } from "./create-uploader.js";

afterEach(cleanup);

/** The type that `createStowage` returns. */
type Helper = { handler(request: Request): Promise<Response> } & TypedRoutes<{
  avatar: { input: undefined; result: { url: string } };
  document: { input: { album: number; tags?: string[] }; result: undefined };
  note: { input: { text: string } | undefined; result: number | null };
}>;

const { UploadDropzone, UploadButton, useUpload } = createUploader<Helper>({ endpoint: "/api/upload" });

/** Never called. tsc checks that each line compiles, or has the error that its directive describes. */
export function Typed() {
  const avatar = useUpload({ route: "avatar", onSettled: ({ items }) => items.forEach(() => {}) });
  for (const item of avatar.items) {
    if (item.status === "done") expectTypeOf(item.data).toEqualTypeOf<{ url: string }>();
  }
  const note = useUpload({ route: "note" });
  for (const item of note.items) {
    if (item.status === "done") expectTypeOf(item.data).toEqualTypeOf<number | null>();
  }
  useUpload({ route: "document", input: { album: 1 } });
  // @ts-expect-error: the route is missing
  useUpload({});
  // @ts-expect-error: there is no such route
  useUpload({ route: "avatars" });
  // @ts-expect-error: the input is missing
  useUpload({ route: "document" });
  // @ts-expect-error: the album is a number
  useUpload({ route: "document", input: { album: "1" } });
  // @ts-expect-error: this route takes no input
  useUpload({ route: "avatar", input: { album: 1 } });
  // @ts-expect-error: the URL is not a number
  useUpload({ route: "avatar", onUploaded: (_file, item) => item.data.url * 2 });
  return (
    <>
      <UploadDropzone
        route="avatar"
        maxSize="4MB"
        onUploaded={(file, item) => {
          expectTypeOf(file).toEqualTypeOf<BrowserFile>();
          expectTypeOf(item.data).toEqualTypeOf<{ url: string }>();
          expectTypeOf(item.file).toEqualTypeOf<File>();
        }}
        onFailed={(failure) => expectTypeOf(failure.message).toEqualTypeOf<string>()}
      />
      <UploadDropzone route="document" input={{ album: 1, tags: ["a"] }} />
      <UploadDropzone route="document" input={(file) => ({ album: file.size })} />
      <UploadDropzone route="note" />
      <UploadButton route="avatar" list onUploaded={(_, { data }) => data.url.trim()} />
      {/* @ts-expect-error: there is no such route for a button, either */}
      <UploadButton route="avatars" />
      <UploadDropzone route="note" input={{ text: "hello" }} />
      {/* @ts-expect-error: the route is missing */}
      <UploadDropzone />
      {/* @ts-expect-error: there is no such route */}
      <UploadDropzone route="avatars" />
      {/* @ts-expect-error: the input is missing */}
      <UploadDropzone route="document" />
      {/* @ts-expect-error: the album is a number */}
      <UploadDropzone route="document" input={{ album: "1" }} />
      {/* @ts-expect-error: the album is a number in a function, too */}
      <UploadDropzone route="document" input={(file) => ({ album: file.name })} />
      {/* @ts-expect-error: this route takes no input */}
      <UploadDropzone route="avatar" input={{ album: 1 }} />
      {/* @ts-expect-error: onComplete returns nothing to read */}
      <UploadDropzone route="document" input={{ album: 1 }} onUploaded={(_, { data }) => data.url} />
      {/* @ts-expect-error: there is no such prop */}
      <UploadDropzone route="avatar" colour="red" />
    </>
  );
}

const bare = createUploader<{ handler(): void } & TypedRoutes<{}>>({ endpoint: "/api/upload" });
const { UploadDropzone: BareDropzone, useUpload: useBareUpload } = bare;
const { UploadDropzone: AnyDropzone, useUpload: useAnyUpload } = createUploader({ endpoint: "/api/upload" });

/** The same for a helper without routes, and for an uploader without a helper type. */
export function TypedWithoutRoutes() {
  useBareUpload({});
  // @ts-expect-error: this helper has no routes
  useBareUpload({ route: "avatar" });
  for (const item of useAnyUpload({}).items) {
    if (item.status === "done") expectTypeOf(item.data).toEqualTypeOf<unknown>();
  }
  return (
    <>
      <BareDropzone />
      {/* @ts-expect-error: this helper takes no input */}
      <BareDropzone input={1} />
      <AnyDropzone />
      <AnyDropzone route="any" input={{ thing: 1 }} />
    </>
  );
}

test("gives every component the uploader's defaults; the component's own props take precedence", () => {
  const uploader = createUploader({
    endpoint: "/api/upload",
    accept: "image/*",
    messages: { choose: "Pick", title: "Here" },
  });
  render(<uploader.UploadDropzone label="Photos" messages={{ choose: "Take" }} />);
  expect(screen.getByRole("group", { name: "Photos" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Take" })).toBeTruthy();
  expect(screen.getByText(/images/i)).toBeTruthy();
});

test("gives the hook the uploader's defaults and error messages", () => {
  const uploader = createUploader({
    endpoint: "/api/upload",
    maxSize: 1,
    messages: { errors: { file_too_large: "Too much" } },
  });
  const { result, rerender } = renderHook(() => uploader.useUpload({}));
  expect(result.current.limits.maxSize).toBe(1);
  result.current.add([new File(["abc"], "a.txt")]);
  rerender();
  expect(result.current.items[0]).toMatchObject({ status: "failed", error: { message: "Too much" } });
});
