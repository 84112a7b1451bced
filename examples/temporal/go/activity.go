package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
)

// Payment is what the activity pays.
type Payment struct {
	Invoice string  `json:"invoice"`
	Amount  float64 `json:"amount"`
}

// Pay writes a line for each payment.
func Pay(_ context.Context, payment Payment) (string, error) {
	path := cmp.Or(os.Getenv("PAYMENTS"), "payments.txt")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := fmt.Fprintf(file, "%s %g\n", payment.Invoice, payment.Amount); err != nil {
		return "", err
	}
	return fmt.Sprintf("paid %g", payment.Amount), nil
}
