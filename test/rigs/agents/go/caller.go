// A caller on the Go SDK of A2A that does what ../python/caller_v1.py does, as 1.0 or as 0.3.
//
//	caller <1.0|0.3> <url> <binding> <push url>
//
// Over gRPC it speaks in clear, or, with CALLER_CA (a file in PEM), to whom that certificate proves.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	a2agrpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	a2agrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

type seen struct {
	id        a2a.TaskID
	state     a2a.TaskState
	form      string
	artifacts []string
}

func (s *seen) see(id a2a.TaskID, status a2a.TaskStatus) {
	s.id, s.state, s.form = id, status.State, ""
	if status.Message == nil {
		return
	}
	for _, part := range status.Message.Parts {
		if data, isObject := part.Data().(map[string]any); isObject {
			s.form = fmt.Sprint(data["formId"])
		}
	}
}

func (s *seen) add(artifact *a2a.Artifact) {
	text := ""
	for _, part := range artifact.Parts {
		text += part.Text()
	}
	s.artifacts = append(s.artifacts, text)
}

func (s *seen) brief() []string {
	return append([]string{nameOf(s.state)}, s.artifacts...)
}

func nameOf(state a2a.TaskState) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(state), "TASK_STATE_")), "_", "-")
}

// read says where the task is when its stream ends, and what came on the way.
func read(stream iter.Seq2[a2a.Event, error], onBegun func()) seen {
	var s seen
	for event, err := range stream {
		must(err)
		switch it := event.(type) {
		case *a2a.Task:
			s.see(it.ID, it.Status)
		case *a2a.TaskStatusUpdateEvent:
			s.see(it.TaskID, it.Status)
		case *a2a.TaskArtifactUpdateEvent:
			s.add(it.Artifact)
		}
		onBegun()
	}
	return s
}

func ask(id a2a.TaskID, part *a2a.Part) *a2a.SendMessageRequest {
	message := a2a.NewMessage(a2a.MessageRoleUser, part)
	message.TaskID = id
	return &a2a.SendMessageRequest{Message: message}
}

func security() grpc.DialOption {
	certificate, isGiven := os.LookupEnv("CALLER_CA")
	if !isGiven {
		return grpc.WithTransportCredentials(insecure.NewCredentials())
	}
	proven, err := credentials.NewClientTLSFromFile(certificate, "")
	must(err)
	return grpc.WithTransportCredentials(proven)
}

func connect(ctx context.Context, version, url, binding string) *a2aclient.Client {
	resolver := agentcard.NewResolver(&http.Client{Timeout: time.Minute})
	config := a2aclient.WithConfig(a2aclient.Config{
		PreferredTransports: []a2a.TransportProtocol{a2a.TransportProtocol(binding)},
	})
	options := []a2aclient.FactoryOption{config}
	var headers []agentcard.ResolveOption
	if version == "0.3" {
		resolver.CardParser = a2av0.NewAgentCardParser()
		options = []a2aclient.FactoryOption{
			a2aclient.WithDefaultsDisabled(),
			config,
			a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{}),
			a2av0.WithRESTTransport(a2av0.RESTTransportConfig{}),
			a2agrpcv0.WithGRPCTransport(security()),
		}
	} else {
		options = append(options, a2agrpc.WithGRPCTransport(security()))
		headers = append(headers, agentcard.WithRequestHeader("A2A-Version", version))
	}
	card, err := resolver.Resolve(ctx, url, headers...)
	must(err)
	client, err := a2aclient.NewFromCard(ctx, card, options...)
	must(err)
	return client
}

// Until the file that CALLER_WAITS names is there: what is called may be killed meanwhile.
func waitIfAsked() {
	path, isGiven := os.LookupEnv("CALLER_WAITS")
	if !isGiven {
		return
	}
	fmt.Println("waits")
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func main() {
	version, url, binding, pushURL := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	client := connect(ctx, version, url, binding)
	nothing := func() {}

	asked := read(client.SendStreamingMessage(ctx, ask("", a2a.NewTextPart("plan it"))), nothing)
	_, err := client.CreateTaskPushConfig(ctx, &a2a.PushConfig{TaskID: asked.id, ID: "ours", URL: pushURL, Token: "a token"})
	must(err)
	push, err := client.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: asked.id, ID: "ours"})
	must(err)
	_, err = client.CreateTaskPushConfig(ctx, &a2a.PushConfig{TaskID: asked.id, ID: "other", URL: pushURL})
	must(err)
	must(client.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: asked.id, ID: "other"}))
	if version != "0.3" {
		left, err := client.ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: asked.id})
		must(err)
		if len(left) != 1 || left[0].ID != "ours" {
			log.Fatalf("ListTaskPushConfigs: %+v", left)
		}
	}

	waitIfAsked()
	begun := make(chan bool, 64)
	joined := make(chan seen, 1)
	go func() {
		joined <- read(client.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: asked.id}), func() { begun <- true })
	}()
	<-begun
	form := map[string]any{"type": "a2a.hitl.formResponse", "formId": "trip", "values": map[string]any{"days": 3}}
	answered := read(client.SendStreamingMessage(ctx, ask(asked.id, a2a.NewDataPart(form))), nothing)
	last := <-joined

	task, err := client.GetTask(ctx, &a2a.GetTaskRequest{ID: asked.id})
	must(err)
	if task.Status.State != a2a.TaskStateCompleted || len(task.Artifacts) != 1 {
		log.Fatalf("GetTask: %+v", task)
	}
	result, err := client.SendMessage(ctx, ask("", a2a.NewTextPart("plan another")))
	must(err)
	other, isTask := result.(*a2a.Task)
	if !isTask {
		log.Fatalf("no task: %+v", result)
	}
	cancelled, err := client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: other.ID})
	must(err)

	line, err := json.Marshal(map[string]any{
		"asked":     []string{nameOf(asked.state), asked.form},
		"push":      []string{push.ID, push.URL},
		"joined":    last.brief(),
		"answered":  answered.brief(),
		"cancelled": nameOf(cancelled.Status.State),
	})
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
