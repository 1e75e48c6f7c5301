import { FirnError } from '@firn/codec'

/**
 * The errors of this service, from the caller's point of view:
 * - `AGGREGATOR_BODY`: the body is missing, is not JSON or is not an object
 * - `AGGREGATOR_FIELD`: a field or parameter has the wrong type or value
 * - `AGGREGATOR_MESSAGE`: `message` or `justification` cannot be decoded, or there is nothing to sign
 * - `AGGREGATOR_SIGNATURE`: a signature that was handed in is wrong, or its signer is not a validator
 * - `AGGREGATOR_NETWORK_ID`: the message is for another network
 * - `AGGREGATOR_CHAIN_UNKNOWN`: the message's source chain is unknown
 * - `AGGREGATOR_SUBNET_UNKNOWN`: the signing subnet does not exist or has no validators at the height
 * - `AGGREGATOR_HEIGHT`: the height is in the future or beyond the lookback
 * - `AGGREGATOR_CHAIN_NOT_CONFIGURED`: the service has no node API for the chain that the request names
 * - `AGGREGATOR_KEY`: an API key is required, but the request has no key or an unknown key
 * - `AGGREGATOR_SUBNET_FORBIDDEN`: the signing subnet is not on the allow list
 * - `AGGREGATOR_CHAIN_FORBIDDEN`: the source chain is not on the allow list
 * - `AGGREGATOR_NETWORK`: this process does not serve the network in the path
 * - `AGGREGATOR_ROUTE`: the path does not exist, or does not support the method
 * - `AGGREGATOR_MESSAGE_UNKNOWN`: the message log does not contain the message
 * - `AGGREGATOR_BODY_TOO_LARGE`: the body exceeds the limit, or the message does not fit into a request to a validator
 * - `AGGREGATOR_RATE_LIMIT`: too many requests from one client
 * - `AGGREGATOR_BUSY`: too many requests are in progress; `details.headers` says when to retry
 * - `AGGREGATOR_JOB_UNKNOWN`: the job does not exist, or belongs to another API key
 * - `AGGREGATOR_NOT_ACCEPTED`: the source chain has not accepted the transaction or block in time
 * - `AGGREGATOR_JOBS_FULL`: too many jobs or event streams
 * - `AGGREGATOR_UPSTREAM`: no upstream returned a usable response, or the own ledger is not synced, and no fresh data is
 *   cached
 * - `AGGREGATOR_UPSTREAM_DISAGREE`: the upstreams contradict each other, and fewer than required agree
 * - `AGGREGATOR_UPSTREAM_STALE`: the known validators are older than the configured limit
 * - `AGGREGATOR_DATABASE`: the database of the message log is unavailable
 * - `AGGREGATOR_CHAIN_RPC`: the node API of a chain returned no usable response
 * - `AGGREGATOR_TIMEOUT`: the request timed out, or the caller closed the connection
 * - `AGGREGATOR_CLOSING`: the process is shutting down
 * - `AGGREGATOR_CONFIGURATION`: the configuration is invalid (only at startup)
 * - `AGGREGATOR_INTERNAL`: an internal error of this service
 */
export type AggregatorErrorCode =
  | 'AGGREGATOR_BODY'
  | 'AGGREGATOR_FIELD'
  | 'AGGREGATOR_MESSAGE'
  | 'AGGREGATOR_SIGNATURE'
  | 'AGGREGATOR_NETWORK_ID'
  | 'AGGREGATOR_CHAIN_UNKNOWN'
  | 'AGGREGATOR_SUBNET_UNKNOWN'
  | 'AGGREGATOR_HEIGHT'
  | 'AGGREGATOR_CHAIN_NOT_CONFIGURED'
  | 'AGGREGATOR_KEY'
  | 'AGGREGATOR_SUBNET_FORBIDDEN'
  | 'AGGREGATOR_CHAIN_FORBIDDEN'
  | 'AGGREGATOR_NETWORK'
  | 'AGGREGATOR_ROUTE'
  | 'AGGREGATOR_MESSAGE_UNKNOWN'
  | 'AGGREGATOR_BODY_TOO_LARGE'
  | 'AGGREGATOR_RATE_LIMIT'
  | 'AGGREGATOR_BUSY'
  | 'AGGREGATOR_JOB_UNKNOWN'
  | 'AGGREGATOR_NOT_ACCEPTED'
  | 'AGGREGATOR_JOBS_FULL'
  | 'AGGREGATOR_UPSTREAM'
  | 'AGGREGATOR_UPSTREAM_DISAGREE'
  | 'AGGREGATOR_UPSTREAM_STALE'
  | 'AGGREGATOR_DATABASE'
  | 'AGGREGATOR_CHAIN_RPC'
  | 'AGGREGATOR_TIMEOUT'
  | 'AGGREGATOR_CLOSING'
  | 'AGGREGATOR_CONFIGURATION'
  | 'AGGREGATOR_INTERNAL'

/** The only error class of this service. Its `message` is written for the caller and says what to change. */
export class AggregatorError extends FirnError<AggregatorErrorCode> {
  override readonly name = 'AggregatorError'
}
