import { FileGrid, UploadDropzone } from "./uploader.js";

/** A private gallery. New photos appear in it by themselves. */
export function Photos() {
  return (
    <>
      <h1>Your photos</h1>
      <UploadDropzone route="photos" label="Upload photos" />
      <section aria-label="Gallery" className="gallery">
        <FileGrid route="photos" variant="thumb" labels={{ list: "Photos", empty: "No photos yet." }} />
      </section>
    </>
  );
}
