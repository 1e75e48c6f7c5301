// Generated from the OpenAPI document. Run npm run openapi to write it again.

import type { ServerEvent } from '../Events.ts'
import type { List } from '../List.ts'
import type { Operation } from '../Operation.ts'
import type { CallOptions } from '../Request.ts'
import type {
  AcceptedJob,
  BatchResponse,
  GoSignedMessage,
  Health,
  Job,
  ListMessagesResponse,
  ListQuorumsResponse,
  Quorum,
  Readiness,
  SignatureAggregationResponse,
  SignatureAggregatorRequest,
  StoredSubmission,
  SubmittedSignature,
  Validity,
  WarpMessage,
  WarpMessageDetails,
} from './aggregatorSchemas.ts'

/** Parameters of `aggregateSignatures`: collect signatures for a Warp message. */
export interface AggregateSignaturesParameters {
  /** Includes the outcome for every validator */
  readonly report?: boolean | undefined
  /** Includes the validator set, so that anyone can verify the message offline */
  readonly proof?: boolean | undefined
  /** Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service */
  readonly network: string
  /** Milliseconds within which the caller needs a response; at most the request time-out of the service */
  readonly 'x-request-timeout-ms'?: string | undefined
  /** `respond-async` returns a job at once, instead of the signed message */
  readonly prefer?: string | undefined
  /** Id of the source chain in hex or cb58; the operator configures its RPC with --chain-rpc */
  readonly sourceChain?: string | undefined
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
  /** Unsigned Warp message, or the data of its SendWarpMessage event; hex, 0x optional */
  readonly message?: string | undefined
  /** Proof that P-chain validators require; without a message, it implies the P-chain message that it justifies; hex, 0x optional */
  readonly justification?: string | undefined
}

/** Parameters of `aggregateSignaturesBatch`: collect signatures for several Warp messages. */
export interface AggregateSignaturesBatchParameters {
  /** Includes the outcome for every validator */
  readonly report?: boolean | undefined
  /** Includes the validator set, so that anyone can verify the message offline */
  readonly proof?: boolean | undefined
  /** Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service */
  readonly network: string
  /** Milliseconds within which the caller needs a response; at most the request time-out of the service */
  readonly 'x-request-timeout-ms'?: string | undefined
  /** `respond-async` returns a job at once, instead of the signed message */
  readonly prefer?: string | undefined
  /** Id of the source chain in hex or cb58; the operator configures its RPC with --chain-rpc */
  readonly sourceChain?: string | undefined
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
  /** Requests, each as for a single message */
  readonly messages?: readonly SignatureAggregatorRequest[] | undefined
}

