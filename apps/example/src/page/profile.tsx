import type { User } from "./backend.js";
import { UploadAvatar } from "./uploader.js";

/** Shows the user's picture, and replaces it. */
export function Profile({ user }: { user: User }) {
  return (
    <>
      <h1>Your profile</h1>
      <div className="profile">
        <UploadAvatar route="avatar" variant="avatar" alt={user.name} fallback={user.name.charAt(0)} />
        <p className="name">{user.name}</p>
      </div>
    </>
  );
}
