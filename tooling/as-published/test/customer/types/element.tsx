import "@stowage/element/react";

/** The element in JSX of React 19. Only tsc reads this file: here, and where the packages are installed. */
export const attachments = (
  <stowage-dropzone
    endpoint="/api/stowage"
    accept={["image/*", ".pdf"]}
    maxSize="10 MB"
    maxFiles={3}
    preview
    sources={["folder"]}
    name="attachment"
    ref={(dropzone) => dropzone?.commands?.pauseAll()}
    onstowage-uploaded={({ detail }) => console.log(detail.file.file_path.toUpperCase())}
  />
);

export function firstPath(): string | undefined {
  const dropzone = document.querySelector("stowage-dropzone");
  dropzone?.addEventListener("stowage-failed", ({ detail }) => console.log(detail.failure.code));
  return dropzone?.value[0];
}

export const misuses = (
  <>
    {/* @ts-expect-error: unknown unit */}
    <stowage-dropzone endpoint="/api/stowage" maxSize="4 apples" />
    {/* @ts-expect-error: the event has no such detail */}
    <stowage-dropzone endpoint="/api/stowage" onstowage-failed={({ detail }) => detail.file} />
  </>
);
