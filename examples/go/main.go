package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	count, err := answerAll(os.Getenv("MERCADITO_URL"), os.Getenv("MERCADITO_TOKEN"), "¡Hola! Sí, tenemos stock.")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d questions answered\n", count)
}
