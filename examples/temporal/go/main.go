// The worker of an example: go run .
package main

import (
	"cmp"
	"fmt"
	"log"
	"os"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

func main() {
	temporal, err := client.Dial(client.Options{HostPort: cmp.Or(os.Getenv("TEMPORAL_ADDRESS"), "127.0.0.1:7233")})
	if err != nil {
		log.Fatal(err)
	}
	defer temporal.Close()
	payments := worker.New(temporal, "payments-go", worker.Options{})
	payments.RegisterWorkflowWithOptions(PayInvoice, workflow.RegisterOptions{Name: "payInvoice"})
	payments.RegisterActivity(Pay)
	if err := payments.Start(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	<-worker.InterruptCh()
	payments.Stop()
}
