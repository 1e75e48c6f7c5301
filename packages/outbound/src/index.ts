/**
 * Requests to hosts that strangers name: webhooks, metadata of tokens, pictures, prices.
 *
 * @packageDocumentation
 */
export * as ContentType from './ContentType.ts'
export { FETCH_FAILURES, type FetchFailure } from './FetchFailure.ts'
export * as HostAddresses from './HostAddresses.ts'
export * as OutboundTarget from './OutboundTarget.ts'
export * as PinnedRequest from './PinnedRequest.ts'
export * as PublicAddress from './PublicAddress.ts'
export * as PublicFetch from './PublicFetch.ts'
