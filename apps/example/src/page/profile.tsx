import type { User } from "./backend.js";
import { UploadButton, useFiles } from "./uploader.js";

const MESSAGES = { choose: "Change picture" };

/** Uploads the user's picture, and shows the newest one. */
export function Profile({ user }: { user: User }) {
  const { files, hrefOf, error } = useFiles({ route: "avatar", pageSize: 1 });
  const [picture] = files;
  return (
    <>
      <h1>Your profile</h1>
      {error && <p role="alert">{error.message}</p>}
      <div className="profile">
        {picture ? (
          <img
            className="avatar"
            src={hrefOf(picture, { disposition: "inline", reuse: true })}
            alt={user.name}
          />
        ) : (
          <span className="avatar" aria-hidden="true">
            {user.name.charAt(0)}
          </span>
        )}
        <div>
          <p className="name">{user.name}</p>
          <UploadButton route="avatar" label="Picture" messages={MESSAGES} />
        </div>
      </div>
    </>
  );
}
