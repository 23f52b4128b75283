import { useState } from "react";
import { backend, type User } from "./backend.js";
import { UploadButton } from "./uploader.js";
import { useAnswer } from "./use-answer.js";

const WORDS = { choose: "Change picture" };

/** One small picture, shown as soon as the backend has taken it over. */
export function Profile({ user }: { user: User }) {
  const { answer, problem } = useAnswer(backend.avatarUrl);
  const [changed, setChanged] = useState<string>();
  const url = changed ?? answer;
  return (
    <>
      <h1>Your profile</h1>
      {problem && <p role="alert">{problem}</p>}
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
            messages={WORDS}
            onUploaded={(_file, { data }) => setChanged(data.avatarUrl)}
          />
        </div>
      </div>
    </>
  );
}
