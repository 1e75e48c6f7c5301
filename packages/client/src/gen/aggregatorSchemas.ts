// Generated from the OpenAPI document. Run npm run openapi to write it again.

/** A new job */
export interface AcceptedJob {
  /** Id of the job */
  readonly jobId: string
  /** Path of the job */
  readonly location: string
}

/** A reason why the message may not verify later */
export interface AggregationWarning {
  /** Kind of the warning: no-epoch, no-destination, epoch-over, weight-leaving, quorum-at-risk, candidate-not-signed, invalid-later or heights-unknown */
  readonly code: string
  /** The warning in words */
  readonly message: string
}

/** An error */
export interface AggregatorFailure {
  /** What happened, and what to do */
  readonly message: string
  /** Reason phrase of the status */
  readonly error: string
  /** HTTP status */
  readonly statusCode: number
  readonly report?: SignatureReport | undefined
}

/** Messages to sign */
export interface BatchRequest {
  /** Requests, each as for a single message */
  readonly messages: readonly SignatureAggregatorRequest[]
}

/** Results for several messages */
export interface BatchResponse {
  /** One result for each message, in order: either signedMessage, or message, error and statusCode */
  readonly results: readonly BatchResult[]
}

/** Result for one message */
export interface BatchResult {
  /** Id of the unsigned message in hex; absent if it is not known */
  readonly messageId?: string | undefined
  /** Unsigned message in hex without 0x; only if the request names a source chain */
  readonly unsignedMessage?: string | undefined
  /** Hash of the transaction that sent the message */
  readonly transactionHash?: string | undefined
  /** Index of the log of the message in its block */
  readonly logIndex?: number | undefined
  /** Number of the block */
  readonly blockNumber?: number | undefined
  /** Signed Warp message in hex without 0x */
  readonly signedMessage?: string | undefined
  readonly report?: SignatureReport | undefined
  readonly proof?: ValidatorSetProof | undefined
  /** Id of the chain that is to verify the message */
  readonly destinationChain?: string | undefined
  /** Current epoch of the destination; null if it has no epochs */
  readonly epoch?: Epoch | null | undefined
  /** One signed message for each height that the destination may use, current epoch first */
  readonly signedMessages?: readonly DestinationSignedMessage[] | undefined
  /** Unix seconds; no earlier block of the destination uses the height */
  readonly notBefore?: number | undefined
  /** Unix seconds; the destination uses no later height before this time, and may still use this one after it */
  readonly earliestExpiry?: number | undefined
  /** Reasons why the message may not verify later */
  readonly warnings?: readonly AggregationWarning[] | undefined
  /** What happened, and what to do */
  readonly message?: string | undefined
  /** Reason phrase of the status */
  readonly error?: string | undefined
  /** HTTP status */
  readonly statusCode?: number | undefined
}

/** A message that is signed for a range of heights */
export interface DestinationSignedMessage {
  /** First P-chain height at which the message verifies, as a decimal number */
  readonly pChainHeight: string
  /** Last P-chain height at which the message is known to verify, as a decimal number */
  readonly lastPChainHeight: string
  /** Signed Warp message in hex without 0x */
  readonly signedMessage: string
  /** Weight of the validators that have signed, as a decimal number */
  readonly signedWeight: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Unix seconds; no earlier block of the destination uses the height */
  readonly notBefore?: number | undefined
  /** Unix seconds; the destination uses no later height before this time, and may still use this one after it */
  readonly earliestExpiry?: number | undefined
}

/** Epoch of a chain */
export interface Epoch {
  /** Number of the epoch, as a decimal number */
  readonly number: string
  /** Start of the epoch in Unix seconds */
  readonly startTime: number
  /** Minimum length of an epoch in seconds */
  readonly durationSeconds: number
  /** P-chain height of the validator sets in this epoch, as a decimal number */
  readonly pChainHeight: string
}

