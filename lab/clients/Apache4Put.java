import java.io.File;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.HttpPut;
import org.apache.http.entity.FileEntity;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

public class Apache4Put {
    public static void main(String[] args) throws Exception {
        HttpPut request = new HttpPut(args[1]);
        // The entity knows its length. A header Content-Length of yours makes the client throw.
        request.setEntity(new FileEntity(new File(args[0])));
        request.setConfig(RequestConfig.custom().setConnectTimeout(30_000).setSocketTimeout(60_000).build());
        for (int i = 2; i < args.length; i += 2) request.setHeader(args[i], args[i + 1]);
        try (var client = HttpClients.createDefault(); var answer = client.execute(request)) {
            if (answer.getStatusLine().getStatusCode() == 200) return;
            System.err.println(answer.getStatusLine() + " " + EntityUtils.toString(answer.getEntity()));
        }
        System.exit(1);
    }
}
