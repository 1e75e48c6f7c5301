// Generated from the OpenAPI document. Run npm run openapi to write it again.

/** A new key. Its text is shown only once */
export interface OperatorCreatedKey {
  /** The whole key */
  readonly key: string
}

/** Last results of checks of stored data */
export interface OperatorDoctor {
  /** Results */
  readonly results: readonly OperatorExamination[]
}

/** The change is stored */
export interface OperatorDone {
}

/** The last result of a check of stored data */
export interface OperatorExamination {
  /** Network or chain that was checked */
  readonly chain: string
  /** What was checked, such as `doctor` */
  readonly kind: string
  /** Time of its end, in Unix seconds */
  readonly finishedAt: number
  /** Duration in seconds */
  readonly seconds: number
  /** Whether the check ran to its end */
  readonly isComplete: boolean
  /** Number of problems that were found */
  readonly findingCount: number
  /** The first problems that were found */
  readonly findings: readonly string[]
}

/** An error */
export interface OperatorFailure {
  /** What happened, and what to do */
  readonly message: string
  /** Code of the error */
  readonly code: 'OPERATE_INPUT' | 'OPERATE_CALLER' | 'OPERATE_KEY' | 'OPERATE_TOKEN' | 'OPERATE_LINK' | 'OPERATE_SCOPE' | 'OPERATE_SITE' | 'OPERATE_ROUTE' | 'OPERATE_TOO_LARGE' | 'OPERATE_INTERNAL' | 'OPERATE_UNAVAILABLE'
  /** HTTP status */
  readonly statusCode: number
}

/** Progress of indexing */
export interface OperatorIndexing {
  /** Progress of each chain */
  readonly chains: readonly OperatorProgress[]
}

/** A stored API key */
export interface OperatorKey {
  /** Id of the key */
  readonly keyId: string
  /** First characters of the key */
  readonly hint: string
  /** Name of the key's holder */
  readonly name: string
  /** Scopes of the key */
  readonly scopes: readonly ('data' | 'metrics' | 'aggregate' | 'usage' | 'webhooks' | 'admin')[]
  /** Compute units per minute; absent for the default */
  readonly unitsPerMinute?: number | undefined
  /** Compute units per day; absent for the default */
  readonly unitsPerDay?: number | undefined
  /** Time of creation, in Unix seconds */
  readonly createdAt: number
  /** Time of revocation, in Unix seconds */
  readonly revokedAt?: number | undefined
}

/** API keys */
export interface OperatorKeys {
  /** Keys, the oldest first */
  readonly keys: readonly OperatorKey[]
}

/** A limit in force */
export interface OperatorLimit {
  /** Part of the service that has the limit */
  readonly service: string
  /** Callers to whom it applies */
  readonly callers: string
  /** What is limited */
  readonly limit: string
  /** The limit */
  readonly value: number
  /** Unit of the limit */
  readonly unit: string
}

/** A caller that exceeded a limit */
export interface OperatorLimitedCaller {
  /** Part of the service that has the limit */
  readonly service: string
  /** Address or name of the caller */
  readonly caller: string
  /** What is limited */
  readonly limit: string
  /** Number of refused requests since the start */
  readonly refusals: number
  /** Time of the first refusal, in Unix seconds */
  readonly firstAt: number
  /** Time of the last refusal, in Unix seconds */
  readonly lastAt: number
}

/** Limits and the callers that exceeded them */
export interface OperatorLimits {
  /** Limits in force */
  readonly limits: readonly OperatorLimit[]
  /** Callers that exceeded a limit, the latest first */
  readonly limited: readonly OperatorLimitedCaller[]
}

/** Lines of the log */
export interface OperatorLog {
  /** Lines, the oldest first */
  readonly lines: readonly OperatorLogLine[]
}

/** A line of the log */
export interface OperatorLogLine {
  /** Number of the line since the start */
  readonly sequence: number
  /** Time in milliseconds since 1970 */
  readonly time: number
  /** Level */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** Message */
  readonly message: string
  /** Facts by name. Secrets are removed */
  readonly facts: Readonly<Record<string, string>>
}

