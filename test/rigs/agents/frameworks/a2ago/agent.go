// An agent on the Go SDK of A2A that asks by a form for each call, and counts what it executes. Its words are those of
// python/payer.py: "pay 1 and 2", "pay 3 again", "fail", "slow", "linger", and anything else. It speaks one binding.
//
//	agent --port 8001 [--binding HTTP+JSON] [--binding GRPC --grpc-port 8002] [--tls-cert FILE --tls-key FILE]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	a2agrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

const payee = "Miller Ltd"

// What a task was begun with; gone with the process, as its tasks are.
type payer struct {
	lock  sync.Mutex
	asked map[a2a.TaskID]request
}

type request struct {
	invoices []int
	again    bool
}

func count(entry ...any) {
	line, _ := json.Marshal(entry)
	file, err := os.OpenFile(os.Getenv("AGENT_LEDGER"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	fmt.Fprintln(file, string(line))
}

func wordsOf(message *a2a.Message) string {
	texts := []string{}
	for _, part := range message.Parts {
		texts = append(texts, part.Text())
	}
	return strings.TrimSpace(strings.Join(texts, " "))
}

func requestIn(words string) request {
	invoices := []int{}
	for _, word := range strings.Fields(words) {
		if invoice, err := strconv.Atoi(word); err == nil && strings.Contains(words, "pay") {
			invoices = append(invoices, invoice)
		}
	}
	return request{invoices: invoices, again: strings.Contains(words, "again")}
}

func formIDOf(invoice int) string { return fmt.Sprintf("pay-%d", invoice) }

// The calls as data, then one form for each of them.
func question(ec *a2asrv.ExecutorContext, invoices []int) []a2a.Event {
	calls, forms := []*a2a.Part{}, []*a2a.Part{}
	for _, invoice := range invoices {
		call, args := fmt.Sprintf("%s-%d", ec.TaskID, invoice), map[string]any{"invoice": invoice, "to": payee}
		calls = append(calls, a2a.NewDataPart(map[string]any{"type": "tool-call", "id": call, "name": "pay", "arguments": args}))
		forms = append(forms, a2a.NewDataPart(map[string]any{
			"type": "a2a.hitl.form", "formId": formIDOf(invoice), "title": fmt.Sprintf("Pay invoice %d?", invoice), "toolCallId": call,
			// The SDK's own store keeps JSON's types and no others.
			"fields": []any{
				map[string]any{"name": "approved", "type": "boolean", "required": true},
				map[string]any{"name": "editedArgs", "label": "Arguments", "type": "object", "default": args},
				map[string]any{"name": "reason", "label": "Why not", "type": "text"},
			},
		}))
	}
	return []a2a.Event{
		a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, calls...)),
		a2a.NewStatusUpdateEvent(ec, a2a.TaskStateInputRequired, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, forms...)),
	}
}

// Executes what was approved, with the arguments that people left; false where a call was not.
func (p *payer) execute(message *a2a.Message, invoices []int) (string, bool) {
	results, all := []string{}, true
	for _, invoice := range invoices {
		values := valuesOf(message, formIDOf(invoice))
		if values["approved"] != true {
			results, all = append(results, fmt.Sprintf("%d not paid: %v", invoice, values["reason"])), false
			continue
		}
		edited, _ := values["editedArgs"].(map[string]any)
		if given, ok := edited["invoice"].(float64); ok {
			invoice = int(given)
		}
		count(invoice, payee)
		results = append(results, fmt.Sprintf("paid %d to %s", invoice, payee))
	}
	return strings.Join(results, "; "), all
}

func valuesOf(message *a2a.Message, formID string) map[string]any {
	for _, part := range message.Parts {
		data, _ := part.Data().(map[string]any)
		if data["type"] == "a2a.hitl.formResponse" && data["formId"] == formID {
			values, _ := data["values"].(map[string]any)
			return values
		}
	}
	return nil
}

func (p *payer) Execute(ctx context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		if ec.StoredTask == nil {
			if !yield(a2a.NewSubmittedTask(ec, ec.Message), nil) {
				return
			}
			p.begin(ctx, ec, yield)
			return
		}
		p.lock.Lock()
		asked := p.asked[ec.TaskID]
		p.lock.Unlock()
		said, all := p.execute(ec.Message, asked.invoices)
		if asked.again && !all {
			p.remember(ec.TaskID, request{invoices: asked.invoices})
			emit(yield, question(ec, asked.invoices)...)
			return
		}
		text := a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart(said))
		emit(yield, a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, text))
	}
}

