import java.net.URI;

class WithHttpsUrlConnection {
    public static void main(String[] args) throws Exception {
        var call = URI.create("https://api.mercadolibre.com/users/me").toURL().openConnection();
        call.setRequestProperty("Authorization", "Bearer " + System.getenv("MERCADITO_TOKEN"));
        call.getInputStream().transferTo(System.out);
    }
}
