import java.io.File;
import java.net.*;
import java.nio.file.Files;

public class UrlConnectionPut {
    public static void main(String[] args) throws Exception {
        File file = new File(args[0]);
        var connection = (HttpURLConnection) new URL(args[1]).openConnection();
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setConnectTimeout(30_000);
        connection.setReadTimeout(60_000);
        for (int i = 2; i < args.length; i += 2) connection.setRequestProperty(args[i], args[i + 1]);
        // Without it, the whole file is kept in memory.
        connection.setFixedLengthStreamingMode(file.length());
        try (var out = connection.getOutputStream()) {
            Files.copy(file.toPath(), out);
        }
        if (connection.getResponseCode() != 200) {
            System.err.println(connection.getResponseCode() + " " + new String(connection.getErrorStream().readAllBytes()));
            System.exit(1);
        }
    }
}
