import type { Session } from "./backend.js";

/** Switches between the demo users. Your app has a sign-in page instead. */
export function Account({ session, onSignIn }: { session: Session; onSignIn(user: string | null): void }) {
  return (
    <div className="account" role="group" aria-label="Signed in as">
      {session.users.map((user) => (
        <button
          key={user.id}
          type="button"
          aria-pressed={user.id === session.user?.id}
          onClick={() => onSignIn(user.id)}
        >
          {user.name}
        </button>
      ))}
      <button type="button" className="quiet" disabled={!session.user} onClick={() => onSignIn(null)}>
        Sign out
      </button>
    </div>
  );
}
