// Asks by a client that oapi-codegen made of docs/openapi.json, waits for the answer, and prints it; then meets a refusal.
//
//	ask http://127.0.0.1:8600 KEY ID
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"standfast.test/client/generated"
)

func main() {
	url, key, id := os.Args[1], os.Args[2], os.Args[3]
	authorized := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := generated.NewClientWithResponses(url, generated.WithRequestEditorFn(authorized))
	check(err)
	ctx := context.Background()

	why := "Deploy 1.4?"
	asked, err := client.PostAskWithResponse(ctx, nil, generated.AskBody{Id: &id, Message: &why})
	check(err)
	reply := asked.JSON202
	for reply != nil && reply.Status == "waiting" {
		wait := float32(20)
		got, err := client.GetAskWithResponse(ctx, &generated.GetAskParams{Id: id, Wait: &wait})
		check(err)
		reply = got.JSON202
		if got.JSON200 != nil {
			reply = got.JSON200
		}
	}
	print(map[string]any{"status": reply.Status, "verdict": reply.Verdict, "by": reply.By})

	none, other := "none", id+"-none"
	refused, err := client.PostAskWithResponse(ctx, nil, generated.AskBody{Id: &other, Message: &why, Policy: &none})
	check(err)
	problem := refused.ApplicationproblemJSON4XX
	print(map[string]any{"code": problem.Code, "detail": problem.Detail})
}

func print(value any) {
	check(json.NewEncoder(os.Stdout).Encode(value))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