/** Parameters of `aggregateSignaturesLikeGo`: collect signatures for a Warp message, in the format of the Go signature-aggregator. */
export interface AggregateSignaturesLikeGoParameters {
  /** Milliseconds within which the caller needs a response; at most the request time-out of the service */
  readonly 'x-request-timeout-ms'?: string | undefined
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

/** Parameters of `getQuorum`: whether the validators of a subnet can reach a quorum, now and in the near future. */
export interface GetQuorumParameters {
  /** Percentage of the weight that must sign */
  readonly quorumPercentage?: number | undefined
  /** Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service */
  readonly network: string
  /** Subnet id in hex or cb58; 11111111111111111111111111111111LpoYY is the Primary Network */
  readonly subnetId: string
}

/** Parameters of `listQuorums`: whether the validators of the connected subnets can reach a quorum now. */
export interface ListQuorumsParameters {
  /** Percentage of the weight that must sign */
  readonly quorumPercentage?: number | undefined
  /** Only the subnet whose validators sign messages of this blockchain, in hex or cb58; starts to connect to them */
  readonly sourceChain?: string | undefined
  /** Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service */
  readonly network: string
}

/** Parameters of `getReadiness`: whether messages of a subnet can be signed now; starts to connect to its validators. */
export interface GetReadinessParameters {
  /** Subnet id in hex or cb58; 11111111111111111111111111111111LpoYY is the Primary Network */
  readonly subnetId: string
}

/** Parameters of `getMessage`: a message with its signatures and signed messages. */
export interface GetMessageParameters {
  /** Includes the reports of the aggregations */
  readonly report?: boolean | undefined
  /** Warp message id in cb58 or hex */
  readonly id: string
}

/** Parameters of `listMessages`: list messages, newest first. */
export interface ListMessagesParameters {
  /** Id of the source chain in cb58 or hex */
  readonly sourceChain?: string | undefined
  /** Only messages signed at this P-chain height or above */
  readonly fromHeight?: string | undefined
  /** Only messages signed at this P-chain height or below */
  readonly toHeight?: string | undefined
  /** Earliest time at which the message was stored: ISO 8601, or seconds since 1970 */
  readonly from?: string | undefined
  /** Latest time at which the message was stored: ISO 8601, or seconds since 1970 */
  readonly to?: string | undefined
  /** nextPageToken of the page before */
  readonly pageToken?: string | undefined
  /** Number of messages, from 1 to 100; 50 by default; pages of large messages have fewer */
  readonly pageSize?: string | undefined
}

/** Parameters of `addMessage`: hand in signatures or a signed message of others. */
export interface AddMessageParameters {
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

/** Parameters of `getValidity`: at which P-chain heights a signed Warp message verifies. */
export interface GetValidityParameters {
  /** Signed Warp message; hex, 0x optional */
  readonly signedMessage: string
  /** Id of the chain that is to verify the message, in hex or cb58; default: the proposed height is used */
  readonly destinationChain?: string | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly quorumPercentage?: number | undefined
  /** Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service */
  readonly network: string
}

/** Parameters of `postValidity`: at which P-chain heights a signed Warp message verifies. */
export interface PostValidityParameters {
  /** Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service */
  readonly network: string
  /** Signed Warp message; hex, 0x optional */
  readonly signedMessage: string
  /** Id of the chain that is to verify the message, in hex or cb58; default: the proposed height is used */
  readonly destinationChain?: string | undefined
  /** Id of the subnet whose validators sign, in hex or cb58; default: the subnet of the message’s source chain */
  readonly signingSubnetId?: string | undefined
  /** Percentage of the weight that must sign; 0 means the default */
  readonly quorumPercentage?: number | undefined
}

/** Parameters of `getJob`: state, progress and result of a job. */
export interface GetJobParameters {
  /** Id of the job */
  readonly jobId: string
}

/** Parameters of `streamJobEvents`: progress of a job, as server-sent events. */
export interface StreamJobEventsParameters {
  /** Id of the job */
  readonly jobId: string
  /** Id of the last event that was received */
  readonly 'last-event-id'?: string | undefined
}

/** Operations of the group `operations`. */
export interface OperationsOperations {
  /** Whether signatures can be collected now, and if not, what is wrong */
  getHealth(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Health>
  /** Whether messages of a subnet can be signed now; starts to connect to its validators */
  getReadiness(parameters: GetReadinessParameters, options?: CallOptions): Promise<Readiness>
}

/** Operations of the group `signatureAggregator`. */
export interface SignatureAggregatorOperations {
  /** A body with `sourceChain` is accepted as well, and answered like a batch; see aggregateSignatures:batch. */
  aggregateSignatures(parameters: AggregateSignaturesParameters, options?: CallOptions): Promise<SignatureAggregationResponse | BatchResponse | AcceptedJob>
  /** Signs a list of messages, or all messages of a transaction or block of a chain whose RPC the operator has configured. Each message counts as one request against the rate limit. A message that fails does not affect the others. */
  aggregateSignaturesBatch(parameters: AggregateSignaturesBatchParameters, options?: CallOptions): Promise<BatchResponse | AcceptedJob>
  /** Collect signatures for a Warp message, in the format of the Go signature-aggregator */
  aggregateSignaturesLikeGo(parameters: AggregateSignaturesLikeGoParameters, options?: CallOptions): Promise<GoSignedMessage>
  /** Whether the validators of a subnet can reach a quorum, now and in the near future */
  getQuorum(parameters: GetQuorumParameters, options?: CallOptions): Promise<Quorum>
  /** Lists the Primary Network, the configured subnets, and the subnets of recent requests. With `sourceChain`, the list has the subnet whose validators sign the messages of that chain. */
  listQuorums(parameters: ListQuorumsParameters, options?: CallOptions): Promise<ListQuorumsResponse>
  /** At which P-chain heights a signed Warp message verifies */
  getValidity(parameters: GetValidityParameters, options?: CallOptions): Promise<Validity>
  /** At which P-chain heights a signed Warp message verifies */
  postValidity(parameters: PostValidityParameters, options?: CallOptions): Promise<Validity>
  /** Returns a job of the same API key. Finished jobs are deleted after a while. */
  getJob(parameters: GetJobParameters, options?: CallOptions): Promise<Job>
  /** Sends the event `progress` with what has changed, or with everything if `isComplete` is true. Ends with the event `done`, whose data is the response of the synchronous route, or `failed`, whose data is its error. The header `last-event-id` resumes the stream; after the last event, the status is 204. */
  streamJobEvents(parameters: StreamJobEventsParameters, options?: CallOptions): AsyncIterable<ServerEvent>
}

/** Operations of the group `messageLog`. */
export interface MessageLogOperations {
  /** Returns a message of the message log. */
  getMessage(parameters: GetMessageParameters, options?: CallOptions): Promise<WarpMessageDetails>
  /** Returns the messages of the message log that match all filters. */
  readonly listMessages: List<ListMessagesParameters | undefined, ListMessagesResponse, WarpMessage>
  /** Everything is verified first. If any part is wrong, nothing is stored. */
  addMessage(parameters: AddMessageParameters, options?: CallOptions): Promise<StoredSubmission>
}

/** All operations by group. */
export interface Operations {
  readonly operations: OperationsOperations
  readonly signatureAggregator: SignatureAggregatorOperations
  readonly messageLog: MessageLogOperations
}

/** How each operation is sent. */
export const OPERATIONS = {
  operations: {
    getHealth: { path: '/health' },
    getReadiness: { path: '/v1/readiness/{subnetId}' },
  },
  signatureAggregator: {
    aggregateSignatures: { path: '/v1/signatureAggregator/{network}/aggregateSignatures', method: 'POST', body: ["sourceChain","transactionHash","blockNumber","signingSubnetId","quorumPercentage","quorumPercentageBuffer","pChainHeight","deadlineMs","waitMs","destinationChain","message","justification"], headers: ["x-request-timeout-ms","prefer"] },
    aggregateSignaturesBatch: { path: '/v1/signatureAggregator/{network}/aggregateSignatures:batch', method: 'POST', body: ["sourceChain","transactionHash","blockNumber","signingSubnetId","quorumPercentage","quorumPercentageBuffer","pChainHeight","deadlineMs","waitMs","destinationChain","messages"], headers: ["x-request-timeout-ms","prefer"] },
    aggregateSignaturesLikeGo: { path: '/aggregate-signatures', method: 'POST', body: ["message","justification","signing-subnet-id","quorum-percentage","quorum-percentage-buffer","pchain-height","p-chain-height"], headers: ["x-request-timeout-ms"] },
    getQuorum: { path: '/v1/quorum/{network}/{subnetId}' },
    listQuorums: { path: '/v1/quorum/{network}' },
    getValidity: { path: '/v1/validity/{network}' },
    postValidity: { path: '/v1/validity/{network}', method: 'POST', body: ["signedMessage","destinationChain","signingSubnetId","quorumPercentage"] },
    getJob: { path: '/v1/jobs/{jobId}' },
    streamJobEvents: { path: '/v1/jobs/{jobId}/events', headers: ["last-event-id"], isStream: true },
  },
  messageLog: {
    getMessage: { path: '/v1/messages/{id}' },
    listMessages: { path: '/v1/messages', items: 'messages' },
    addMessage: { path: '/v1/messages', method: 'POST', body: ["message","signatures","signedMessage","signingSubnetId","quorumPercentage","pChainHeight"] },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Operation>>>>