/** An error */
export interface GoFailure {
  /** The text of the Go service */
  readonly error: string
}

/** A message to sign */
export interface GoSignatureRequest {
  /** Unsigned Warp message, or the data of its SendWarpMessage event; hex, 0x optional */
  readonly message?: string | undefined
  /** Proof that P-chain validators require; without a message, it implies the P-chain message that it justifies; hex, 0x optional */
  readonly justification?: string | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly 'signing-subnet-id'?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly 'quorum-percentage'?: number | undefined
  /** Percentage to collect beyond the quorum, in case the validator set changes; quorum and buffer together are at most 100 */
  readonly 'quorum-percentage-buffer'?: number | undefined
  /** P-chain height of the validator set; 0 means the proposed height */
  readonly 'pchain-height'?: number | undefined
  /** P-chain height of the validator set; 0 means the proposed height */
  readonly 'p-chain-height'?: number | undefined
}

/** A signed message */
export interface GoSignedMessage {
  /** Signed Warp message in hex without 0x */
  readonly 'signed-message': string
}

/** Health of the service */
export interface Health {
  /** Whether signatures can be collected now */
  readonly status: 'up' | 'down'
  /** What is wrong; empty if nothing is */
  readonly problems: readonly string[]
  /** Name of the network */
  readonly network: string
  /** Id of the network */
  readonly networkId: number
  readonly upstream: UpstreamHealth
  readonly sync?: LedgerSync | undefined
  readonly messageLog?: MessageLogHealth | undefined
  /** Subnets that the service is connected to */
  readonly subnets: readonly SubnetHealth[]
}

/** A job */
export interface Job {
  /** Id of the job */
  readonly jobId: string
  /** State: running, done or failed */
  readonly state: string
  /** Time at which the job was created, ISO 8601 in UTC */
  readonly createdAt: string
  /** Time at which the job ended, ISO 8601 in UTC */
  readonly finishedAt?: string | undefined
  readonly progress?: JobProgress | undefined
  readonly result?: JobResult | undefined
  readonly error?: AggregatorFailure | undefined
}

/** Progress of a job */
export interface JobProgress {
  /** Number of messages; 0 while they are not known yet */
  readonly messages: number
  /** Number of signed messages */
  readonly signed: number
  /** Number of failed messages */
  readonly failed: number
  /** Messages in their order */
  readonly current: readonly MessageProgress[]
}

/** Response of the synchronous route */
export interface JobResult {
}

/** How far the P-chain is synced, if validator sets come from its own ledger instead of node APIs */
export interface LedgerSync {
  /** Phase of the sync */
  readonly phase: string
  /** P-chain height that is stored, as a decimal number */
  readonly height?: string | undefined
  /** P-chain height of the network, as a decimal number */
  readonly tip?: string | undefined
  /** Blocks that are stored per second */
  readonly blocksPerSecond: number
  /** Estimated seconds until the tip is reached */
  readonly secondsLeft?: number | undefined
  /** Number of peers that blocks come from */
  readonly peers?: number | undefined
}

/** A page of messages */
export interface ListMessagesResponse {
  /** Messages, newest first */
  readonly messages: readonly WarpMessage[]
  /** Token of the next page; absent on the last page */
  readonly nextPageToken?: string | undefined
}

/** The states of several subnets */
export interface ListQuorumsResponse {
  /** Subnets to whose validators this service connects */
  readonly subnets: readonly QuorumSummary[]
}

/** State of the database of --database-url; while it is degraded, signatures are collected without it */
export interface MessageLogHealth {
  /** Whether the database responds */
  readonly status: 'up' | 'degraded'
  /** What is wrong */
  readonly problem?: string | undefined
}

