import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class AnswersTest {
    public static void main(String[] args) throws IOException, InterruptedException {
        String base = System.getenv("MERCADITO_URL");
        // A world for these tests only.
        String start = "{\"scenario\":\"demo\",\"now\":\"2026-03-02T12:00:00Z\"}";
        String world = Answers.call("POST", base + "/_sandbox/worlds", start, "");
        String url = find("\"url\":\"([^\"]+)", world);
        String token = find("\"sellers\":\\[\\{.*?\"token\":\"([^\"]+)", world);
        String buyer = find("\"buyers\":\\[\\{\"id\":(\\d+)", world);

        String question = "{\"item_id\":\"MLA1400000001\",\"from\":%s,\"text\":\"¿Hay stock?\"}".formatted(buyer);
        String asked = find("[{,]\"id\":(\\d+)", Answers.call("POST", url + "/_sandbox/questions", question, ""));
        check(Answers.answerAll(url, token, "¡Hola! Sí.") > 0, "answers open questions");
        String read = Answers.call("GET", url + "/questions/" + asked, "", token);
        check(find("\"answer\":\\{\"text\":\"([^\"]+)", read).equals("¡Hola! Sí."), "sends the text of the answer");
        String expected = "{\"method\":\"POST\",\"path\":\"/answers\",\"body\":{\"question_id\":%s},\"times\":1}";
        Answers.call("POST", url + "/_sandbox/verify", expected.formatted(asked), "");

        Answers.call("POST", url + "/_sandbox/faults", "{\"match\":{\"path\":\"/answers\"},\"action\":{\"status\":500}}", "");
        Answers.call("POST", url + "/_sandbox/questions", question, "");
        String message = "";
        try {
            Answers.answerAll(url, token, "Sí");
        } catch (IOException error) {
            message = error.getMessage();
        }
        check(message.contains("/answers: 500"), "reports an error of the service");
        String id = find("\"world\":\\{\"id\":(\\d+)", world);
        Answers.call("DELETE", base + "/_sandbox/worlds/" + id, "", "");
    }

    /** The first group of a pattern in a text that must match. */
    private static String find(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in " + text);
        }
        return matcher.group(1);
    }

    private static void check(boolean passed, String title) {
        if (!passed) {
            throw new AssertionError("failed: " + title);
        }
        System.out.println("passed: " + title);
    }
}
