module standfast.dev/receipt

go 1.21
