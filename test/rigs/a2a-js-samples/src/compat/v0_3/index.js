export * from '@a2a-js/sdk/compat/v0_3';
