import type { AskOptions } from './Asker.ts'
import { createHttpClient, type HttpClientOptions } from './HttpClient.ts'
import { InfoMethods, PlatformChainMethods, PlatformStakingMethods } from './TextMethods.ts'

/** The data of a node that the verification of a Warp message needs. Ids and keys are text, as in JSON. */
export interface ValidatorSource {
  /** Returns the id of the node's network, such as 1 (Mainnet) or 5 (Fuji). */
  getNetworkId(options?: AskOptions): Promise<number>
  /** Returns the id of the subnet that validates a blockchain. */
  getSubnetId(blockchainId: string, options?: AskOptions): Promise<string>
  /** Returns the P-chain height that block builders currently use. */
  getHeight(options?: AskOptions): Promise<bigint>
  /** Returns the validators of a subnet by NodeID. Their BLS keys are hex, or null. */
  getValidators(
    subnetId: string,
    height: bigint,
    options?: AskOptions,
  ): Promise<ReadonlyMap<string, { readonly publicKey: string | null; readonly weight: bigint }>>
}

/**
 * Creates a source of validators from a node, for `verifyMessage` of `@firn/warp`. Its methods retry and throw as with
 * {@link createHttpClient}. Sends nothing before the first call.
 * @example
 * ```ts
 * import { createValidatorSource } from '@firn/rpc/client'
 *
 * const source = createValidatorSource({ url: 'https://api.avax.network' })
 * const subnetId = await source.getSubnetId('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5')
 * const validators = await source.getValidators(subnetId, await source.getHeight())
 * ```
 * @throws RpcError `RPC_SCHEMA` for a URL that is not `http:` or `https:`
 */
export function createValidatorSource(options: Omit<HttpClientOptions, 'path'>): ValidatorSource {
  const info = createHttpClient(InfoMethods, { ...options, path: '/ext/info' })
  const methods = { ...PlatformChainMethods, ...PlatformStakingMethods }
  const platform = createHttpClient(methods, { ...options, path: '/ext/bc/P' })
  return {
    async getNetworkId(own) {
      return (await info.call('info.getNetworkID', {}, own)).networkID
    },
    async getSubnetId(blockchainId, own) {
      return (await platform.call('platform.validatedBy', { blockchainID: blockchainId }, own)).subnetID
    },
    async getHeight(own) {
      return (await platform.call('platform.getProposedHeight', {}, own)).height
    },
    getValidators: (subnetId, height, own) =>
      platform.call('platform.getValidatorsAt', { height, subnetID: subnetId }, own),
  }
}
