import { useCallback, useEffect, useState } from "react";
import { Account } from "./account.js";
import { backend, type Session } from "./backend.js";
import { Documents } from "./documents.js";
import { Places, placeOf } from "./places.js";
import { Profile } from "./profile.js";
import { Support } from "./support.js";
import { usePlace } from "./use-place.js";

const PAGES = { "/": Documents, "/profile": Profile, "/support": Support };

export function App() {
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<string>();
  const { path, go } = usePlace();
  useEffect(() => {
    backend.session().then(setSession, (error: Error) => setProblem(error.message));
  }, []);
  const signIn = useCallback((user: string | null) => {
    backend.signIn(user).then(setSession, (error: Error) => setProblem(error.message));
  }, []);
  const place = placeOf(path);
  const Page = PAGES[place];

  return (
    <>
      <header className="bar">
        <span className="brand">Paperplane</span>
        <Places place={place} go={go} />
        {session && <Account session={session} onSignIn={signIn} />}
      </header>
      <main>
        {problem && <p role="alert">{problem}</p>}
        {/* All that is one user's is keyed by the user, so nothing of one is ever shown to another. */}
        {session && (session.user ? <Page key={session.user.id} user={session.user} /> : <SignedOut />)}
      </main>
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
