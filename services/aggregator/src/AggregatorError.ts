import { FirnError } from '@firn/codec'

/**
 * What this service refuses or fails at, from the caller's point of view:
 * - `AGGREGATOR_BODY`: the body is missing, is not JSON or is not an object
 * - `AGGREGATOR_FIELD`: a field or parameter has the wrong type or value
 * - `AGGREGATOR_MESSAGE`: `message` or `justification` can't be decoded, or nothing to sign follows from them
 * - `AGGREGATOR_NETWORK_ID`: the message was made for another network
 * - `AGGREGATOR_CHAIN_UNKNOWN`: nobody knows the message's source chain
 * - `AGGREGATOR_SUBNET_UNKNOWN`: the signing subnet does not exist or has no validators at the height
 * - `AGGREGATOR_HEIGHT`: the height is in the future or beyond the lookback
 * - `AGGREGATOR_KEY`: an API key is needed and none, or an unknown one, came
 * - `AGGREGATOR_SUBNET_FORBIDDEN`: the signing subnet is not among the allowed ones
 * - `AGGREGATOR_NETWORK`: the network of the path is not served by this process
 * - `AGGREGATOR_ROUTE`: no such path, or not with this method
 * - `AGGREGATOR_BODY_TOO_LARGE`: the body is over the limit
 * - `AGGREGATOR_RATE_LIMIT`: too many requests from one client
 * - `AGGREGATOR_UPSTREAM`: no upstream gave a usable answer and nothing fresh is known
 * - `AGGREGATOR_UPSTREAM_STALE`: what is known of the validators is older than the configured limit
 * - `AGGREGATOR_TIMEOUT`: the request time-out passed before there was an answer
 * - `AGGREGATOR_CLOSING`: the process is shutting down
 * - `AGGREGATOR_CONFIGURATION`: the configuration is wrong (start only)
 * - `AGGREGATOR_INTERNAL`: a fault of this service
 */
export type AggregatorErrorCode =
  | 'AGGREGATOR_BODY'
  | 'AGGREGATOR_FIELD'
  | 'AGGREGATOR_MESSAGE'
  | 'AGGREGATOR_NETWORK_ID'
  | 'AGGREGATOR_CHAIN_UNKNOWN'
  | 'AGGREGATOR_SUBNET_UNKNOWN'
  | 'AGGREGATOR_HEIGHT'
  | 'AGGREGATOR_KEY'
  | 'AGGREGATOR_SUBNET_FORBIDDEN'
  | 'AGGREGATOR_NETWORK'
  | 'AGGREGATOR_ROUTE'
  | 'AGGREGATOR_BODY_TOO_LARGE'
  | 'AGGREGATOR_RATE_LIMIT'
  | 'AGGREGATOR_UPSTREAM'
  | 'AGGREGATOR_UPSTREAM_STALE'
  | 'AGGREGATOR_TIMEOUT'
  | 'AGGREGATOR_CLOSING'
  | 'AGGREGATOR_CONFIGURATION'
  | 'AGGREGATOR_INTERNAL'

/** The one error class of this service; its `message` is meant for the caller and says what to change. */
export class AggregatorError extends FirnError<AggregatorErrorCode> {
  override readonly name = 'AggregatorError'
}
