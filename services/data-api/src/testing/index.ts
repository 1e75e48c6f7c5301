/** Helpers for tests of other packages. */
export { all, client } from './client.ts'
export { compareEvm } from './compareEvm.ts'
export { type Documented, documented } from './document.ts'
export { createEvm } from './serveEvm.ts'
export * as WebhookModel from './WebhookModel.ts'
