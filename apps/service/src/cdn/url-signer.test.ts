import { createVerify, generateKeyPairSync } from "node:crypto";
import { getSignedUrl } from "@aws-sdk/cloudfront-signer";
import { describe, expect, test } from "vitest";
import { bunnyUrlSigner, cloudFrontUrlSigner } from "./url-signer.js";

const expiresAt = new Date(1_795_632_000_000);
const plain = "https://files.example.com/projects/p/a.png";
const withQuery =
  "https://files.example.com/media/projects/p/a%20%C3%BC.png?response-cache-control=public%2C%20must-revalidate&response-content-disposition=inline%3B%20filename%3D%22a%20b.png%22&response-content-type=image%2Fpng";

describe("Bunny's token", () => {
  /* Bunny's own library made these URLs: signUrl of nodejs/token.js in github.com/BunnyWay/BunnyCDN.TokenAuthentication at 48ff1af. */
  test.each([
    [
      "SecurityKey",
      plain.replace("files.example.com", "files.b-cdn.net"),
      "https://files.b-cdn.net/projects/p/a.png?token=HS256-L0H4Oj21rU-bZAgyKvO3lyvMkJlv58TXirJoLzYGi_Y&expires=1795632000",
    ],
    [
      "SecurityKey",
      withQuery.replace("files.example.com", "files.b-cdn.net"),
      "https://files.b-cdn.net/media/projects/p/a%20%C3%BC.png?token=HS256-SILkJ89UC-yG6UKJzj9JOyRimDeAPWj1OAvtuytcH94&response-cache-control=public%2C%20must-revalidate&response-content-disposition=inline%3B%20filename%3D%22a%20b.png%22&response-content-type=image%2Fpng&expires=1795632000",
    ],
  ])("equals the one of Bunny's library (%#)", async (key, url, signed) => {
    expect(await bunnyUrlSigner(key)(url, expiresAt)).toBe(signed);
  });

  test('equals the vector "plain" of the same repository', async () => {
    expect(
      await bunnyUrlSigner("SecurityKey")(
        "https://token-tester.b-cdn.net/300kb.jpg",
        new Date(1_598_024_587_000),
      ),
    ).toBe(
      "https://token-tester.b-cdn.net/300kb.jpg?token=HS256-o10JRWlsAItyAsdKS6jJKjabHN4FrFsplDHPV1idcX4&expires=1598024587",
    );
  });

  test("is another one for another end, key, path or query", async () => {
    const tokens = await Promise.all([
      bunnyUrlSigner("k")(withQuery, expiresAt),
      bunnyUrlSigner("other")(withQuery, expiresAt),
      bunnyUrlSigner("k")(withQuery, new Date(expiresAt.getTime() + 1000)),
      bunnyUrlSigner("k")(withQuery.replace("a%20", "b%20"), expiresAt),
      bunnyUrlSigner("k")(withQuery.replace("image%2Fpng", "text%2Fhtml"), expiresAt),
    ]);
    expect(new Set(tokens.map((url) => new URL(url).searchParams.get("token"))).size).toBe(5);
  });
});

describe("CloudFront's signature", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const sign = cloudFrontUrlSigner({ keyPairId: "K2JCJMDEHXQW5F", privateKey: pem });

  test.each([plain, withQuery])("equals the one of the AWS SDK for %s", async (url) => {
    const ours = new URL(await sign(url, expiresAt));
    const theirs = new URL(
      getSignedUrl({
        url,
        keyPairId: "K2JCJMDEHXQW5F",
        privateKey: pem,
        dateLessThan: expiresAt.toISOString(),
      }),
    );
    expect(ours.origin + ours.pathname).toBe(theirs.origin + theirs.pathname);
    expect(Object.fromEntries(ours.searchParams)).toEqual(Object.fromEntries(theirs.searchParams));
  });

  test("is verified by the public key, over the whole URL with its query", async () => {
    const signed = new URL(await sign(withQuery, expiresAt));
    const escaped = signed.searchParams.get("Signature")!;
    const signature = escaped.replace(/[-_~]/g, (character) => ({ "-": "+", _: "=", "~": "/" })[character]!);
    const policy = `{"Statement":[{"Resource":"${withQuery}","Condition":{"DateLessThan":{"AWS:EpochTime":1795632000}}}]}`;
    const isValid = (text: string) =>
      createVerify("RSA-SHA1").update(text).verify(publicKey, signature, "base64");
    expect(isValid(policy)).toBe(true);
    expect(isValid(policy.replace("image%2Fpng", "text%2Fhtml"))).toBe(false);
  });

  test("is the same each time, so a URL that is reused can be cached", async () => {
    expect(await sign(withQuery, expiresAt)).toBe(await sign(withQuery, expiresAt));
  });
});
