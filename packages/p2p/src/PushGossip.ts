import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { PushGossipSchema } from './gen/gossip_pb.ts'
import * as HandlerPrefix from './HandlerPrefix.ts'
import * as wire from './internal/wire.ts'
import { P2pError } from './P2pError.ts'

/** Transactions that are pushed to a handler of a chain. */
export interface PushGossip {
  /** `HandlerPrefix.TX_GOSSIP`, or `HandlerPrefix.ATOMIC_TX_GOSSIP` for the C-chain's imports and exports. */
  readonly handlerId: bigint
  /** Signed transactions, in the chain's encoding. */
  readonly transactions: readonly Uint8Array[]
}

/** {@link PushGossip} together with the id of the chain, 32 bytes. */
export interface ChainGossip extends PushGossip {
  readonly chainId: Uint8Array
}

/**
 * Encodes the bytes of an AppGossip message: the handler's prefix, then the protobuf message `PushGossip` of package
 * `sdk`.
 * @throws P2pError `P2P_ARGUMENT` if `handlerId` is not a 64-bit number
 * @example
 * ```ts
 * import { PushGossip } from '@firn/p2p'
 *
 * PushGossip.encode({ handlerId: 0n, transactions: [Uint8Array.of(7)] }) // Uint8Array [0, 10, 1, 7]
 * ```
 */
export function encode({ handlerId, transactions }: PushGossip): Uint8Array {
  if (handlerId !== BigInt.asUintN(64, handlerId))
    throw new P2pError('P2P_ARGUMENT', `gossip: expected a handler id of 0 to 2^64-1, got ${handlerId}`)
  const message = create(PushGossipSchema, { gossip: [...transactions] })
  return HandlerPrefix.prepend(handlerId, toBinary(PushGossipSchema, message))
}

/**
 * Decodes the bytes of an AppGossip message. The transactions are views of `appBytes`.
 * @throws P2pError `P2P_MESSAGE` if there is no handler prefix, the rest is malformed, or there are more than 4,096
 * transactions
 * @example
 * ```ts
 * import { PushGossip } from '@firn/p2p'
 *
 * PushGossip.decode(Uint8Array.of(0, 10, 1, 7)).transactions // [Uint8Array [7]]
 * ```
 */
export function decode(appBytes: Uint8Array): PushGossip {
  const parsed = HandlerPrefix.parse(appBytes)
  if (parsed === undefined) throw new P2pError('P2P_MESSAGE', 'malformed gossip: no handler prefix')
  wire.check(parsed.body, PushGossipSchema)
  return { handlerId: parsed.handlerId, transactions: fromBinary(PushGossipSchema, parsed.body).gossip }
}
