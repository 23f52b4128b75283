import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;
import java.time.Duration;

public class HttpClientPut {
    public static void main(String[] args) throws Exception {
        // It sets Content-Length itself, and throws if a program does.
        var body = HttpRequest.BodyPublishers.ofFile(Path.of(args[0]));
        var request = HttpRequest.newBuilder(URI.create(args[1])).PUT(body).timeout(Duration.ofMinutes(5));
        for (int i = 2; i < args.length; i += 2) request.header(args[i], args[i + 1]);

        var answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            System.err.println(answer.statusCode() + " " + answer.body());
            System.exit(1);
        }
    }
}
