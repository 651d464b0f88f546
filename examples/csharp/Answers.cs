using System;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>The program under test: answers every open question of a seller with the same text.</summary>
public static class Answers
{
    /// <summary>The id of a question, but not of its buyer. Your program uses a library for JSON instead.</summary>
    private static readonly Regex Id = new Regex(@"(?<!""from"":\{)""id"":(\d+)");
    private static readonly HttpClient Client = new HttpClient();

    public static async Task<int> AnswerAll(string url, string token, string text)
    {
        var found = await Call("GET", $"{url}/questions/search?status=UNANSWERED&limit=100", null, token);
        var ids = Id.Matches(found).Cast<Match>().Select(match => match.Groups[1].Value).ToList();
        foreach (var id in ids)
        {
            await Call("POST", $"{url}/answers", $@"{{""question_id"":{id},""text"":""{Escape(text)}""}}", token);
        }
        return ids.Count;
    }

    /// <summary>Sends one request and returns the text of the answer. Control calls need no token.</summary>
    public static async Task<string> Call(string method, string url, string body = null, string token = null)
    {
        using (var request = new HttpRequestMessage(new HttpMethod(method), url))
        {
            if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            if (token != null) request.Headers.Add("Authorization", $"Bearer {token}");
            using (var response = await Client.SendAsync(request))
            {
                var text = await response.Content.ReadAsStringAsync();
                if (response.IsSuccessStatusCode) return text;
                throw new HttpRequestException($"{method} {url}: {(int)response.StatusCode} {text}");
            }
        }
    }

    private static string Escape(string text) => text.Replace(@"\", @"\\").Replace("\"", "\\\"");
}