/** Progress of one message */
export interface MessageProgress {
  /** Place of the message in the batch; 0 for a single message */
  readonly index: number
  /** Id of the unsigned message in hex, once it is known */
  readonly messageId?: string | undefined
  /** State: waiting, collecting, signed or failed */
  readonly state: string
  /** Weight of the validators that have signed so far, as a decimal number */
  readonly collectedWeight?: string | undefined
  /** Weight that the quorum requires, as a decimal number */
  readonly neededWeight?: string | undefined
  /** Weight of all validators, as a decimal number */
  readonly totalWeight?: string | undefined
  /** Validators that have signed; only for a single message */
  readonly signed?: readonly ProgressSigner[] | undefined
  /** Validators that have not signed, with the latest reason; they may be queried again; only for a single message */
  readonly failing?: readonly ProgressFailure[] | undefined
}

/** Signatures or a signed message of others */
export interface MessageSubmission {
  /** Unsigned Warp message, or the data of its SendWarpMessage event; hex, 0x optional */
  readonly message?: string | undefined
  /** Signatures of the message */
  readonly signatures?: readonly SubmittedSignature[] | undefined
  /** Signed Warp message, as an alternative to message and signatures; hex */
  readonly signedMessage?: string | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly quorumPercentage?: number | undefined
  /** P-chain height of the validator set; 0 means the proposed height */
  readonly pChainHeight?: number | undefined
}

/** A validator that has not signed */
export interface ProgressFailure {
  /** NodeIDs of the validator; several nodes can have one BLS key */
  readonly nodeIds: readonly string[]
  /** Weight of the validator, as a decimal number */
  readonly weight: string
  /** Latest reason, as in the report */
  readonly outcome: string
  /** Code of the application error that the validator sent */
  readonly code?: number | undefined
  /** Text of the application error that the validator sent */
  readonly text?: string | undefined
  /** Instance of the aggregator of the same fleet that has received the answer */
  readonly reportedBy?: string | undefined
}

/** A validator that has signed */
export interface ProgressSigner {
  /** NodeIDs of the validator; several nodes can have one BLS key */
  readonly nodeIds: readonly string[]
  /** Weight of the validator, as a decimal number */
  readonly weight: string
}

/** A validator that can sign */
export interface ProofValidator {
  /** BLS public key in hex (48 bytes, compressed) */
  readonly publicKey: string
  /** Weight of the validator, as a decimal number */
  readonly weight: string
  /** NodeIDs of the validator; several nodes can have one BLS key */
  readonly nodeIDs: readonly string[]
}

/** Whether the validators of a subnet can reach a quorum */
export interface Quorum {
  /** Id of the subnet */
  readonly subnetId: string
  /** P-chain height of the validator set, as a decimal number */
  readonly pChainHeight: string
  /** Percentage of the weight that must sign */
  readonly quorumPercentage: number
  /** Whether the quorum can be reached */
  readonly status: 'ok' | 'at-risk' | 'no-quorum'
  /** The risk in words; none if no risk is known */
  readonly risk: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Weight that the quorum requires, as a decimal number */
  readonly neededWeight: string
  /** Weight of the connected validators, as a decimal number */
  readonly connectedWeight: string
  /** Weight of the connected validators without a recent failure, as a decimal number */
  readonly answeringWeight: string
  /** Weight of the connected validators that were recently silent or sent a wrong signature, as a decimal number */
  readonly failingWeight: string
  /** Weight of the validators that are not connected, as a decimal number */
  readonly disconnectedWeight: string
  /** Weight of inactive L1 validators and of validators without a BLS key, as a decimal number */
  readonly cannotSignWeight: string
  /** Answering weight minus needed weight; negative if the quorum cannot be reached now, as a decimal number */
  readonly marginWeight: string
  /** Margin in percent of the total weight */
  readonly marginPercentage: number
  /** The next known changes of the set, at most 10; L1 balances at the current fee */
  readonly nextChanges: readonly SetChange[]
  /** What is not taken into account, because it is unknown */
  readonly unknown: readonly string[]
  /** Validators of the subnet */
  readonly validators: readonly QuorumValidator[]
}

