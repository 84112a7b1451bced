package main

import (
	"cmp"
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"standfast.example/payments/standfast"
)

var (
	finance = standfast.Asked{Policy: "finance"}
	people  = workflow.NewNexusClient("standfast", standfast.Service)
	week    = workflow.NexusOperationOptions{ScheduleToCloseTimeout: 7 * 24 * time.Hour}
	minute  = workflow.ActivityOptions{StartToCloseTimeout: time.Minute}
)

// PayInvoice pays only what a person approved. It holds no slot and polls nothing while they think.
func PayInvoice(ctx workflow.Context, args Payment) (paid string, err error) {
	question := standfast.ApproveInput{Tool: "pay", Args: args, Why: fmt.Sprintf("Invoice %s is due.", args.Invoice), Asked: finance}
	var answer standfast.AskReply
	if err = people.ExecuteOperation(ctx, standfast.Approve, question, week).Get(ctx, &answer); !answer.Approved {
		return "not paid: " + cmp.Or(answer.Reason, answer.Status), err
	}
	err = workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, minute), Pay, args).Get(ctx, &paid)
	return paid, err
}
