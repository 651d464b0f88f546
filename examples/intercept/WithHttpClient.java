import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class WithHttpClient {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("https://api.mercadolibre.com/users/me"))
            .header("Authorization", "Bearer " + System.getenv("MERCADITO_TOKEN"))
            .build();
        System.out.print(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
    }
}
