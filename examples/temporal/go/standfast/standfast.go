// Package standfast is the Nexus service of Standfast's worker, for workflows on Temporal's Go SDK: names and types,
// and no code. Copy this file.
package standfast

import "github.com/nexus-rpc/sdk-go/nexus"

// Service is the name for workflow.NewNexusClient("standfast", standfast.Service).
const Service = "standfast"

// The operations of the service; each ends once its question has.
var (
	Ask     = nexus.NewOperationReference[AskInput, AskReply]("ask")
	Approve = nexus.NewOperationReference[ApproveInput, AskReply]("approve")
)

// Asked is what every question takes.
type Asked struct {
	// ID names the question within the asking workflow: the same again waits for the same answer.
	ID    string `json:"id,omitempty"`
	Title string `json:"title,omitempty"`
	// Policy is one that the configuration lets this caller name.
	Policy string `json:"policy,omitempty"`
	// Risk is how risky it is, in one line; Reasoning why it is asked, at length.
	Risk      string `json:"risk,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	Links     []Link `json:"links,omitempty"`
	// ExpireAfter is a deadline of its own ("30m").
	ExpireAfter string `json:"expireAfter,omitempty"`
}

// Link is a web address that people see with the question.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// AskInput is a question. Schema is a JSON Schema of type object; without one the answer is Values["text"].
type AskInput struct {
	Asked
	Message  string         `json:"message"`
	Schema   map[string]any `json:"schema,omitempty"`
	Defaults map[string]any `json:"defaults,omitempty"`
}

// ApproveInput is a tool call, or a step, to approve. Where it is Editable, call with the Args of the answer.
type ApproveInput struct {
	Asked
	Tool     string `json:"tool"`
	Args     any    `json:"args,omitempty"`
	Editable bool   `json:"editable,omitempty"`
	Why      string `json:"why,omitempty"`
}

// AskReply is what became of a question. Approved is true for a plain yes alone.
type AskReply struct {
	ID string `json:"id"`
	// Version says which question under its id this is about, from 1.
	Version int `json:"version"`
	// Status is answered, declined, expired, withdrawn or cancelled.
	Status    string         `json:"status"`
	HoldID    string         `json:"holdId"`
	Link      string         `json:"link"`
	ExpiresAt string         `json:"expiresAt"`
	Values    map[string]any `json:"values"`
	// Verdict is yes, no or answered; empty: there is no answer.
	Verdict  string         `json:"verdict"`
	Approved bool           `json:"approved"`
	Args     map[string]any `json:"args"`
	By       string         `json:"by"`
	Reason   string         `json:"reason"`
	Assumed  bool           `json:"assumed"`
	// Receipt is signed proof (JWS), where the policy gives one.
	Receipt string `json:"receipt"`
}
