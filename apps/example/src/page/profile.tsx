import { useState } from "react";
import { backend, type User } from "./backend.js";
import { UploadButton } from "./uploader.js";
import { useBackend } from "./use-backend.js";

const MESSAGES = { choose: "Change picture" };

/** Uploads the user's picture. The backend's `onComplete` returns its URL, so the page shows it immediately. */
export function Profile({ user }: { user: User }) {
  const { data: storedUrl, error } = useBackend(backend.avatarUrl);
  const [uploadedUrl, setUploadedUrl] = useState<string>();
  const url = uploadedUrl ?? storedUrl;
  return (
    <>
      <h1>Your profile</h1>
      {error && <p role="alert">{error}</p>}
      <div className="profile">
        {url ? (
          <img className="avatar" src={url} alt={user.name} />
        ) : (
          <span className="avatar" aria-hidden="true">
            {user.name.charAt(0)}
          </span>
        )}
        <div>
          <p className="name">{user.name}</p>
          <UploadButton
            route="avatar"
            label="Picture"
            messages={MESSAGES}
            onUploaded={(_file, { data }) => setUploadedUrl(data.avatarUrl)}
          />
        </div>
      </div>
    </>
  );
}
