import { UploadDropzone } from "@stowage/react";
import { useCallback, useEffect, useState } from "react";
import { Account } from "./account.js";
import { backend, type Session } from "./backend.js";
import { FileList } from "./file-list.js";
import { useStoredFiles } from "./use-stored-files.js";

export function App() {
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    backend.session().then(setSession, (error: Error) => setProblem(error.message));
  }, []);
  const signIn = useCallback((user: string | null) => {
    backend.signIn(user).then(setSession, (error: Error) => setProblem(error.message));
  }, []);

  return (
    <>
      <header className="bar">
        <span className="brand">Paperplane</span>
        {session && <Account session={session} onSignIn={signIn} />}
      </header>
      <main>
        {problem && <p role="alert">{problem}</p>}
        {session && (session.user ? <Documents key={session.user.id} /> : <SignedOut />)}
      </main>
    </>
  );
}

/** All that is one user's: keyed by the user, so nothing of one is ever shown to another. */
function Documents() {
  const { files, problem, refresh } = useStoredFiles();
  return (
    <>
      <h1>Your documents</h1>
      <UploadDropzone endpoint="/api/stowage" label="Upload documents" onUploaded={refresh} />
      {problem && <p role="alert">{problem}</p>}
      <FileList files={files} />
    </>
  );
}

function SignedOut() {
  return (
    <>
      <h1>Signed out</h1>
      <p className="lead">
        Choose one of the two demo users above. Each sees and stores only their own documents.
      </p>
    </>
  );
}
