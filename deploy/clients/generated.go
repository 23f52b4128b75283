// generated.go: the same with the generated client.
// STOWAGE_URL=https://… STOWAGE_API_KEY=… go run generated.go FILE TENANT_ID
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"stowage"
)

var web = &http.Client{Timeout: time.Minute}

func main() {
	if answer, err := run(os.Args[1], os.Args[2]); err != nil {
		if answer != nil {
			fmt.Fprintf(os.Stderr, "%s: ", answer.Header.Get("X-Error-Code"))
		}
		if refused, ok := err.(stowage.GenericOpenAPIError); ok {
			fmt.Fprintf(os.Stderr, "%s ", refused.Body())
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, tenant string) (*http.Response, error) {
	configuration := stowage.NewConfiguration()
	configuration.Servers[0].URL = os.Getenv("STOWAGE_URL")
	configuration.HTTPClient = web
	client := stowage.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), stowage.ContextAccessToken, os.Getenv("STOWAGE_API_KEY"))

	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	request := stowage.NewUploadRequest(filepath.Base(file), tenant)
	request.SetSize(int64(len(content)))
	upload, answer, err := client.UploadsApi.RequestUpload(ctx).UploadRequest(*request).Execute()
	if err != nil {
		return answer, err
	}
	if _, err = send("PUT", upload.PresignedUrl, content, upload.Headers); err != nil {
		return nil, err
	}
	complete := stowage.CompleteRequest{FilePath: upload.FilePath}
	done, answer, err := client.UploadsApi.CompleteUpload(ctx).CompleteRequest(complete).Execute()
	if err != nil {
		return answer, err
	}
	fmt.Println(done.Filename, *done.Size.Get(), done.Status, done.StoredAt.Get().Format(time.RFC3339))

	link := stowage.DownloadRequest{FilePath: upload.FilePath}
	download, answer, err := client.DownloadsApi.CreateDownload(ctx).DownloadRequest(link).Execute()
	if err != nil {
		return answer, err
	}
	stored, err := send("GET", download.PresignedUrl, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file+".copy", stored, 0o600); err != nil {
		return nil, err
	}
	remove := stowage.NewDeleteRequest()
	remove.SetFilePath(upload.FilePath)
	_, answer, err = client.FilesApi.DeleteFiles(ctx).DeleteRequest(*remove).Execute()
	return answer, err
}

// send calls storage, without the API key.
func send(method, url string, body []byte, headers map[string]string) ([]byte, error) {
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := web.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("storage answered %s", response.Status)
	}
	return io.ReadAll(response.Body)
}
