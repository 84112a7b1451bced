// A client of a gate on mcp-go: reads a request in JSON a line, and writes what came of it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type request struct {
	Do   string         `json:"do"`
	Name string         `json:"name"`
	Args map[string]any `json:"args"`
}

func answerTo(ctx context.Context, gate *client.Client, asked request) (map[string]any, error) {
	if asked.Do == "tools" {
		listed, err := gate.ListTools(ctx, mcp.ListToolsRequest{})
		if err != nil {
			return nil, err
		}
		names := []string{}
		for _, tool := range listed.Tools {
			names = append(names, tool.Name)
		}
		return map[string]any{"tools": names}, nil
	}
	call := mcp.CallToolRequest{}
	call.Params.Name = asked.Name
	call.Params.Arguments = asked.Args
	result, err := gate.CallTool(ctx, call)
	if err != nil {
		return nil, err
	}
	text := ""
	if len(result.Content) > 0 {
		if first, ok := result.Content[0].(mcp.TextContent); ok {
			text = first.Text
		}
	}
	return map[string]any{"text": text, "isError": result.IsError}, nil
}

func say(answer map[string]any) {
	line, err := json.Marshal(answer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}

func main() {
	ctx := context.Background()
	headers := transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + os.Args[2]})
	gate, err := client.NewStreamableHttpClient(os.Args[1], headers)
	if err != nil {
		log.Fatal(err)
	}
	if err := gate.Start(ctx); err != nil {
		log.Fatal(err)
	}
	begin := mcp.InitializeRequest{}
	begin.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	begin.Params.ClientInfo = mcp.Implementation{Name: "an agent", Version: "1"}
	if _, err := gate.Initialize(ctx, begin); err != nil {
		log.Fatal(err)
	}
	say(map[string]any{"ready": true})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		asked := request{}
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		answer, err := answerTo(ctx, gate, asked)
		if err != nil {
			log.Fatal(err)
		}
		say(answer)
	}
}
