using System;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public static class AnswersTest
{
    // The compiler of Mono accepts no asynchronous Main.
    public static void Main() => Run().GetAwaiter().GetResult();

    private static async Task Run()
    {
        var root = Environment.GetEnvironmentVariable("MERCADITO_URL");
        // A world for these tests only.
        var start = @"{""scenario"":""demo"",""now"":""2026-03-02T12:00:00Z""}";
        var world = await Answers.Call("POST", $"{root}/_sandbox/worlds", start);
        var url = Find(@"""url"":""([^""]+)", world);
        var token = Find(@"""sellers"":\[\{.*?""token"":""([^""]+)", world);
        var buyer = Find(@"""buyers"":\[\{""id"":(\d+)", world);

        var question = $@"{{""item_id"":""MLA1400000001"",""from"":{buyer},""text"":""¿Hay stock?""}}";
        var asked = Find(@"[{,]""id"":(\d+)", await Answers.Call("POST", $"{url}/_sandbox/questions", question));
        Check(await Answers.AnswerAll(url, token, "¡Hola! Sí.") > 0, "answers open questions");
        var read = await Answers.Call("GET", $"{url}/questions/{asked}", null, token);
        Check(Find(@"""answer"":\{""text"":""([^""]+)", read) == "¡Hola! Sí.", "sends the text of the answer");
        var expected = $@"{{""method"":""POST"",""path"":""/answers"",""body"":{{""question_id"":{asked}}},""times"":1}}";
        await Answers.Call("POST", $"{url}/_sandbox/verify", expected);

        var fault = @"{""match"":{""path"":""/answers""},""action"":{""status"":500}}";
        await Answers.Call("POST", $"{url}/_sandbox/faults", fault);
        await Answers.Call("POST", $"{url}/_sandbox/questions", question);
        var message = "";
        try
        {
            await Answers.AnswerAll(url, token, "Sí");
        }
        catch (HttpRequestException error)
        {
            message = error.Message;
        }
        Check(message.Contains("/answers: 500"), "reports an error of the service");
        await Answers.Call("DELETE", $"{root}/_sandbox/worlds/{Find(@"""world"":\{""id"":(\d+)", world)}");
    }

    /// <summary>The first group of a pattern in a text that must match.</summary>
    private static string Find(string pattern, string text)
    {
        var match = Regex.Match(text, pattern);
        if (!match.Success) throw new Exception($"no {pattern} in {text}");
        return match.Groups[1].Value;
    }

    private static void Check(bool passed, string title)
    {
        if (!passed) throw new Exception($"failed: {title}");
        Console.WriteLine($"passed: {title}");
    }
}
