import { type TSchema, Type } from 'typebox'
import * as Shapes from './Shapes.ts'

/** Manages the stored API keys. */
export interface KeyStore {
  list(): Promise<readonly Shapes.Key[]>
  /** Creates a key and returns its whole text. */
  create(key: Shapes.NewKey): Promise<string>
  /** Replaces the scopes of the key with this id. @throws HttpError `HTTP_KEY` */
  setScopes(keyId: string, scopes: Shapes.NewKey['scopes']): Promise<void>
  /** Revokes the key with this id. @throws HttpError `HTTP_KEY` */
  revoke(keyId: string): Promise<void>
}

/** The data that a service has for operators. Endpoints of absent parts answer 404, and their pages are not offered. */
export interface Parts {
  readonly indexing?: (() => Promise<readonly Shapes.Progress[]>) | undefined
  readonly doctor?: (() => Promise<readonly Shapes.Examination[]>) | undefined
  readonly peers?: (() => Promise<PeerReport>) | undefined
  readonly upstreams?: (() => readonly Shapes.Upstream[]) | undefined
  readonly limits?: (() => LimitReport) | undefined
  readonly usage?: (() => Promise<readonly Shapes.Usage[]>) | undefined
  readonly keys?: KeyStore | undefined
  readonly log?: ((query: LogQuery) => readonly Shapes.LogLine[]) | undefined
}

export interface PeerReport {
  readonly peers: readonly Shapes.Peer[]
  readonly subnets: readonly Shapes.SubnetPeers[]
}

export interface LimitReport {
  readonly limits: readonly Shapes.Limit[]
  readonly limited: readonly Shapes.LimitedCaller[]
}

export interface LogQuery {
  readonly level: Shapes.Level
  readonly limit: number
}

/** Names of the parts, in the order of the pages. */
export type PartName = keyof Parts

/** A request whose access, parameters and body were checked. */
export interface Call {
  readonly keyId: string
  readonly query: LogQuery
  readonly body: unknown
}

/** An endpoint: how it is documented, and how it is answered from a part. */
export interface Endpoint<P extends PartName = PartName> {
  readonly part: P
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** Schemas of the parameters in the query. */
  readonly query?: Readonly<Record<string, TSchema>>
  readonly body?: TSchema
  readonly response: TSchema
  handle(part: NonNullable<Parts[P]>, call: Call): unknown
}

const define = <P extends PartName>(endpoint: Endpoint<P>) => endpoint as Endpoint

const { answer, listOf } = Shapes
const DONE = answer('OperatorDone', 'The change is stored', {})

/** Number of lines of the log that are sent by default. */
const LINES = 200

/** All endpoints for operators. */
export const ENDPOINTS: readonly Endpoint[] = [
  define({
    part: 'indexing',
    method: 'GET',
    path: '/operate/indexing',
    operationId: 'getIndexing',
    summary: 'Progress, lag and problems of indexing, by chain',
    response: answer('OperatorIndexing', 'Progress of indexing', {
      chains: listOf(Shapes.Progress, 'Progress of each chain'),
    }),
    handle: async (part) => ({ chains: await part() }),
  }),
  define({
    part: 'doctor',
    method: 'GET',
    path: '/operate/doctor',
    operationId: 'getDoctor',
    summary: 'Last results of firn doctor',
    response: answer('OperatorDoctor', 'Last results of checks of stored data', {
      results: listOf(Shapes.Examination, 'Results'),
    }),
    handle: async (part) => ({ results: await part() }),
  }),
  define({
    part: 'peers',
    method: 'GET',
    path: '/operate/peers',
    operationId: 'getPeers',
    summary: 'Connected peers, and connected weight by subnet',
    response: answer('OperatorPeers', 'Connected peers', {
      peers: listOf(Shapes.Peer, 'Connected peers'),
      subnets: listOf(Shapes.SubnetPeers, 'Connected validators of each followed subnet'),
    }),
    handle: (part) => part(),
  }),
  define({
    part: 'upstreams',
    method: 'GET',
    path: '/operate/upstreams',
    operationId: 'getUpstreams',
    summary: 'Health, latency and errors of the nodes to which requests are sent',
    response: answer('OperatorUpstreams', 'Nodes and services to which requests are sent', {
      upstreams: listOf(Shapes.Upstream, 'Nodes and services'),
    }),
    handle: (part) => ({ upstreams: part() }),
  }),
  define({
    part: 'limits',
    method: 'GET',
    path: '/operate/limits',
    operationId: 'getLimits',
    summary: 'Limits in force, and callers that exceeded them',
    response: answer('OperatorLimits', 'Limits and the callers that exceeded them', {
      limits: listOf(Shapes.Limit, 'Limits in force'),
      limited: listOf(Shapes.LimitedCaller, 'Callers that exceeded a limit, the latest first'),
    }),
    handle: (part) => part(),
  }),
  define({
    part: 'usage',
    method: 'GET',
    path: '/operate/usage',
    operationId: 'getUsage',
    summary:
      'Requests of the last day by key and method; for the REST API, requests since the start of the process',
    response: answer('OperatorUsages', 'Requests by key and method', {
      usage: listOf(Shapes.Usage, 'Requests by key and method'),
    }),
    handle: async (part) => ({ usage: await part() }),
  }),
  define({
    part: 'keys',
    method: 'GET',
    path: '/operate/keys',
    operationId: 'listKeys',
    summary: 'API keys, with the revoked ones',
    response: answer('OperatorKeys', 'API keys', { keys: listOf(Shapes.Key, 'Keys, the oldest first') }),
    handle: async (part) => ({ keys: await part.list() }),
  }),
  define({
    part: 'keys',
    method: 'POST',
    path: '/operate/keys',
    operationId: 'createKey',
    summary: 'Create an API key. Its text is in this answer only',
    body: Shapes.NewKey,
    response: Shapes.CreatedKey,
    handle: async (part, { body }) => ({ key: await part.create(body as Shapes.NewKey) }),
  }),
  define({
    part: 'keys',
    method: 'POST',
    path: '/operate/keys/{keyId}/scopes',
    operationId: 'setKeyScopes',
    summary: 'Replace the scopes of an API key',
    body: Shapes.NewScopes,
    response: DONE,
    handle: async (part, { keyId, body }) => {
      await part.setScopes(keyId, (body as Shapes.NewKey).scopes)
      return {}
    },
  }),
  define({
    part: 'keys',
    method: 'POST',
    path: '/operate/keys/{keyId}/revoke',
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    response: DONE,
    handle: async (part, { keyId }) => {
      await part.revoke(keyId)
      return {}
    },
  }),
  define({
    part: 'log',
    method: 'GET',
    path: '/operate/log',
    operationId: 'getLog',
    summary: 'The newest lines of the log of this process',
    query: {
      level: Type.Optional(
        Type.Enum([...Shapes.LEVELS], { type: 'string', description: 'Lowest level', default: 'info' }),
      ),
      limit: Type.Optional(
        Type.Integer({ description: 'Number of lines', minimum: 1, maximum: 1_000, default: LINES }),
      ),
    },
    response: answer('OperatorLog', 'Lines of the log', {
      lines: listOf(Shapes.LogLine, 'Lines, the oldest first'),
    }),
    handle: (part, { query }) => ({ lines: part(query) }),
  }),
]
