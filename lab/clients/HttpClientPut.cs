using System;
using System.IO;
using System.Net.Http;

static class HttpClientPut
{
    static int Main(string[] args)
    {
        using (var client = new HttpClient { Timeout = TimeSpan.FromMinutes(5) })
        using (var file = File.OpenRead(args[0]))
        {
            // The stream of a file knows its length. StringContent would add "; charset=utf-8" to the type.
            var content = new StreamContent(file);
            for (var i = 2; i < args.Length; i += 2) content.Headers.TryAddWithoutValidation(args[i], args[i + 1]);
            var answer = client.PutAsync(args[1], content).Result;
            if (answer.IsSuccessStatusCode) return 0;
            Console.Error.WriteLine((int)answer.StatusCode + " " + answer.Content.ReadAsStringAsync().Result);
            return 1;
        }
    }
}