/** Whether the validators of a subnet can reach a quorum now */
export interface QuorumSummary {
  /** Id of the subnet */
  readonly subnetId: string
  /** P-chain height of the validator set, as a decimal number */
  readonly pChainHeight: string
  /** Percentage of the weight that must sign */
  readonly quorumPercentage: number
  /** Whether the quorum can be reached */
  readonly status: 'ok' | 'at-risk' | 'no-quorum'
  /** The risk in words; none if no risk is known */
  readonly risk: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Weight that the quorum requires, as a decimal number */
  readonly neededWeight: string
  /** Weight of the connected validators, as a decimal number */
  readonly connectedWeight: string
  /** Weight of the connected validators without a recent failure, as a decimal number */
  readonly answeringWeight: string
  /** Weight of the connected validators that were recently silent or sent a wrong signature, as a decimal number */
  readonly failingWeight: string
  /** Weight of the validators that are not connected, as a decimal number */
  readonly disconnectedWeight: string
  /** Weight of inactive L1 validators and of validators without a BLS key, as a decimal number */
  readonly cannotSignWeight: string
  /** Answering weight minus needed weight; negative if the quorum cannot be reached now, as a decimal number */
  readonly marginWeight: string
  /** Margin in percent of the total weight */
  readonly marginPercentage: number
}

/** State of one validator */
export interface QuorumValidator {
  /** NodeIDs of the validator; several nodes can have one BLS key */
  readonly nodeIds: readonly string[]
  /** Weight of the validator, as a decimal number */
  readonly weight: string
  /** State of the validator */
  readonly state: 'answering' | 'failing' | 'disconnected' | 'inactive'
  /** Why it is failing */
  readonly reason?: string | undefined
}

/** Whether messages of a subnet can be signed now */
export interface Readiness {
  /** Id of the subnet */
  readonly subnetId: string
  /** Whether enough weight is connected */
  readonly status: 'ready' | 'not-ready'
  /** What is missing; empty if nothing is */
  readonly problems: readonly string[]
  /** P-chain height of the validator set, as a decimal number */
  readonly pChainHeight: string
  /** Whether the validators may sign yet: right after an L1 is created, they are not at the proposed height */
  readonly isProposed: boolean
  /** Percentage of the weight that is connected */
  readonly connectedPercentage: number
  /** Percentage of the weight that must be connected */
  readonly neededPercentage: number
  /** Weight of the connected validators, as a decimal number */
  readonly connectedWeight: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Percentage of the weight that has signed a message for this process since its start */
  readonly signedPercentage: number
  /** Time of the first signature, ISO 8601 in UTC */
  readonly firstSignatureAt?: string | undefined
  /** Validators of the subnet */
  readonly validators: readonly ReadinessValidator[]
}

/** Connection to one validator */
export interface ReadinessValidator {
  /** NodeIDs of the validator; several nodes can have one BLS key */
  readonly nodeIds: readonly string[]
  /** Weight of the validator, as a decimal number */
  readonly weight: string
  /** Whether the service is connected to it */
  readonly isConnected: boolean
  /** Whether it has signed a message for this process */
  readonly hasSigned: boolean
}

/** Recent failure of a validator that was not queried, or not awaited */
export interface RecentFailure {
  /** Kind of the failure, as in `outcome` */
  readonly outcome: string
  /** Code of the application error that the validator sent */
  readonly code?: number | undefined
  /** Text of the application error that the validator sent */
  readonly text?: string | undefined
}

