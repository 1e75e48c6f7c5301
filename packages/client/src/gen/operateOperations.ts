// Generated from the OpenAPI document. Run npm run openapi to write it again.

import type { Operation } from '../Operation.ts'
import type { CallOptions } from '../Request.ts'
import type {
  OperatorCreatedKey,
  OperatorDoctor,
  OperatorDone,
  OperatorIndexing,
  OperatorKeys,
  OperatorLimits,
  OperatorLog,
  OperatorPeers,
  OperatorUpstreams,
  OperatorUsages,
} from './operateSchemas.ts'

/** Parameters of `createKey`: create an API key. Its text is in this answer only. */
export interface CreateKeyParameters {
  /** Name of the key's holder */
  readonly name: string
  /** Scopes of the key */
  readonly scopes: readonly ('data' | 'metrics' | 'aggregate' | 'usage' | 'webhooks' | 'admin')[]
  readonly unitsPerMinute?: number | undefined
  readonly unitsPerDay?: number | undefined
}

/** Parameters of `setKeyScopes`: replace the scopes of an API key. */
export interface SetKeyScopesParameters {
  /** Id of the key */
  readonly keyId: string
  /** Scopes of the key */
  readonly scopes: readonly ('data' | 'metrics' | 'aggregate' | 'usage' | 'webhooks' | 'admin')[]
}

/** Parameters of `revokeKey`: revoke an API key. */
export interface RevokeKeyParameters {
  /** Id of the key */
  readonly keyId: string
}

/** Parameters of `getLog`: the newest lines of the log of this process. */
export interface GetLogParameters {
  /** Lowest level */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | undefined
  /** Number of lines */
  readonly limit?: number | undefined
}

/** Operations of the group `operate`. */
export interface OperateOperations {
  /** Progress, lag and problems of indexing, by chain. */
  getIndexing(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorIndexing>
  /** Last results of firn doctor. */
  getDoctor(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorDoctor>
  /** Connected peers, and connected weight by subnet. */
  getPeers(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorPeers>
  /** Health, latency and errors of the nodes to which requests are sent. */
  getUpstreams(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorUpstreams>
  /** Limits in force, and callers that exceeded them. */
  getLimits(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorLimits>
  /** Requests of the last day by key and method; for the REST API, requests since the start of the process. */
  getUsage(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorUsages>
  /** API keys, with the revoked ones. */
  listKeys(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorKeys>
  /** Create an API key. Its text is in this answer only. */
  createKey(parameters: CreateKeyParameters, options?: CallOptions): Promise<OperatorCreatedKey>
  /** Replace the scopes of an API key. */
  setKeyScopes(parameters: SetKeyScopesParameters, options?: CallOptions): Promise<OperatorDone>
  /** Revoke an API key. */
  revokeKey(parameters: RevokeKeyParameters, options?: CallOptions): Promise<OperatorDone>
  /** The newest lines of the log of this process. */
  getLog(parameters?: GetLogParameters, options?: CallOptions): Promise<OperatorLog>
}

/** All operations by group. */
export interface Operations {
  readonly operate: OperateOperations
}

/** How each operation is sent. */
export const OPERATIONS = {
  operate: {
    getIndexing: { path: '/operate/indexing' },
    getDoctor: { path: '/operate/doctor' },
    getPeers: { path: '/operate/peers' },
    getUpstreams: { path: '/operate/upstreams' },
    getLimits: { path: '/operate/limits' },
    getUsage: { path: '/operate/usage' },
    listKeys: { path: '/operate/keys' },
    createKey: { path: '/operate/keys', method: 'POST', body: ["name","scopes","unitsPerMinute","unitsPerDay"] },
    setKeyScopes: { path: '/operate/keys/{keyId}/scopes', method: 'POST', body: ["scopes"] },
    revokeKey: { path: '/operate/keys/{keyId}/revoke', method: 'POST' },
    getLog: { path: '/operate/log' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Operation>>>>
