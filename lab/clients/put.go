package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	path, url, headers := os.Args[1], os.Args[2], os.Args[3:]
	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("PUT", url, file)
	if err != nil {
		log.Fatal(err)
	}
	// Go ignores a header Content-Length. Length 0 with a body means: unknown.
	request.ContentLength = info.Size()
	if info.Size() == 0 {
		request.Body = http.NoBody
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{Timeout: 5 * time.Minute}
	answer, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		text, _ := io.ReadAll(answer.Body)
		log.Fatalf("%s %s", answer.Status, text)
	}
}
