import { Photo } from "../photo";

export default function Page() {
  return (
    <main style={{ position: "relative", height: 100 }}>
      <Photo path="ada/a.png" />
    </main>
  );
}
