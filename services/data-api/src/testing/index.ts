/** Helpers for tests of other packages. */
export { createReader, runChecks } from './agreement/Checks.ts'
export { CHAIN_CHECKS } from './agreement/table.ts'
export { EVENT_CHECKS } from './agreement/tokenChecks.ts'
export { all, client } from './client.ts'
export { type Documented, documented } from './document.ts'
export { createEvm } from './serveEvm.ts'
export * as WebhookModel from './WebhookModel.ts'
