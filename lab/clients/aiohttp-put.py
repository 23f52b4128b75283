import asyncio, sys
import aiohttp
from yarl import URL

path, url, *rest = sys.argv[1:]
headers = dict(zip(rest[::2], rest[1::2]))


async def put():
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=300)) as session:
        with open(path, "rb") as file:
            # encoded=True keeps the URL as it was signed.
            async with session.put(URL(url, encoded=True), data=file, headers=headers) as answer:
                if answer.status != 200:
                    sys.exit(f"{answer.status} {await answer.text()}")


asyncio.run(put())
