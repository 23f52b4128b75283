import { Upload } from "@stowage/react";
import { useCallback, useEffect, useState } from "react";
import { Account } from "./account.js";
import { backend, type Session, type User } from "./backend.js";
import { Documents } from "./documents.js";
import { Navigation, usePage } from "./navigation.js";
import { Photos } from "./photos.js";
import { Profile } from "./profile.js";
import { Support } from "./support.js";
import { uploads } from "./uploader.js";

const PAGES = { "/": Documents, "/photos": Photos, "/profile": Profile, "/support": Support };

export function App() {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<string>();
  const { page, navigate } = usePage();
  useEffect(() => {
    backend.session().then(setSession, (error: Error) => setError(error.message));
  }, []);
  const signIn = useCallback((user: string | null) => {
    // Before the session changes: the backend cancels unfinished uploads for their own user only.
    uploads.clear();
    backend.signIn(user).then(setSession, (error: Error) => setError(error.message));
  }, []);
  const Page = PAGES[page];

  return (
    // No user sees uploads of another.
    <Upload.Provider client={uploads} user={session?.user?.id}>
      <header className="bar">
        <span className="brand">Paperplane</span>
        <Navigation page={page} navigate={navigate} />
        {session && <Account session={session} onSignIn={signIn} />}
      </header>
      <main>
        {session?.user && <DemoNote user={session.user} />}
        {error && <p role="alert">{error}</p>}
        {/* The key remounts the page when the user changes, so that no user sees state of another. */}
        {session && (session.user ? <Page key={session.user.id} user={session.user} /> : <SignedOut />)}
      </main>
      {/* For uploads of a page that the user has left. */}
      <Upload.Tray />
    </Upload.Provider>
  );
}

function DemoNote({ user }: { user: User }) {
  return (
    <p className="demo">
      <strong>Demo</strong>{" "}
      <span>{`You are signed in as ${user.name}, without a password. Switch users above.`}</span>
    </p>
  );
}

function SignedOut() {
  return (
    <>
      <h1>Signed out</h1>
      <p className="lead">
        Choose one of the two demo users above. Each user sees and stores only their own documents.
      </p>
    </>
  );
}
