module holdpoint.dev/receipt

go 1.21
