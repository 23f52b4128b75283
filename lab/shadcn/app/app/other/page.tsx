import Link from "next/link";

/** Another page of the app: uploads continue here, in the tray. */
export default function Page() {
  return (
    <main className="mx-auto max-w-2xl p-6">
      <h1 className="text-2xl font-semibold">Another page</h1>
      <Link href="/">Files</Link>
    </main>
  );
}