/** Outcome for one validator */
export interface ReportedValidator {
  /** Position in the canonical order of the validator set, from 0 */
  readonly index: number
  /** NodeIDs of the validator; several nodes can have one BLS key */
  readonly nodeIds: readonly string[]
  /** Weight of the validator, as a decimal number */
  readonly weight: string
  /** Outcome: signed, refused, empty, bad-signature, timed-out, unanswered, not-sent, disconnected, not-connected, not-asked or inactive */
  readonly outcome: string
  /** Whether the signed message contains the signature of the validator */
  readonly inSignedMessage: boolean
  /** Number of requests that were sent to the validator */
  readonly requests: number
  /** Whether the signature was known from an earlier request */
  readonly fromCache?: boolean | undefined
  /** Code of the application error that the validator sent */
  readonly code?: number | undefined
  /** Text of the application error that the validator sent */
  readonly text?: string | undefined
  /** Who reports the answer, if this service has not received it: another aggregator of the same fleet, which cannot be verified, or “the P-chain”, whose state rules out a signature */
  readonly reportedBy?: string | undefined
  /** Age of a refusal that is remembered from an earlier request, in milliseconds; the validator has not responded since */
  readonly rememberedMs?: number | undefined
  readonly lately?: RecentFailure | undefined
  /** Milliseconds until the validator responded */
  readonly latencyMs?: number | undefined
}

/** A known change of the validator set */
export interface SetChange {
  /** Why the validator leaves */
  readonly kind: 'stake-ends' | 'balance-runs-out'
  /** NodeID of the validator */
  readonly nodeId: string
  /** Weight of the validator, as a decimal number */
  readonly weight: string
  /** Time of the change, ISO 8601 in UTC */
  readonly at: string
  /** Margin after this and all earlier changes */
  readonly marginPercentageAfter: number
}

/** A signed message */
export interface SignatureAggregationResponse {
  /** Signed Warp message in hex without 0x */
  readonly signedMessage: string
  readonly report?: SignatureReport | undefined
  readonly proof?: ValidatorSetProof | undefined
  /** Id of the chain that is to verify the message */
  readonly destinationChain?: string | undefined
  /** Current epoch of the destination; null if it has no epochs */
  readonly epoch?: Epoch | null | undefined
  /** One signed message for each height that the destination may use, current epoch first */
  readonly signedMessages?: readonly DestinationSignedMessage[] | undefined
  /** Unix seconds; no earlier block of the destination uses the height */
  readonly notBefore?: number | undefined
  /** Unix seconds; the destination uses no later height before this time, and may still use this one after it */
  readonly earliestExpiry?: number | undefined
  /** Reasons why the message may not verify later */
  readonly warnings?: readonly AggregationWarning[] | undefined
}

/** A message to sign */
export interface SignatureAggregatorRequest {
  /** Unsigned Warp message, or the data of its SendWarpMessage event; hex, 0x optional */
  readonly message?: string | undefined
  /** Proof that P-chain validators require; without a message, it implies the P-chain message that it justifies; hex, 0x optional */
  readonly justification?: string | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly quorumPercentage?: number | undefined
  /** Percentage to collect beyond the quorum, in case the validator set changes; quorum and buffer together are at most 100 */
  readonly quorumPercentageBuffer?: number | undefined
  /** P-chain height of the validator set; 0 means the proposed height */
  readonly pChainHeight?: number | undefined
  /** Milliseconds within which the caller needs a response; at most the request time-out of the service */
  readonly deadlineMs?: number | undefined
  /** Milliseconds for which validators are asked again that do not know the message yet; at most until the deadline. With 0, each is asked once. Default: 3000, or 0 if they refuse because of the state of the P-chain */
  readonly waitMs?: number | undefined
  /** Id of the chain that is to verify the message, in hex or cb58. The response then has signedMessages for the P-chain heights that the chain uses now and may use next. Excludes pChainHeight */
  readonly destinationChain?: string | undefined
}

/** Outcome for every validator */
export interface SignatureReport {
  /** Id of the subnet whose validators sign */
  readonly signingSubnetId: string
  /** P-chain height of the validator set, as a decimal number */
  readonly pChainHeight: string
  /** Weight of the validators that have signed, as a decimal number */
  readonly signedWeight: string
  /** Weight that the quorum requires, as a decimal number */
  readonly neededWeight: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Duration of the aggregation in milliseconds */
  readonly elapsedMs: number
  /** All validators, in their canonical order */
  readonly validators: readonly ReportedValidator[]
}

