import { ApiKey } from '@firn/http'
import { type Static, type TSchema, Type } from 'typebox'

const text = (description: string) => Type.String({ description })
const whole = (description: string) => Type.Integer({ description })
const number = (description: string) => Type.Number({ description })
const flag = (description: string) => Type.Boolean({ description })
const list = <T extends TSchema>(items: T, description: string) => Type.Array(items, { description })
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const object = <const Members extends Readonly<Record<string, TSchema>>>(
  title: string,
  description: string,
  members: Members,
) => Type.Object({ ...members }, { title, description })

const SCOPES = Type.Array(Type.Enum([...ApiKey.SCOPES], { type: 'string' }), {
  description: 'Scopes of the key',
  minItems: 1,
})

/** Progress of indexing one chain. */
export const Progress = object('OperatorProgress', 'Progress of indexing one chain', {
  chain: text('Name of the chain: P, X or C, or the chain id of an EVM chain in decimal'),
  kind: Type.Enum(['primary', 'evm'], { type: 'string', description: 'Kind of the chain' }),
  phase: text('What the indexer of this process does, or `stored` if another process indexes'),
  height: optional(text('Height of the last stored block, in decimal')),
  time: optional(whole('Time of the last stored block, in Unix seconds')),
  head: optional(text('Height of the newest block that a source has reported, in decimal')),
  lag: optional(text('Number of blocks between the last stored one and the head, in decimal')),
  blocksPerSecond: optional(number('Blocks indexed per second')),
  secondsLeft: optional(number('Estimated seconds until the head is reached')),
  missingIndexes: optional(whole('Number of indexes that requests need and that are not built yet')),
  holder: optional(text('Process that holds the lease, which is the only one that may write')),
  problems: list(text('Problem'), 'Current problems'),
})
export type Progress = Static<typeof Progress>

/** The last result of the doctor for one database schema. */
export const Examination = object('OperatorExamination', 'The last result of a check of stored data', {
  chain: text('Network or chain that was checked'),
  kind: text('What was checked, such as `doctor`'),
  finishedAt: whole('Time of its end, in Unix seconds'),
  seconds: number('Duration in seconds'),
  isComplete: flag('Whether the check ran to its end'),
  findingCount: whole('Number of problems that were found'),
  findings: list(text('Problem'), 'The first problems that were found'),
})
export type Examination = Static<typeof Examination>

/** A connected peer. */
export const Peer = object('OperatorPeer', 'A connected peer', {
  service: text('Part of the service that is connected, such as `aggregator`'),
  nodeId: text('Id of the node'),
  address: text('Address of the connection'),
  version: text('Version that the peer announced'),
  stake: optional(text('Weight in the Primary Network, in nAVAX as decimal text')),
  trackedSubnets: list(text('Id of a subnet'), 'Subnets that the peer tracks'),
  lastReceived: whole('Time of the last message, in Unix seconds'),
})
export type Peer = Static<typeof Peer>

/** The connected weight of a subnet. */
export const SubnetPeers = object('OperatorSubnetPeers', 'The connected validators of a subnet', {
  service: text('Part of the service that is connected, such as `aggregator`'),
  subnetId: text('Id of the subnet'),
  validators: whole('Number of validators'),
  connectedValidators: whole('Number of connected validators'),
  weight: text('Weight of all validators, as decimal text'),
  connectedWeight: text('Weight of the connected validators, as decimal text'),
})
export type SubnetPeers = Static<typeof SubnetPeers>

/** A node to which requests are sent. */
export const Upstream = object('OperatorUpstream', 'A node or service to which requests are sent', {
  service: text('Part of the service that sends the requests, such as `firn_node`'),
  upstream: text('Host and port'),
  isHealthy: flag('Whether the last request succeeded'),
  requests: whole('Number of requests since the start'),
  failures: whole('Number of failed requests since the start'),
  meanMilliseconds: number('Mean time of the latest requests, in milliseconds'),
  lastSuccess: optional(whole('Time of the last success, in Unix seconds')),
  lastFailure: optional(whole('Time of the last failure, in Unix seconds')),
  lastError: optional(text('The last failure')),
})
export type Upstream = Static<typeof Upstream>

/** A limit in force. */
export const Limit = object('OperatorLimit', 'A limit in force', {
  service: text('Part of the service that has the limit'),
  callers: text('Callers to whom it applies'),
  limit: text('What is limited'),
  value: number('The limit'),
  unit: text('Unit of the limit'),
})
export type Limit = Static<typeof Limit>

/** A caller that exceeded a limit. */
export const LimitedCaller = object('OperatorLimitedCaller', 'A caller that exceeded a limit', {
  service: text('Part of the service that has the limit'),
  caller: text('Address or name of the caller'),
  limit: text('What is limited'),
  refusals: whole('Number of refused requests since the start'),
  firstAt: whole('Time of the first refusal, in Unix seconds'),
  lastAt: whole('Time of the last refusal, in Unix seconds'),
})
export type LimitedCaller = Static<typeof LimitedCaller>

/** Requests of one caller to one method. */
export const Usage = object('OperatorUsage', 'Requests with one key to one method', {
  service: text('Part of the service that was called'),
  key: text('Name of the key or token; empty for requests without one'),
  method: text('Method, or path of the endpoint'),
  requests: whole('Number of requests'),
  errors: whole('Number of requests with an error'),
  units: whole('Compute units or credits of the requests'),
})
export type Usage = Static<typeof Usage>

/** A stored API key. */
export const Key = object('OperatorKey', 'A stored API key', {
  keyId: text('Id of the key'),
  hint: text('First characters of the key'),
  name: text("Name of the key's holder"),
  scopes: SCOPES,
  unitsPerMinute: optional(whole('Compute units per minute; absent for the default')),
  unitsPerDay: optional(whole('Compute units per day; absent for the default')),
  createdAt: whole('Time of creation, in Unix seconds'),
  revokedAt: optional(whole('Time of revocation, in Unix seconds')),
})
export type Key = Static<typeof Key>

/** What a new key is for. */
export const NewKey = Type.Object(
  {
    name: Type.String({
      description: "Name of the key's holder",
      minLength: 1,
      maxLength: 100,
      'x-expected': 'text of 1 to 100 characters',
    }),
    scopes: SCOPES,
    unitsPerMinute: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999 })),
    unitsPerDay: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999 })),
  },
  { title: 'OperatorNewKey', description: 'What a new key is for', additionalProperties: false },
)
export type NewKey = Static<typeof NewKey>

/** New scopes of a key. */
export const NewScopes = Type.Object(
  { scopes: SCOPES },
  { title: 'OperatorNewScopes', description: 'New scopes of a key', additionalProperties: false },
)

/** A new key with its secret. */
export const CreatedKey = object('OperatorCreatedKey', 'A new key. Its text is shown only once', {
  key: text('The whole key'),
})
export type CreatedKey = Static<typeof CreatedKey>

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]

/** A line of the log. */
export const LogLine = object('OperatorLogLine', 'A line of the log', {
  sequence: whole('Number of the line since the start'),
  time: number('Time in milliseconds since 1970'),
  level: Type.Enum([...LEVELS], { type: 'string', description: 'Level' }),
  message: text('Message'),
  facts: Type.Record(Type.String(), Type.String(), { description: 'Facts by name. Secrets are removed' }),
})
export type LogLine = Static<typeof LogLine>

/** Returns the schema of an answer with lists. */
export const answer = object
/** Returns the schema of a list. */
export const listOf = list
