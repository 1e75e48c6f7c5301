import type { Endpoint } from '@firn/rpc'
import type { ChainRpc } from '../configuration/UpstreamOptions.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'

/** An API of a chain on a node: the EVM's JSON-RPC, or the API of the proposervm. */
export type ChainApi = 'rpc' | 'proposervm'

/**
 * Returns the endpoint of a chain's API. If the configured URL ends with `/rpc` or `/ws`, it is the chain's RPC
 * endpoint, and the last part of the path is replaced. Otherwise it is the URL of a node, and `/ext/bc/{id}/…` is
 * appended.
 */
export function endpointOf({ blockchainId, ...upstream }: ChainRpc, api: ChainApi): Endpoint {
  const url = new URL(upstream.baseUrl)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = /\/(?:rpc|ws)$/.test(path)
    ? path.replace(/[^/]+$/, api)
    : `${path}/ext/bc/${blockchainId}/${api}`
  return { url: url.href, query: upstream.queryParameters, headers: upstream.httpHeaders }
}

/** Returns the error for a request whose field names a chain (cb58) without a configured node API. */
export function notConfigured(field: 'sourceChain' | 'destinationChain', chainId: string): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_CHAIN_NOT_CONFIGURED',
    `${field}: this service has no node API for the chain ${chainId}; its operator can add one with --chain-rpc ${chainId}=<url>`,
    { details: { field, chainId } },
  )
}
