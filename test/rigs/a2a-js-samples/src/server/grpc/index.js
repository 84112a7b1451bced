export * from '@a2a-js/sdk/server/grpc';
