/** The OpenRPC document of a node's APIs. */
export type { JsonSchema } from './JsonSchema.ts'
export { createOpenRpc, type OpenRpcDocument, type OpenRpcMethod, type OpenRpcOptions } from './OpenRpc.ts'
