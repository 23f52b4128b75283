import { Upload } from "@stowage/react";
import { UploadDropzone } from "./uploader.js";

/** A plain HTML form. `Upload.Input` adds the path of each attachment as a form field. */
export function Support() {
  const sent = new URLSearchParams(location.search).get("sent");
  return (
    <>
      <h1>Contact support</h1>
      {sent !== null && (
        <p className="sent" role="status">
          {`Thank you. Your message was sent with ${sent === "1" ? "1 attachment" : `${Number(sent)} attachments`}.`}
        </p>
      )}
      <form className="form" method="post" action="/api/support">
        <label>
          <span>Subject</span>
          <input name="subject" required maxLength={200} />
        </label>
        <label>
          <span>Message</span>
          <textarea name="message" required rows={4} maxLength={5000} />
        </label>
        <div className="field">
          <span aria-hidden="true">Attachments</span>
          <UploadDropzone route="attachments" label="Attachments" preview={Upload.Preview} deleteOnRemove>
            <Upload.Input name="attachments" />
          </UploadDropzone>
        </div>
        <div className="buttons">
          <button type="submit">Send</button>
          <button type="reset" className="quiet">
            Start over
          </button>
        </div>
      </form>
    </>
  );
}
