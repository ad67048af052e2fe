/** One place to import the client of a running n8n from. Every call takes the session that `signIn` gives. */
export * from './client/api.mts';
export * from './client/credentials.mts';
export * from './client/data-tables.mts';
export * from './client/executions.mts';
export * from './client/forms.mts';
export * from './client/node-parameters.mts';
export * from './client/session.mts';
export * from './client/webhooks.mts';
export * from './client/workflows.mts';
