import { Bytes, Hex, Id } from '@firn/codec'
import { AggregatorError } from '../errors/AggregatorError.ts'

/** The subnets and source chains that this service serves. */
export interface AllowList {
  /**
   * Throws if the validators of a subnet (32 bytes) may not sign.
   * @throws AggregatorError `AGGREGATOR_SUBNET_FORBIDDEN`
   */
  assertSigningSubnet(subnetId: Uint8Array): void
  /**
   * Throws if messages of a chain (32 bytes) may not be signed.
   * @throws AggregatorError `AGGREGATOR_CHAIN_FORBIDDEN`
   */
  assertSourceChain(chainId: Uint8Array): void
}

/** Ids (32 bytes each) of the allowed subnets and chains. An empty list allows all. */
export interface AllowListOptions {
  readonly signingSubnets?: readonly Uint8Array[]
  readonly sourceChains?: readonly Uint8Array[]
}

/** Creates the list. */
export function createAllowList({ signingSubnets = [], sourceChains = [] }: AllowListOptions): AllowList {
  const isAllowed = (ids: readonly Uint8Array[]) => {
    const names = new Set(ids.map(Hex.encodeBare))
    return (id: Uint8Array) => names.size === 0 || names.has(Hex.encodeBare(id))
  }
  const isSubnetAllowed = isAllowed(signingSubnets)
  const isChainAllowed = isAllowed(sourceChains)
  return {
    assertSigningSubnet: (subnetId) => {
      if (isSubnetAllowed(subnetId)) return
      const name = Bytes.isZero(subnetId) ? 'the Primary Network' : `subnet ${Id.format(subnetId)}`
      throw new AggregatorError(
        'AGGREGATOR_SUBNET_FORBIDDEN',
        `signingSubnetId: this service does not collect signatures of ${name}`,
        { details: { field: 'signingSubnetId', subnetId: Id.format(subnetId) } },
      )
    },
    assertSourceChain: (chainId) => {
      if (isChainAllowed(chainId)) return
      const name = Bytes.isZero(chainId) ? 'the P-chain' : `chain ${Id.format(chainId)}`
      throw new AggregatorError(
        'AGGREGATOR_CHAIN_FORBIDDEN',
        `message: this service does not collect signatures for messages of ${name}`,
        { details: { field: 'message', chainId: Id.format(chainId) } },
      )
    },
  }
}
