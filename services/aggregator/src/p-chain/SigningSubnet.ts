import { Bytes, Id } from '@firn/codec'
import type { UnsignedMessage } from '@firn/warp'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { Subnets } from './Subnets.ts'

/** What a request says about the subnet that signs its message. Ids have 32 bytes. */
interface Requested {
  readonly signingSubnetId: Uint8Array | undefined
  readonly destinationChain?: Uint8Array | undefined
}

/**
 * Returns the id of the subnet whose validators sign a message. By default it is the subnet of the message's source
 * chain. If that is the Primary Network and the destination is known, it is the subnet of the destination, because an
 * L1 accepts the signatures of its own validators for messages of the Primary Network. An L1 that requires signatures
 * of the Primary Network is configured so; the request then names the Primary Network. Source: avalanchego
 * `precompile/contracts/warp/config.go`.
 * @throws AggregatorError `AGGREGATOR_CHAIN_UNKNOWN`, `AGGREGATOR_UPSTREAM`
 */
export async function find(
  unsigned: UnsignedMessage.UnsignedMessage,
  { signingSubnetId, destinationChain }: Requested,
  subnets: Pick<Subnets, 'ofChain'>,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const source = await subnets.ofChain(unsigned.sourceChainID, signal)
  if (signingSubnetId !== undefined) return signingSubnetId
  if (destinationChain === undefined || !Bytes.isZero(source)) return source
  return subnets.ofChain(destinationChain, signal).catch((error: unknown) => {
    throw isUnknownChain(error) ? unknownDestination(destinationChain, error) : error
  })
}

function isUnknownChain(error: unknown): boolean {
  return error instanceof AggregatorError && error.code === 'AGGREGATOR_CHAIN_UNKNOWN'
}

function unknownDestination(chainId: Uint8Array, cause: unknown): AggregatorError {
  const text = Id.format(chainId)
  return new AggregatorError(
    'AGGREGATOR_CHAIN_UNKNOWN',
    `destinationChain: the chain ${text} is unknown on this network`,
    { details: { field: 'destinationChain', chainId: text }, cause },
  )
}
