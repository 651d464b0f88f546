using System;
using System.Threading.Tasks;

public static class Program
{
    // The compiler of Mono accepts no asynchronous Main.
    public static void Main() => Run().GetAwaiter().GetResult();

    private static async Task Run()
    {
        var url = Environment.GetEnvironmentVariable("MERCADITO_URL");
        var token = Environment.GetEnvironmentVariable("MERCADITO_TOKEN");
        var count = await Answers.AnswerAll(url, token, "¡Hola! Sí, tenemos stock.");
        Console.WriteLine($"{count} questions answered");
    }
}