/** A signed message */
export interface SignedWarpMessage {
  /** Id of the subnet whose validators signed */
  readonly signingSubnetId: string
  /** P-chain height of the validator set, as a decimal number */
  readonly pChainHeight: string
  /** Percentage of the weight that had to sign */
  readonly quorumPercentage: number
  /** Signed Warp message in hex without 0x */
  readonly signedMessage: string
  /** Weight of the validators that have signed, as a decimal number */
  readonly signedWeight: string
  /** Weight that the quorum requires, as a decimal number */
  readonly neededWeight: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Time at which it was stored, ISO 8601 in UTC */
  readonly storedAt: string
  readonly report?: SignatureReport | undefined
}

/** A transaction or block whose Warp messages are signed */
export interface SourceRequest {
  /** Id of the source chain in hex or cb58; the operator configures its RPC with --chain-rpc */
  readonly sourceChain: string
  /** Transaction whose Warp messages are signed */
  readonly transactionHash?: string | undefined
  /** Block whose Warp messages are signed, instead of a transaction */
  readonly blockNumber?: number | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly quorumPercentage?: number | undefined
  /** Percentage to collect beyond the quorum, in case the validator set changes; quorum and buffer together are at most 100 */
  readonly quorumPercentageBuffer?: number | undefined
  /** P-chain height of the validator set; 0 means the proposed height */
  readonly pChainHeight?: number | undefined
  /** Milliseconds within which the caller needs a response; at most the request time-out of the service */
  readonly deadlineMs?: number | undefined
  /** Milliseconds for which validators are asked again that do not know the message yet; at most until the deadline. With 0, each is asked once. Default: 3000, or 0 if they refuse because of the state of the P-chain */
  readonly waitMs?: number | undefined
  /** Id of the chain that is to verify the message, in hex or cb58. The response then has signedMessages for the P-chain heights that the chain uses now and may use next. Excludes pChainHeight */
  readonly destinationChain?: string | undefined
}

/** Signature of one validator */
export interface StoredSignature {
  /** BLS public key in hex (48 bytes) */
  readonly publicKey: string
  /** BLS signature in hex (96 bytes) */
  readonly signature: string
}

/** What was stored */
export interface StoredSubmission {
  /** Id of the message in cb58 */
  readonly messageId: string
  /** Number of verified signatures in the request */
  readonly signatures: number
}

/** Signature of one validator */
export interface SubmittedSignature {
  /** NodeID of the validator that signed */
  readonly nodeId?: string | undefined
  /** BLS key (48 bytes) of the validator that signed, as an alternative to nodeId; hex */
  readonly publicKey?: string | undefined
  /** BLS signature of the message (96 bytes); hex */
  readonly signature: string
}

/** Connections to the validators of a subnet */
export interface SubnetHealth {
  /** Id of the subnet */
  readonly subnetId: string
  /** Whether enough weight is connected */
  readonly status: 'up' | 'down'
  /** Percentage of the weight that is connected */
  readonly connectedPercentage: number
  /** Percentage of the weight that must be connected */
  readonly neededPercentage: number
  /** Weight of the connected validators, as a decimal number */
  readonly connectedWeight: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Number of connected validators */
  readonly connectedValidators: number
  /** Number of validators */
  readonly validators: number
}

/** State of the P-chain API */
export interface UpstreamHealth {
  /** Whether the P-chain API responds */
  readonly status: 'up' | 'down'
  /** Proposed P-chain height, as a decimal number */
  readonly proposedHeight?: string | undefined
  /** Seconds since the P-chain API has confirmed the proposed height */
  readonly confirmedSecondsAgo?: number | undefined
  /** What is wrong */
  readonly problem?: string | undefined
}