func (p *payer) begin(ctx context.Context, ec *a2asrv.ExecutorContext, yield func(a2a.Event, error) bool) {
	words := wordsOf(ec.Message)
	wanted := requestIn(words)
	switch {
	case strings.Contains(words, "fail"):
		count("failed", time.Now().UnixMilli())
		yield(nil, errors.New("the model is out of order"))
	case strings.Contains(words, "slow"):
		if !emit(yield, a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil)) {
			return
		}
		count("slow")
		select {
		case <-ctx.Done():
		case <-time.After(time.Hour):
		}
	case strings.Contains(words, "linger"):
		if !emit(yield, a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil)) {
			return
		}
		count("slow")
		for isMissing(os.Getenv("AGENT_LEDGER") + ".go") {
			select {
			case <-ctx.Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
		emit(yield, a2a.NewArtifactEvent(ec, a2a.NewTextPart("let go")), a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil))
	case len(wanted.invoices) > 0:
		p.remember(ec.TaskID, wanted)
		emit(yield, question(ec, wanted.invoices)...)
	default:
		first := a2a.NewArtifactEvent(ec, a2a.NewTextPart("One "))
		events := []a2a.Event{first}
		for _, piece := range []string{"two ", "three ", "four"} {
			events = append(events, a2a.NewArtifactUpdateEvent(ec, first.Artifact.ID, a2a.NewTextPart(piece)))
		}
		emit(yield, append(events, a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil))...)
	}
}

func isMissing(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}

// Writes down what became of each notification.
type countingSender struct{ sender push.Sender }

func (s countingSender) SendPush(ctx context.Context, config *a2a.PushConfig, event a2a.Event) error {
	if err := s.sender.SendPush(ctx, config, event); err != nil {
		count("push", err.Error())
	} else {
		count("push", nil)
	}
	return nil
}

// Writes down who joins a task.
type countingHandler struct{ a2asrv.RequestHandler }

func (h countingHandler) SubscribeToTask(ctx context.Context, req *a2a.SubscribeToTaskRequest) iter.Seq2[a2a.Event, error] {
	count("joined", req.ID)
	return h.RequestHandler.SubscribeToTask(ctx, req)
}

func (p *payer) remember(id a2a.TaskID, wanted request) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.asked[id] = wanted
}

func emit(yield func(a2a.Event, error) bool, events ...a2a.Event) bool {
	for _, event := range events {
		if !yield(event, nil) {
			return false
		}
	}
	return true
}

func (*payer) Cancel(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCanceled, nil), nil)
	}
}

func serveGRPC(address string, handler a2asrv.RequestHandler, options ...grpc.ServerOption) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(options...)
	a2agrpc.NewHandler(handler).RegisterWith(server)
	log.Fatal(server.Serve(listener))
}

func main() {
	port := flag.Int("port", 0, "")
	binding := flag.String("binding", string(a2a.TransportProtocolJSONRPC), "")
	grpcPort := flag.Int("grpc-port", 0, "")
	cert, key := flag.String("tls-cert", "", ""), flag.String("tls-key", "", "")
	flag.Parse()
	address := fmt.Sprintf("127.0.0.1:%d", *port)
	isGRPC := a2a.TransportProtocol(*binding) == a2a.TransportProtocolGRPC
	isSecured := *cert != "" && !isGRPC
	web := "http://" + address + "/"
	if isSecured {
		web = "https://" + address + "/"
	}
	url := web
	sender := push.NewHTTPPushSender(&push.HTTPSenderConfig{FailOnError: true, AllowPrivateNetworks: true})
	handler := countingHandler{a2asrv.NewHandler(
		&payer{asked: map[a2a.TaskID]request{}},
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), countingSender{sender}),
	)}
	mux := http.NewServeMux()
	switch a2a.TransportProtocol(*binding) {
	case a2a.TransportProtocolGRPC:
		// gRPC has no scheme and no path.
		url = fmt.Sprintf("127.0.0.1:%d", *grpcPort)
		if *cert == "" {
			go serveGRPC(url, handler)
			break
		}
		proof, err := credentials.NewServerTLSFromFile(*cert, *key)
		if err != nil {
			log.Fatal(err)
		}
		go serveGRPC(url, handler, grpc.Creds(proof))
		url = "grpcs://" + url
	case a2a.TransportProtocolHTTPJSON:
		mux.Handle("/", a2asrv.NewRESTHandler(handler))
	default:
		mux.Handle("/", a2asrv.NewJSONRPCHandler(handler))
	}
	card := &a2a.AgentCard{
		Name: "payer", Description: "Pays invoices", Version: "1.0.0",
		SupportedInterfaces: []*a2a.AgentInterface{a2a.NewAgentInterface(url, a2a.TransportProtocol(*binding))},
		DefaultInputModes:   []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Capabilities: a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		Skills:       []a2a.AgentSkill{{ID: "pay", Name: "Pay", Description: "Pays", Tags: []string{"pay"}}},
	}
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("payer agent ready " + web)
	if isSecured {
		log.Fatal(http.ServeTLS(listener, mux, *cert, *key))
	}
	log.Fatal(http.Serve(listener, mux))
}