/** What a new key is for */
export interface OperatorNewKey {
  /** Name of the key's holder */
  readonly name: string
  /** Scopes of the key */
  readonly scopes: readonly ('data' | 'metrics' | 'aggregate' | 'usage' | 'webhooks' | 'admin')[]
  readonly unitsPerMinute?: number | undefined
  readonly unitsPerDay?: number | undefined
}

/** New scopes of a key */
export interface OperatorNewScopes {
  /** Scopes of the key */
  readonly scopes: readonly ('data' | 'metrics' | 'aggregate' | 'usage' | 'webhooks' | 'admin')[]
}

/** A connected peer */
export interface OperatorPeer {
  /** Part of the service that is connected, such as `aggregator` */
  readonly service: string
  /** Id of the node */
  readonly nodeId: string
  /** Address of the connection */
  readonly address: string
  /** Version that the peer announced */
  readonly version: string
  /** Weight in the Primary Network, in nAVAX as decimal text */
  readonly stake?: string | undefined
  /** Subnets that the peer tracks */
  readonly trackedSubnets: readonly string[]
  /** Time of the last message, in Unix seconds */
  readonly lastReceived: number
}

/** Connected peers */
export interface OperatorPeers {
  /** Connected peers */
  readonly peers: readonly OperatorPeer[]
  /** Connected validators of each followed subnet */
  readonly subnets: readonly OperatorSubnetPeers[]
}

/** Progress of indexing one chain */
export interface OperatorProgress {
  /** Name of the chain: P, X or C, or the chain id of an EVM chain in decimal */
  readonly chain: string
  /** Kind of the chain */
  readonly kind: 'primary' | 'evm'
  /** What the indexer of this process does, or `stored` if another process indexes */
  readonly phase: string
  /** Height of the last stored block, in decimal */
  readonly height?: string | undefined
  /** Time of the last stored block, in Unix seconds */
  readonly time?: number | undefined
  /** Height of the newest block that a source has reported, in decimal */
  readonly head?: string | undefined
  /** Number of blocks between the last stored one and the head, in decimal */
  readonly lag?: string | undefined
  /** Blocks indexed per second */
  readonly blocksPerSecond?: number | undefined
  /** Estimated seconds until the head is reached */
  readonly secondsLeft?: number | undefined
  /** Number of indexes that requests need and that are not built yet */
  readonly missingIndexes?: number | undefined
  /** Process that holds the lease, which is the only one that may write */
  readonly holder?: string | undefined
  /** Current problems */
  readonly problems: readonly string[]
}

/** The connected validators of a subnet */
export interface OperatorSubnetPeers {
  /** Part of the service that is connected, such as `aggregator` */
  readonly service: string
  /** Id of the subnet */
  readonly subnetId: string
  /** Number of validators */
  readonly validators: number
  /** Number of connected validators */
  readonly connectedValidators: number
  /** Weight of all validators, as decimal text */
  readonly weight: string
  /** Weight of the connected validators, as decimal text */
  readonly connectedWeight: string
}

/** A node or service to which requests are sent */
export interface OperatorUpstream {
  /** Part of the service that sends the requests, such as `firn_node` */
  readonly service: string
  /** Host and port */
  readonly upstream: string
  /** Whether the last request succeeded */
  readonly isHealthy: boolean
  /** Number of requests since the start */
  readonly requests: number
  /** Number of failed requests since the start */
  readonly failures: number
  /** Mean time of the latest requests, in milliseconds */
  readonly meanMilliseconds: number
  /** Time of the last success, in Unix seconds */
  readonly lastSuccess?: number | undefined
  /** Time of the last failure, in Unix seconds */
  readonly lastFailure?: number | undefined
  /** The last failure */
  readonly lastError?: string | undefined
}

/** Nodes and services to which requests are sent */
export interface OperatorUpstreams {
  /** Nodes and services */
  readonly upstreams: readonly OperatorUpstream[]
}

/** Requests with one key to one method */
export interface OperatorUsage {
  /** Part of the service that was called */
  readonly service: string
  /** Name of the key or token; empty for requests without one */
  readonly key: string
  /** Method, or path of the endpoint */
  readonly method: string
  /** Number of requests */
  readonly requests: number
  /** Number of requests with an error */
  readonly errors: number
  /** Compute units or credits of the requests */
  readonly units: number
}

/** Requests by key and method */
export interface OperatorUsages {
  /** Requests by key and method */
  readonly usage: readonly OperatorUsage[]
}