/** Validator set with which anyone can verify the message offline */
export interface ValidatorSetProof {
  /** Id of the network */
  readonly networkID: number
  /** Id of the subnet whose validators sign */
  readonly signingSubnetID: string
  /** P-chain height of the validator set, as a decimal number */
  readonly pChainHeight: string
  /** Weight of all validators, including those without a BLS key, as a decimal number */
  readonly totalWeight: string
  /** Validators in their canonical order */
  readonly validators: readonly ProofValidator[]
  /** SHA-256 hash of the set in hex, to compare with another source */
  readonly hash: string
}

/** At which P-chain heights a signed message verifies */
export interface Validity {
  /** Whether the message verifies at the height that the destination uses now */
  readonly valid: boolean
  /** Id of the subnet whose validators signed */
  readonly signingSubnetId: string
  /** Id of the chain that is to verify the message */
  readonly destinationChain?: string | undefined
  /** Current epoch of the destination; null if it has no epochs */
  readonly epoch?: Epoch | null | undefined
  /** Unix seconds; no earlier block of the destination uses the height */
  readonly notBefore?: number | undefined
  /** Unix seconds; the destination uses no later height before this time, and may still use this one after it */
  readonly earliestExpiry?: number | undefined
  /** The heights that the destination uses now (first) and may use next */
  readonly heights: readonly ValidityAtHeight[]
  /** Reasons why the message may not verify later */
  readonly warnings: readonly AggregationWarning[]
}

/** Whether the message verifies in a range of heights */
export interface ValidityAtHeight {
  /** First P-chain height, as a decimal number */
  readonly pChainHeight: string
  /** Last P-chain height, as a decimal number */
  readonly lastPChainHeight: string
  /** Whether the message verifies */
  readonly valid: boolean
  /** The check that failed */
  readonly code?: string | undefined
  /** Why it failed, in words */
  readonly reason?: string | undefined
  /** Weight of the validators that have signed, as a decimal number */
  readonly signedWeight: string
  /** Weight that the quorum requires, as a decimal number */
  readonly neededWeight: string
  /** Weight of all validators, as a decimal number */
  readonly totalWeight: string
  /** Unix seconds; no earlier block of the destination uses the height */
  readonly notBefore?: number | undefined
  /** Unix seconds; the destination uses no later height before this time, and may still use this one after it */
  readonly earliestExpiry?: number | undefined
}

/** A signed message to check */
export interface ValidityRequest {
  /** Signed Warp message; hex, 0x optional */
  readonly signedMessage: string
  /** Id of the chain that is to verify the message, in hex or cb58; default: the proposed height is used */
  readonly destinationChain?: string | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly quorumPercentage?: number | undefined
}

/** A message with its signed messages */
export interface WarpMessage {
  /** Id of the message in cb58 */
  readonly messageId: string
  /** Id of the source chain */
  readonly sourceBlockchainId: string
  /** Unsigned Warp message in hex without 0x */
  readonly unsignedMessage: string
  /** Time at which the message was stored, ISO 8601 in UTC */
  readonly storedAt: string
  /** Number of stored signatures */
  readonly signatureCount: number
  /** One for each P-chain height and subnet, newest first */
  readonly signedMessages: readonly SignedWarpMessage[]
}

/** A message with its signatures and signed messages */
export interface WarpMessageDetails {
  /** Id of the message in cb58 */
  readonly messageId: string
  /** Id of the source chain */
  readonly sourceBlockchainId: string
  /** Unsigned Warp message in hex without 0x */
  readonly unsignedMessage: string
  /** Time at which the message was stored, ISO 8601 in UTC */
  readonly storedAt: string
  /** Number of stored signatures */
  readonly signatureCount: number
  /** One for each P-chain height and subnet, newest first */
  readonly signedMessages: readonly SignedWarpMessage[]
  /** Stored signatures */
  readonly signatures: readonly StoredSignature[]
}

